#pragma once

#include "shared/net/io.h"

#include <string>

namespace jostle::net {

/// The Io of the real machine: CLOCK_MONOTONIC, getrandom, non-blocking UDP over IPv4 and IPv6, and
/// POSIX files. Its only state is its folder. Sockets that it opened may outlive it. It is not
/// thread-safe.
class SystemIo final : public Io {
 public:
  /// Uses paths as given, relative to the working directory.
  SystemIo() = default;
  /// Confines all paths to `folder`: `..`, absolute paths and symbolic links are
  /// IoError::PermissionDenied. Exception: functions that write a whole file replace a symbolic
  /// link of the file's name instead of rejecting it.
  explicit SystemIo(std::string folder) : folder_(std::move(folder)) {}

  std::int64_t now_us() override;
  std::int64_t unix_time_s() override;
  void fill_random(std::span<std::byte> bytes) override;
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;

  /// Reads regular files only: a device or a pipe is IoError::NotAFile, a folder
  /// IoError::IsDirectory.
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> create_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;
  /// Appends to a file and syncs it. A write that fails half-way is undone; after a failed sync,
  /// the bytes may or may not be in the file.
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;
  /// Locks a regular file with flock(). A file system without locks is used without them.
  base::Result<std::unique_ptr<OutputFile>, IoError> open_output(const std::string& path) override;
  base::Result<base::Ok, IoError> check_writable(const std::string& path) override;
  base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                 std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                    std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                     std::span<const std::byte> bytes) override;

 private:
  std::string folder_;
};

}  // namespace jostle::net
