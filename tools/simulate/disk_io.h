#pragma once

#include "shared/net/io.h"
#include "tools/simulate/virtual_disk.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jostle::simulate {

/// The Io of a machine whose files are on a VirtualDisk, with its errors and losses of power.
/// Clocks and entropy are those of `machine`.
class DiskIo final : public net::Io {
 public:
  /// `machine` and `disk` must outlive this object.
  DiskIo(net::Io& machine, VirtualDisk& disk) : machine_(machine), disk_(disk) {}

  std::int64_t now_us() override { return machine_.now_us(); }
  std::int64_t unix_time_s() override { return machine_.unix_time_s(); }
  void fill_random(std::span<std::byte> bytes) override { machine_.fill_random(bytes); }
  base::Result<std::unique_ptr<net::DatagramSocket>, net::IoError> open_datagram_socket(
      net::Address local) override {
    return machine_.open_datagram_socket(local);
  }
  base::Result<std::vector<std::byte>, net::IoError> read_file(const std::string& path,
                                                               std::size_t max_bytes) override;
  base::Result<base::Ok, net::IoError> write_file(const std::string& path,
                                                  std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> create_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> append_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override;
  base::Result<std::vector<std::byte>, net::IoError> read_secret_file(
      const std::string& path, std::size_t max_bytes) override {
    return read_file(path, max_bytes);
  }
  base::Result<base::Ok, net::IoError> write_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override {
    return write_file(path, bytes);
  }
  base::Result<base::Ok, net::IoError> create_secret_file(
      const std::string& path, std::span<const std::byte> bytes) override {
    return create_file(path, bytes);
  }

 private:
  net::Io& machine_;
  VirtualDisk& disk_;
};

}  // namespace jostle::simulate
