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
  explicit FaultyPair(const NetworkConditions& conditions, std::uint64_t seed = 1)
      : sim(network.node(near_ip), conditions, NetSim::End::Client, seed),
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

NetworkConditions sim(const char* text) {
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
  NetSim sim_io(real, sim("20/0/0%"), NetSim::End::Client, 1);
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
  const NetworkConditions conditions = sim("40/10.5/5%");
  EXPECT_EQ(conditions.up.latency_us, 40'000);
  EXPECT_EQ(conditions.up.jitter_us, 10'500);
  EXPECT_FLOAT_EQ(conditions.up.loss, 0.05f);
  EXPECT_EQ(conditions.up, conditions.down);
  EXPECT_EQ(describe(conditions), "40 ms, up to 10.5 ms of jitter, 5 % lost, each way");
  EXPECT_EQ(sim("0/0/100%").up.loss, 1.0f);
  for (const NetProfile& profile : net_profiles())
    EXPECT_EQ(describe(sim(std::string(profile.name).c_str())), describe(profile.conditions));
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
                  "satellite, wifi-power-save, lte-handover, adsl-upload, train");
  }
}

TEST(NetSim, ParsesSettingsOfOneDirectionOrBoth) {
  const NetworkConditions conditions = sim(
      "40/0/0%,loss=2%,up.rate=64,down.latency=90,burst-loss=1%/10%/70%,down.blackout=1500/20000");
  EXPECT_FLOAT_EQ(conditions.up.loss, 0.02f);
  EXPECT_FLOAT_EQ(conditions.down.loss, 0.02f);
  EXPECT_EQ(conditions.up.bandwidth_bytes_per_s, 8'000);
  EXPECT_EQ(conditions.down.bandwidth_bytes_per_s, 0);
  EXPECT_EQ(conditions.up.latency_us, 40'000);
  EXPECT_EQ(conditions.down.latency_us, 90'000);
  EXPECT_EQ(conditions.up.burst_loss, (BurstLoss{0.01f, 0.1f, 0.7f}));
  EXPECT_EQ(conditions.down.blackout,
            (RecurringFault{.interval_us = 20'000'000, .length_us = 1'500'000}));
  EXPECT_EQ(conditions.up.blackout, RecurringFault{});
  EXPECT_EQ(sim("satellite,jitter=0").up.latency_us, 300'000);
  EXPECT_EQ(describe(sim("10/0/0%,up.bursts=200")),
            "up: 10 ms, up to 0 ms of jitter, 0 % lost, delivered every 200 ms; "
            "down: 10 ms, up to 0 ms of jitter, 0 % lost");
}

TEST(NetSim, NamesTheSettingThatIsWrongAndWhatIsAccepted) {
  EXPECT_EQ(parse_net_sim("bad,up.loss=101").error(),
            "'up.loss=101': expected loss=PERCENT with 0 to 100");
  EXPECT_EQ(parse_net_sim("bad,stall=100").error(),
            "'stall=100': expected stall=MS/EVERY_MS with 0 to 10000, 0 to 600000");
  EXPECT_EQ(parse_net_sim("bad,stall=100/1/2").error(),
            "'stall=100/1/2': expected stall=MS/EVERY_MS with 0 to 10000, 0 to 600000");
  EXPECT_TRUE(
      parse_net_sim("bad,speed=3")
          .error()
          .starts_with(
              "'speed=3' is not a setting of a network: expected one of latency=MS, jitter=MS"));
  EXPECT_TRUE(parse_net_sim("bad,").error().starts_with("'' is not a setting"));
  EXPECT_TRUE(parse_net_sim("bad,up.").error().starts_with("'up.' is not a setting"));
}

TEST(NetSim, HasDifferentFaultsInEachDirection) {
  FaultyPair pair(sim("10/0/0%,up.latency=40,down.loss=100"));
  pair.near->send({far_ip, 20}, bytes_of("there"));
  pair.far->send({near_ip, 10}, bytes_of("back"));
  pair.advance(30 * ms);
  EXPECT_TRUE(pair.at_far.empty());
  pair.advance(30 * ms);
  EXPECT_EQ(pair.at_far, std::vector<std::string>{"there"});
  EXPECT_TRUE(pair.at_near.empty());
}

TEST(NetSim, RebindingMovesAClientsSocketToAnotherPort) {
  VirtualNetwork network(1);
  NetSim sim_io(network.node(near_ip), sim("0/0/0%,rebind=100"), NetSim::End::Client, 1);
  const auto near = sim_io.open_datagram_socket({near_ip, 0}).value();
  const auto far = network.node(far_ip).open_datagram_socket({far_ip, 20}).value();
  std::array<std::byte, 64> buffer{};
  std::vector<Address> sources;
  for (int i = 0; i < 2; ++i) {
    near->send({far_ip, 20}, bytes_of("hello"));
    network.advance(100 * ms);
    const auto got = far->receive(buffer);
    ASSERT_TRUE(got.has_value());
    sources.push_back(got->from);
  }
  EXPECT_NE(sources[0], sources[1]);
  far->send(sources[0], bytes_of("lost"));
  far->send(sources[1], bytes_of("back"));
  network.advance(ms);
  EXPECT_EQ(received_text(*near), "back");
  EXPECT_EQ(received_text(*near), std::nullopt);
}

}  // namespace
}  // namespace jostle::net
