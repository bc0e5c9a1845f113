#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"
#include "shared/net/io.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::net {

/// Parses the parameters of a simulated network from the command line. "40/10/5%" means 40 ms of
/// latency, up to 10 ms of additional jitter and 5 % loss in each direction. A name from
/// net_profiles() is accepted too. The error says what is wrong.
base::Result<LinkFaults, std::string> parse_net_sim(std::string_view text);

/// Returns the error message of parse_net_sim() for the text, or an empty string if it is valid.
std::string net_sim_fault(const std::string& text);

/// A named set of network conditions.
struct NetProfile {
  std::string_view name;
  LinkFaults faults;
};
/// Returns profiles of typical user networks. The faults apply to each direction.
const std::vector<NetProfile>& net_profiles();
/// Returns the names of the profiles: "broadband, wifi, ...".
std::string net_profile_names();

/// Describes faults for users, for example "40 ms, up to 10 ms of jitter, 5 % lost, each way".
std::string describe(const LinkFaults& faults);

/// An Io whose sockets simulate a bad network: the datagrams that they send and receive pass faulty
/// links with a given seed. Everything else is forwarded to the underlying Io, which must outlive
/// this object.
///
/// A socket's handle also becomes readable when a delayed datagram is due, in either direction. The
/// next receive() then sends or returns it.
class NetSim final : public Io {
 public:
  NetSim(Io& below, const LinkFaults& faults, std::uint64_t seed)
      : below_(below), faults_(faults), seed_(seed) {}

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
  LinkFaults faults_;
  std::uint64_t seed_;
  std::uint32_t sockets_ = 0;  // number of sockets opened so far
};

}  // namespace jostle::net
