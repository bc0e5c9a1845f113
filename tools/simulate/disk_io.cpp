#include "tools/simulate/disk_io.h"

#include <cerrno>

namespace jostle::simulate {
namespace {

net::IoError error_of(int number) {
  switch (number) {
    case ENOENT:
      return net::IoError::NotFound;
    case EEXIST:
      return net::IoError::AlreadyExists;
    case ENOSPC:
      return net::IoError::NoSpace;
    default:
      return net::IoError::Unknown;
  }
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

// These functions make the same calls as those of SystemIo (net/system_files.cpp).

base::Result<std::vector<std::byte>, net::IoError> DiskIo::read_file(const std::string& path,
                                                                     std::size_t max_bytes) {
  auto bytes = disk_.read(path);
  if (!bytes) return error_of(bytes.error().number);
  if (bytes->size() > max_bytes) return net::IoError::TooLarge;
  return *std::move(bytes);
}

base::Result<base::Ok, net::IoError> DiskIo::write_file(const std::string& path,
                                                        std::span<const std::byte> bytes) {
  const std::string temporary = path + ".tmp";
  (void)disk_.remove(temporary);
  const auto file = disk_.create(temporary, true);
  if (!file) return error_of(file.error().number);
  int error = (*file)->append(bytes);
  if (error == 0) error = (*file)->sync();
  if (error == 0) error = disk_.rename(temporary, path);
  if (error != 0) {
    (void)disk_.remove(temporary);
    return error_of(error);
  }
  if (const int failed = disk_.sync_folder(folder_of(path)); failed != 0) return error_of(failed);
  return base::Ok{};
}

base::Result<base::Ok, net::IoError> DiskIo::create_file(const std::string& path,
                                                         std::span<const std::byte> bytes) {
  if (disk_.size(path)) return net::IoError::AlreadyExists;
  return write_file(path, bytes);
}

base::Result<base::Ok, net::IoError> DiskIo::append_file(const std::string& path,
                                                         std::span<const std::byte> bytes) {
  const auto before = disk_.size(path);
  const auto file = before ? disk_.open(path) : disk_.create(path, false);
  if (!file) return error_of(file.error().number);
  if (const int error = (*file)->append(bytes); error != 0) {
    (void)disk_.cut(path, before ? *before : 0);
    return error_of(error);
  }
  if (const int error = (*file)->sync(); error != 0) return error_of(error);
  return base::Ok{};
}

}  // namespace jostle::simulate
