#pragma once

#include "shared/net/io.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// An Io that forwards all calls to another one. Classes that change some of the functions derive
/// from it.
class ForwardingIo : public Io {
 public:
  /// `below` must outlive this object.
  explicit ForwardingIo(Io& below) : below_(below) {}

  std::int64_t now_us() override { return below_.now_us(); }
  std::int64_t unix_time_s() override { return below_.unix_time_s(); }
  void fill_random(std::span<std::byte> bytes) override { below_.fill_random(bytes); }
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override {
    return below_.open_datagram_socket(local);
  }
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override {
    return below_.read_file(path, max_bytes);
  }
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override {
    return below_.write_file(path, bytes);
  }
  base::Result<base::Ok, IoError> create_file(const std::string& path,
                                              std::span<const std::byte> bytes) override {
    return below_.create_file(path, bytes);
  }
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override {
    return below_.append_file(path, bytes);
  }
  base::Result<std::unique_ptr<OutputFile>, IoError> open_output(const std::string& path) override {
    return below_.open_output(path);
  }
  base::Result<base::Ok, IoError> check_writable(const std::string& path) override {
    return below_.check_writable(path);
  }
  base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                 std::size_t max_bytes) override {
    return below_.read_secret_file(path, max_bytes);
  }
  base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                    std::span<const std::byte> bytes) override {
    return below_.write_secret_file(path, bytes);
  }
  base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                     std::span<const std::byte> bytes) override {
    return below_.create_secret_file(path, bytes);
  }

 protected:
  Io& below() { return below_; }

 private:
  Io& below_;
};

}  // namespace jostle::net
