#include "shared/net/io.h"

#include <utility>

namespace jostle::net {
namespace {

/// A file that is opened again for each write.
class UnlockedFile final : public OutputFile {
 public:
  UnlockedFile(Io& io, std::string path) : io_(io), path_(std::move(path)) {}

  base::Result<base::Ok, IoError> write(std::span<const std::byte> bytes) override {
    return std::exchange(has_begun_, true) ? io_.append_file(path_, bytes)
                                           : io_.write_file(path_, bytes);
  }

 private:
  Io& io_;
  std::string path_;
  bool has_begun_ = false;
};

}  // namespace

base::Result<std::unique_ptr<OutputFile>, IoError> Io::open_output(const std::string& path) {
  return std::unique_ptr<OutputFile>(std::make_unique<UnlockedFile>(*this, path));
}

std::string_view describe(IoError error) {
  switch (error) {
    case IoError::AddressInUse:
      return "the address is already in use";
    case IoError::AddressUnavailable:
      return "the address does not belong to this machine";
    case IoError::FileInUse:
      return "it is being written by another program";
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
    case IoError::NameTooLong:
      return "the name of the file is too long";
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
