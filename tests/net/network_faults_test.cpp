#include "tests/net/node_pair.h"

#include <algorithm>

namespace jostle::net {
namespace {

/// Sends datagrams 1 ms apart for `seconds` and returns, for each of them, its delay in ms; −1 if
/// it was lost.
std::vector<int> delays_ms(NodePair& pair, int seconds) {
  const int count = seconds * 1'000;
  std::vector<int> delays(static_cast<std::size_t>(count), -1);
  for (int i = 0; i < count + 3'000; ++i) {
    if (i < count) pair.send(std::to_string(i));
    pair.network.advance(0);
    for (const std::string& text : pair.arrived())
      delays[static_cast<std::size_t>(std::stoi(text))] = i - std::stoi(text);
    pair.network.advance(1'000);
  }
  return delays;
}

TEST(VirtualNetwork, DeliversInBursts) {
  NodePair pair(21);
  pair.network.set_default_faults({.latency_us = 10'000, .delivery_interval_us = 50'000});
  const std::vector<int> delays = delays_ms(pair, 1);
  for (int i = 0; i < 1'000; ++i)
    EXPECT_EQ(delays[static_cast<std::size_t>(i)], (i + 10 + 49) / 50 * 50 - i) << i;
}

TEST(VirtualNetwork, LosesInBurstsOfTheGilbertElliottModel) {
  NodePair pair(22);
  pair.network.set_default_faults({.burst_loss = {.entry = 0.01F, .exit = 0.1F, .loss = 1}});
  const std::vector<int> delays = delays_ms(pair, 40);
  int lost = 0, bursts = 0;
  for (std::size_t i = 0; i < delays.size(); ++i) {
    lost += delays[i] < 0 ? 1 : 0;
    bursts += delays[i] < 0 && (i == 0 || delays[i - 1] >= 0) ? 1 : 0;
  }
  // Stationary share of the bad state: entry / (entry + exit). Mean length of a burst: 1 / exit.
  EXPECT_NEAR(lost / 40'000.0, 0.01 / 0.11, 0.02);
  EXPECT_NEAR(static_cast<double>(lost) / bursts, 10, 1.5);
}

TEST(VirtualNetwork, BlackoutsLoseAndStallsHoldDatagrams) {
  NodePair dark(23), held(23);
  dark.network.set_default_faults({.blackout = {.interval_us = 500'000, .length_us = 100'000}});
  held.network.set_default_faults({.stall = {.interval_us = 500'000, .length_us = 100'000}});
  const std::vector<int> lost = delays_ms(dark, 1), late = delays_ms(held, 1);
  for (int i = 0; i < 1'000; ++i) {
    const int left = i % 500 < 400 ? 0 : 500 - i % 500;
    EXPECT_EQ(lost[static_cast<std::size_t>(i)], left > 0 ? -1 : 0) << i;
    EXPECT_EQ(late[static_cast<std::size_t>(i)], left) << i;
  }
}

TEST(VirtualNetwork, TheDelayStepsUpAndDown) {
  NodePair pair(24);
  pair.network.set_default_faults(
      {.latency_us = 10'000, .delay_step_interval_us = 200'000, .delay_step_us = 30'000});
  const std::vector<int> delays = delays_ms(pair, 1);
  for (int i = 0; i < 1'000; ++i)
    EXPECT_EQ(delays[static_cast<std::size_t>(i)], i / 200 % 2 == 0 ? 10 : 40) << i;
}

// Each datagram takes longer to send than the time between two of them: the queue fills up to its
// limit and then drops.
TEST(VirtualNetwork, AQueueDelaysUpToItsLimitAndDropsTheTail) {
  NodePair pair(25);
  pair.network.set_default_faults({.bandwidth_bytes_per_s = 20'000, .queue_us = 1'000'000});
  const std::vector<int> delays = delays_ms(pair, 4);
  EXPECT_GE(*std::max_element(delays.begin(), delays.end()), 1'000);
  EXPECT_LE(*std::max_element(delays.begin(), delays.end()), 1'003);
  EXPECT_EQ(static_cast<std::uint64_t>(std::count(delays.begin(), delays.end(), -1)),
            pair.network.counters().queue_dropped);
  EXPECT_GT(pair.network.counters().queue_dropped, 500U);
}

TEST(VirtualNetwork, ARebindingChangesTheExternalPort) {
  NodePair pair(26);
  std::vector<std::byte> buffer(100);
  const auto exchange = [&] {
    pair.send("x");
    pair.network.advance(0);
    const Address source = pair.b->receive(buffer)->from;
    pair.b->send(source, bytes_of("y"));
    pair.network.advance(0);
    EXPECT_TRUE(pair.a->receive(buffer).has_value());
    return source;
  };
  const Address before = exchange();
  EXPECT_EQ(before, (Address{.ip = ip_a, .port = 100}));
  pair.network.node(ip_a).rebind_nat();
  pair.b->send(before, bytes_of("y"));
  pair.network.advance(0);
  EXPECT_TRUE(pair.a->receive(buffer).has_value()) << "the mapping lasts until the next datagram";
  const Address after = exchange();
  EXPECT_EQ(after.ip, before.ip);
  EXPECT_NE(after.port, before.port);
  pair.b->send(before, bytes_of("y"));
  pair.network.advance(0);
  EXPECT_FALSE(pair.a->receive(buffer).has_value());
  EXPECT_EQ(pair.network.counters().unreachable, 1U);
}

TEST(VirtualNetwork, ConditionsApplyToTheirDirection) {
  NodePair pair(27);
  pair.network.set_conditions(Ip(ip_a), Ip(ip_b), {{.latency_us = 10'000}, {.latency_us = 30'000}});
  pair.send("x");
  EXPECT_TRUE(pair.b->send({.ip = ip_a, .port = 100}, bytes_of("y")));
  EXPECT_EQ(pair.network.next_event_us(), 10'000);
  pair.network.advance(10'000);
  EXPECT_EQ(pair.arrived().size(), 1U);
  EXPECT_EQ(pair.network.next_event_us(), 30'000);
}

TEST(VirtualNetwork, ASuspendedMachineLosesTimeAndDatagrams) {
  NodePair pair(28);
  VirtualNode& node = pair.network.node(ip_b);
  pair.send("x");
  pair.network.advance(5 * second_us);
  const std::int64_t before_us = node.now_us();
  node.lose_time(3 * second_us);
  node.clear_inboxes();
  EXPECT_EQ(node.now_us(), before_us - 3 * second_us);
  EXPECT_TRUE(pair.arrived().empty());
}

}  // namespace
}  // namespace jostle::net
