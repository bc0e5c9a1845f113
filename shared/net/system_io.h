#pragma once

#include "shared/net/io.h"

#include <string>

namespace jostle::net {

/// The machine itself: CLOCK_MONOTONIC, getrandom, non-blocking UDP over IPv4 and IPv6, POSIX
/// files. Holds no state but its folder; sockets it opened may outlive it. Not for several threads
/// at once.
class RealIo final : public Io {
 public:
  /// Paths are taken as they are given, from the working directory.
  RealIo() = default;
  /// Every path lies beneath `folder`: `..`, absolute paths and symbolic links are
  /// IoError::PermissionDenied.
  explicit RealIo(std::string folder) : folder_(std::move(folder)) {}

  std::int64_t now_us() override;
  std::int64_t unix_time_s() override;
  void fill_random(std::span<std::byte> bytes) override;
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;

  /// Regular files only: a device or a pipe is IoError::IsNoFile, a folder IoError::IsDirectory.
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override;
  /// A write that fails half way is taken back. Not synced: durability belongs to write_file.
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;
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
