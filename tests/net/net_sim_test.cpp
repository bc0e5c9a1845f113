#include "shared/net/net_sim.h"

#include "shared/net/system_io.h"
#include "shared/net/virtual_network.h"
#include "tests/net/net_fixture.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace jostle::net {
namespace {

constexpr std::uint32_t near_ip = 1, far_ip = 2;

std::optional<std::string> received_text(DatagramSocket& socket) {
  std::array<std::byte, 64> buffer{};
  const auto got = socket.receive(buffer);
  if (!got) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(buffer.data()), got->bytes);
}

/// A socket behind a simulated network, and a peer with a perfect connection.
struct FaultyPair {
  explicit FaultyPair(const LinkFaults& faults, std::uint64_t seed = 1)
      : sim(network.node(near_ip), faults, seed),
        near(sim.open_datagram_socket({near_ip, 10}).value()),
        far(network.node(far_ip).open_datagram_socket({far_ip, 20}).value()) {}
  /// Advances time and receives every millisecond, as programs do.
  void advance(std::int64_t us) {
    for (std::int64_t t = 0; t < us; t += ms) {
      network.advance(ms);
      while (auto text = received_text(*near))
        at_near.push_back(*text);
      while (auto text = received_text(*far))
        at_far.push_back(*text);
    }
  }

  VirtualNetwork network{7};
  NetSim sim;
  std::unique_ptr<DatagramSocket> near, far;
  std::vector<std::string> at_near, at_far;
};

LinkFaults sim(const char* text) {
  return parse_net_sim(text).value();
}

TEST(NetSim, DelaysBothDirectionsByTheLatency) {
  FaultyPair pair(sim("40/0/0%"));
  EXPECT_TRUE(pair.near->send({far_ip, 20}, bytes_of("there")));
  EXPECT_TRUE(pair.far->send({near_ip, 10}, bytes_of("back")));
  pair.advance(39 * ms);
  EXPECT_TRUE(pair.at_far.empty());
  EXPECT_TRUE(pair.at_near.empty());
  pair.advance(3 * ms);
  EXPECT_EQ(pair.at_far, std::vector<std::string>{"there"});
  EXPECT_EQ(pair.at_near, std::vector<std::string>{"back"});
}

TEST(NetSim, KeepsSourceAddressAndBytes) {
  FaultyPair pair(sim("5/0/0%"));
  pair.far->send({near_ip, 10}, bytes_of(std::string(100, 'x')));
  pair.network.advance(ms);
  std::array<std::byte, 64> buffer{};
  EXPECT_FALSE(pair.near->receive(buffer).has_value());
  pair.network.advance(5 * ms);
  const auto got = pair.near->receive(buffer);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->from, (Address{far_ip, 20}));
  EXPECT_EQ(got->bytes, 64U);
  EXPECT_TRUE(got->is_truncated);
  EXPECT_EQ(buffer[63], std::byte{'x'});
}

TEST(NetSim, DropsTheGivenShareInEachDirection) {
  FaultyPair pair(sim("1/0/25%"));
  for (int i = 0; i < 2'000; ++i) {
    pair.near->send({far_ip, 20}, bytes_of("a"));
    pair.far->send({near_ip, 10}, bytes_of("b"));
    pair.advance(ms);
  }
  pair.advance(10 * ms);
  EXPECT_NEAR(static_cast<double>(pair.at_far.size()), 1'500, 80);
  EXPECT_NEAR(static_cast<double>(pair.at_near.size()), 1'500, 80);
}

TEST(NetSim, JitterReordersWithinItsBound) {
  FaultyPair pair(sim("10/30/0%"));
  std::vector<std::string> sent;
  for (int i = 0; i < 200; ++i) {
    sent.push_back(std::to_string(i));
    pair.near->send({far_ip, 20}, bytes_of(sent.back()));
    pair.advance(ms);
  }
  pair.advance(41 * ms);
  ASSERT_EQ(pair.at_far.size(), sent.size());
  EXPECT_NE(pair.at_far, sent);
}

TEST(NetSim, IsDeterministicForASeed) {
  const auto run = [](std::uint64_t seed) {
    FaultyPair pair(sim("10/30/20%"), seed);
    for (int i = 0; i < 100; ++i) {
      pair.near->send({far_ip, 20}, bytes_of(std::to_string(i)));
      pair.advance(ms);
    }
    pair.advance(50 * ms);
    return pair.at_far;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

// The event loop needs no polling: the handle is readable when a datagram is due, to be forwarded
// or received.
TEST(NetSim, HandleWakesTheEventLoopForDelayedDatagrams) {
  SystemIo real;
  NetSim sim_io(real, sim("20/0/0%"), 1);
  const auto near = sim_io.open_datagram_socket({loopback_ip, 0}).value();
  const auto far = real.open_datagram_socket({loopback_ip, 0}).value();
  const auto wait = [](const DatagramSocket& socket) {
    pollfd handle{socket.native_handle(), POLLIN, 0};
    return ::poll(&handle, 1, 300'000) == 1;
  };
  near->send(far->local_address(), bytes_of("there"));
  ASSERT_TRUE(wait(*near));
  EXPECT_EQ(received_text(*near), std::nullopt);
  ASSERT_TRUE(wait(*far));
  EXPECT_EQ(received_text(*far), "there");
  far->send(near->local_address(), bytes_of("back"));
  std::optional<std::string> back;
  for (int i = 0; i < 10 && !back; ++i) {
    ASSERT_TRUE(wait(*near));
    back = received_text(*near);
  }
  EXPECT_EQ(back, "back");
  pollfd handle{near->native_handle(), POLLIN, 0};
  EXPECT_EQ(::poll(&handle, 1, 0), 0) << "nothing is left to send or receive";
}

TEST(NetSim, ParsesAndDescribesNetworkConditions) {
  const LinkFaults faults = sim("40/10.5/5%");
  EXPECT_EQ(faults.latency_us, 40'000);
  EXPECT_EQ(faults.jitter_us, 10'500);
  EXPECT_FLOAT_EQ(faults.loss, 0.05f);
  EXPECT_EQ(describe(faults), "40 ms, up to 10.5 ms of jitter, 5 % lost, each way");
  EXPECT_EQ(sim("0/0/100%").loss, 1.0f);
  for (const NetProfile& profile : net_profiles())
    EXPECT_EQ(describe(sim(std::string(profile.name).c_str())), describe(profile.faults));
  EXPECT_EQ(describe(sim("mobile")),
            "35 ms, up to 25 ms of jitter, 2 % lost, 8000 kbit/s, each way");
  for (const char* wrong : {"", "40", "40/10", "40/10/5", "40/10/101%", "-1/0/0%", "nan/0/0%",
                            "1/2/3/4%", "10001/0/0%", "40 /10/5%", "//%", "modem", "inf/0/0%"}) {
    const auto parsed = parse_net_sim(wrong);
    ASSERT_FALSE(parsed.has_value()) << wrong;
    EXPECT_EQ(parsed.error(),
              "'" + std::string(wrong) +
                  "' is not a network: expected LATENCY/JITTER/LOSS% in ms up to "
                  "10000, such as 40/10/5%, or one of broadband, wifi, mobile, bad, "
                  "satellite");
  }
}

}  // namespace
}  // namespace jostle::net
