#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/net/network_conditions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::net {

/// An Io whose sockets simulate a bad network: the datagrams that they send and receive pass faulty
/// links with a given seed. Everything else is forwarded to the underlying Io, which must outlive
/// this object.
///
/// A socket's handle also becomes readable when a delayed datagram is due, in either direction. The
/// next receive() then sends or returns it.
///
/// A NAT rebinding replaces the socket below by one on another port. It affects only sockets that
/// were opened on port 0, because a server behind such a NAT could not be reached.
class NetSim final : public Io {
 public:
  /// The end of the network at which the sockets are.
  enum class End : std::uint8_t { Client, Server };
  NetSim(Io& below, const NetworkConditions& conditions, End end, std::uint64_t seed)
      : below_(below),
        out_(end == End::Client ? conditions.up : conditions.down),
        in_(end == End::Client ? conditions.down : conditions.up),
        seed_(seed) {}

  std::int64_t now_us() override { return below_.now_us(); }
  std::int64_t unix_time_s() override { return below_.unix_time_s(); }
  void fill_random(std::span<std::byte> bytes) override { below_.fill_random(bytes); }
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;
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

 private:
  Io& below_;
  LinkFaults out_, in_;
  std::uint64_t seed_;
  std::uint32_t sockets_ = 0;  // number of sockets opened so far
};

}  // namespace jostle::net
