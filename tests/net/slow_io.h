#pragma once

#include "shared/net/io.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// An Io whose clock advances by `us_per_look` at each call of now_us(), so that a test controls
/// how long work appears to take.
class SlowIo final : public Io {
 public:
  explicit SlowIo(Io& inner, std::int64_t us_per_look_ = 0)
      : us_per_look(us_per_look_), inner_(inner) {}
  std::int64_t us_per_look;

  std::int64_t unix_time_s() override { return inner_.unix_time_s(); }
  std::int64_t now_us() override { return inner_.now_us() + (spent_us_ += us_per_look); }
  void fill_random(std::span<std::byte> bytes) override { inner_.fill_random(bytes); }
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override {
    return inner_.open_datagram_socket(local);
  }
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override {
    return inner_.read_file(path, max_bytes);
  }
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override {
    return inner_.write_file(path, bytes);
  }
  base::Result<base::Ok, IoError> create_file(const std::string& path,
                                              std::span<const std::byte> bytes) override {
    return inner_.create_file(path, bytes);
  }
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override {
    return inner_.append_file(path, bytes);
  }
  base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                 std::size_t max_bytes) override {
    return inner_.read_secret_file(path, max_bytes);
  }
  base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                    std::span<const std::byte> bytes) override {
    return inner_.write_secret_file(path, bytes);
  }
  base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                     std::span<const std::byte> bytes) override {
    return inner_.create_secret_file(path, bytes);
  }

 private:
  Io& inner_;
  std::int64_t spent_us_ = 0;
};

}  // namespace jostle::net
