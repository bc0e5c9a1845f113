#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"
#include "shared/net/io.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::net {

/// What a simulated network does, in words of the command line: "40/10/5%" is 40 ms of latency,
/// up to 10 ms more of jitter and 5 % of loss in each direction; or a name of net_profiles. The
/// error says what is wrong.
base::Result<LinkFaults, std::string> parse_net_sim(std::string_view text);

/// For command lines: what is wrong with the words, or nothing.
std::string net_sim_fault(const std::string& text);

struct NetProfile {
  std::string_view name;
  LinkFaults faults;
};
/// Networks as people have them, in each direction.
const std::vector<NetProfile>& net_profiles();
/// "broadband, wifi, ..."
std::string net_profile_names();

/// "40 ms, up to 10 ms of jitter, 5 % lost, each way"
std::string describe(const LinkFaults& faults);

/// Another Io whose sockets have a bad network in front of them: what they send and what they
/// receive goes through faulty links, by a seed. All else is the other's, which must outlive this.
///
/// A socket's handle wakes whoever waits on it also when a datagram that was held back is due, in
/// either direction; it is sent or found by the next receive().
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
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override {
    return below_.append_file(path, bytes);
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
  std::uint32_t sockets_ = 0;  // opened so far
};

}  // namespace jostle::net
