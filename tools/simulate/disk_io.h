#pragma once

#include "shared/net/forwarding_io.h"
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
class DiskIo final : public net::ForwardingIo {
 public:
  /// `machine` and `disk` must outlive this object.
  DiskIo(net::Io& machine, VirtualDisk& disk) : ForwardingIo(machine), disk_(disk) {}

  base::Result<std::vector<std::byte>, net::IoError> read_file(const std::string& path,
                                                               std::size_t max_bytes) override;
  base::Result<base::Ok, net::IoError> write_file(const std::string& path,
                                                  std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> create_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override;
  base::Result<base::Ok, net::IoError> append_file(const std::string& path,
                                                   std::span<const std::byte> bytes) override;
  base::Result<std::unique_ptr<net::OutputFile>, net::IoError> open_output(
      const std::string& path) override {
    return net::Io::open_output(path);
  }
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
  VirtualDisk& disk_;
};

}  // namespace jostle::simulate
