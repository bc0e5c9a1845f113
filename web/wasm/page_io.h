#pragma once

#include "shared/net/io.h"

namespace jostle::web {

/// The clocks and random numbers of the browser. A page has no sockets and no files: these
/// functions return errors.
class PageIo final : public net::Io {
 public:
  std::int64_t now_us() override;
  std::int64_t unix_time_s() override;
  void fill_random(std::span<std::byte> bytes) override;
  base::Result<std::unique_ptr<net::DatagramSocket>, net::IoError> open_datagram_socket(
      net::Address local) override;
  base::Result<std::vector<std::byte>, net::IoError> read_file(const std::string& path,
                                                               std::size_t max_bytes) override;
  base::Result<base::Ok, net::IoError> write_file(const std::string& path,
                                                  std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> create_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> append_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override;
  base::Result<std::vector<std::byte>, net::IoError> read_secret_file(
      const std::string& path, std::size_t max_bytes) override;
  base::Result<base::Ok, net::IoError> write_secret_file(const std::string& path,
                                                         std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> create_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override;
};

/// Returns the Io of the module.
PageIo& page_io();

}  // namespace jostle::web
