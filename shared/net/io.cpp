#include "shared/net/io.h"

namespace jostle::net {

std::string_view describe(IoError error) {
  switch (error) {
    case IoError::AddressInUse:
      return "the address is already in use";
    case IoError::AddressUnavailable:
      return "the address does not belong to this machine";
    case IoError::PermissionDenied:
      return "permission denied";
    case IoError::IsDirectory:
      return "not a file but a directory";
    case IoError::NotAFile:
      return "not a file but a device or a pipe";
    case IoError::NotFound:
      return "no such file or directory";
    case IoError::AlreadyExists:
      return "the file already exists";
    case IoError::NoSpace:
      return "no space left on the disk";
    case IoError::TooLarge:
      return "the file is too large";
    case IoError::InsecurePermissions:
      return "other users have access to this secret file (run chmod 600)";
    case IoError::PipeHasNoReader:
      return "the pipe has no reader";
    case IoError::Unknown:
      break;
  }
  return "an unexpected system error";
}

}  // namespace jostle::net
