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
      return "it is a directory";
    case IoError::IsNoFile:
      return "it is a device or a pipe";
    case IoError::NotFound:
      return "no such file or directory";
    case IoError::AlreadyExists:
      return "it already exists";
    case IoError::NoSpace:
      return "no space left";
    case IoError::TooLarge:
      return "larger than allowed";
    case IoError::TooOpen:
      return "others than its owner may read or change it (chmod 600 ends that)";
    case IoError::NoReader:
      return "nobody reads this pipe";
    case IoError::Unknown:
      break;
  }
  return "an unexpected system error";
}

}  // namespace jostle::net
