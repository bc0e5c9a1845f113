#include "shared/net/virtual_network.h"

#include "shared/base/random.h"
#include "tests/net/net_fixture.h"
#include "tests/net/node_pair.h"

#include <algorithm>
#include <bit>

namespace jostle::net {
namespace {

std::vector<std::string> numbers(int count) {
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i)
    texts.push_back(std::to_string(i));
  return texts;
}

TEST(VirtualNetwork, DeliversAtOnceAndInOrderWithoutFaults) {
  NodePair pair(1);
  EXPECT_EQ(pair.send_numbered(100), numbers(100));
  EXPECT_EQ(pair.network.counters().sent, 100U);
  EXPECT_EQ(pair.network.counters().delivered, 100U);
}

TEST(VirtualNetwork, DelaysByTheLatencyToTheMicrosecond) {
  NodePair pair(1);
  pair.network.set_default_faults({.latency_us = 12'345});
  pair.send("x");
  EXPECT_EQ(pair.network.next_event_us(), 12'345);
  pair.network.advance(12'344);
  EXPECT_TRUE(pair.arrived().empty());
  pair.network.advance(1);
  EXPECT_EQ(pair.arrived(), std::vector<std::string>{"x"});
  EXPECT_FALSE(pair.network.next_event_us());
}

TEST(VirtualNetwork, ANodeIsReadableWhileADatagramWaits) {
  NodePair pair(1);
  pair.network.set_default_faults({.latency_us = 1'000});
  pair.send("x");
  EXPECT_FALSE(pair.network.node(ip_b).is_readable());
  pair.network.advance(1'000);
  EXPECT_TRUE(pair.network.node(ip_b).is_readable());
  EXPECT_FALSE(pair.network.node(ip_a).is_readable());
  EXPECT_EQ(pair.arrived().size(), 1U);
  EXPECT_FALSE(pair.network.node(ip_b).is_readable());
}

TEST(VirtualNetwork, DropsTheGivenShareAndCountsEachLoss) {
  NodePair pair(7);
  pair.network.set_default_faults({.loss = 0.3F});
  const std::size_t arrived = pair.send_numbered(10'000).size();
  EXPECT_EQ(arrived + pair.network.counters().lost, 10'000U);
  // The tolerance is five standard deviations of the binomial distribution: 5 * sqrt(10000 * 0.3 *
  // 0.7) = 229.
  EXPECT_NEAR(static_cast<double>(pair.network.counters().lost), 3'000.0, 229.0);
}

TEST(VirtualNetwork, DuplicatesReordersAndJitters) {
  NodePair pair(8);
  pair.network.set_default_faults({.duplication = 0.2F});
  const std::size_t arrived = pair.send_numbered(1'000).size();
  EXPECT_EQ(arrived, 1'000U + pair.network.counters().duplicated);
  EXPECT_GT(pair.network.counters().duplicated, 100U);

  pair.network.set_default_faults({.reordering = 0.2F, .reorder_delay_us = 5'500});
  std::vector<std::string> mixed = pair.send_numbered(1'000);
  EXPECT_GT(pair.network.counters().reordered, 100U);
  EXPECT_NE(mixed, numbers(1'000));
  std::vector<std::string> expected = numbers(1'000);
  std::sort(mixed.begin(), mixed.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(mixed, expected);

  pair.network.set_default_faults({.latency_us = 10'000, .jitter_us = 5'000});
  for (int i = 0; i < 1'000; ++i) {
    pair.send("j");
    const std::int64_t delay = *pair.network.next_event_us() - pair.network.now_us();
    EXPECT_GE(delay, 10'000);
    EXPECT_LE(delay, 15'000);
    pair.network.advance(20'000);
    EXPECT_EQ(pair.arrived().size(), 1U);
  }
}

TEST(VirtualNetwork, CorruptionFlipsOneToThreeBits) {
  NodePair pair(9);
  pair.network.set_default_faults({.corruption = 0.5F});
  const std::string original(100, 'x');
  std::uint64_t damaged = 0;
  for (int i = 0; i < 2'000; ++i) {
    pair.send(original);
    pair.network.advance(1);
    const std::string arrived = pair.arrived().at(0);
    ASSERT_EQ(arrived.size(), original.size());
    int flipped = 0;
    for (std::size_t k = 0; k < original.size(); ++k) {
      flipped += std::popcount(static_cast<unsigned char>(arrived[k] ^ original[k]));
    }
    EXPECT_LE(flipped, 3);
    if (flipped > 0) ++damaged;
  }
  EXPECT_EQ(damaged, pair.network.counters().corrupted);
  EXPECT_GT(damaged, 800U);
  // In a datagram of one byte, all flipped bits are in the same byte, and no bit may be flipped
  // twice. An empty datagram must also be accepted.
  for (int i = 0; i < 200; ++i)
    pair.send("x");
  pair.send("");
  pair.network.advance(1);
  EXPECT_EQ(pair.arrived().size(), 201U);
}

TEST(VirtualNetwork, CutsASingleDirection) {
  NodePair pair(10);
  pair.network.set_cut(ip_a, ip_b, true);
  pair.send("lost");
  EXPECT_TRUE(pair.b->send({.ip = ip_a, .port = 100}, bytes_of("back")));
  pair.network.advance(1);
  EXPECT_TRUE(pair.arrived().empty());
  std::vector<std::byte> buffer(10);
  EXPECT_TRUE(pair.a->receive(buffer));
  pair.network.heal();
  pair.send("through");
  pair.network.advance(1);
  EXPECT_EQ(pair.arrived(), std::vector<std::string>{"through"});
  EXPECT_EQ(pair.network.counters().cut, 1U);
}

TEST(VirtualNetwork, LimitsTheBandwidthAndDropsTheBacklog) {
  NodePair pair(11);
  // A datagram of 100 bytes with 28 bytes of headers takes 1 ms at 128,000 B/s.
  pair.network.set_default_faults({.bandwidth_bytes_per_s = 128'000, .queue_us = 50'000});
  for (int i = 0; i < 200; ++i)
    pair.send(std::string(100, 'x'));
  pair.network.advance(20'000);
  EXPECT_EQ(pair.arrived().size(), 20U);
  pair.network.advance(second_us);
  EXPECT_EQ(pair.arrived().size() + 20 + pair.network.counters().queue_dropped, 200U);
  EXPECT_NEAR(static_cast<double>(pair.network.counters().queue_dropped), 149.0, 1.0);
}

TEST(VirtualNetwork, DropsDatagramsAboveTheMtu) {
  NodePair pair(12);
  pair.network.set_default_faults({.mtu_bytes = 10});
  pair.send(std::string(11, 'x'));
  pair.send(std::string(10, 'y'));
  pair.network.advance(1);
  EXPECT_EQ(pair.arrived(), std::vector<std::string>{std::string(10, 'y')});
  EXPECT_EQ(pair.network.counters().too_long, 1U);
}

// Enabling another fault class must not change which datagrams are lost. Otherwise a failing run
// could not be reduced by removing fault classes.
TEST(VirtualNetwork, FaultClassesDrawIndependently) {
  const auto lost_with = [](const LinkFaults& faults) {
    NodePair pair(13);
    pair.network.set_default_faults(faults);
    std::vector<std::string> arrived = pair.send_numbered(500);
    std::sort(arrived.begin(), arrived.end());
    arrived.erase(std::unique(arrived.begin(), arrived.end()), arrived.end());
    return arrived;
  };
  const std::vector<std::string> reference = lost_with({.loss = 0.25F});
  EXPECT_LT(reference.size(), 450U);
  EXPECT_EQ(lost_with({.loss = 0.25F, .jitter_us = 50'000}), reference);
  EXPECT_EQ(lost_with({.loss = 0.25F, .duplication = 0.5F}), reference);
  EXPECT_EQ(lost_with({.loss = 0.25F, .reordering = 0.5F}), reference);
  EXPECT_EQ(lost_with({.loss = 0.25F, .latency_us = 30'000}), reference);
}

TEST(VirtualNetwork, IsDeterministicForASeed) {
  const auto hash_of = [](std::uint64_t seed) {
    NodePair pair(seed);
    pair.network.set_default_faults({.loss = 0.1F,
                                     .latency_us = 3'000,
                                     .jitter_us = 9'000,
                                     .duplication = 0.1F,
                                     .reordering = 0.1F,
                                     .corruption = 0.1F});
    (void)pair.send_numbered(300);
    return pair.network.event_hash();
  };
  EXPECT_EQ(hash_of(21), hash_of(21));
  EXPECT_NE(hash_of(21), hash_of(22));
}

TEST(VirtualNetwork, AssignsPortsLikeAnOperatingSystem) {
  VirtualNetwork network(1);
  VirtualNode& node = network.node(ip_a);
  auto first = node.open_datagram_socket({.ip = ip_a, .port = 5});
  ASSERT_TRUE(first);
  auto second = node.open_datagram_socket({.ip = 0, .port = 5});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), IoError::AddressInUse);
  auto foreign = node.open_datagram_socket({.ip = ip_b, .port = 6});
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error(), IoError::AddressUnavailable);
  first = IoError::Unknown;  // closes the socket
  EXPECT_TRUE(node.open_datagram_socket({.ip = 0, .port = 5}));

  std::vector<std::unique_ptr<DatagramSocket>> open;
  std::vector<std::uint16_t> ports;
  for (int i = 0; i < 16'384; ++i) {
    auto socket = node.open_datagram_socket({});
    ASSERT_TRUE(socket);
    ports.push_back((*socket)->local_address().port);
    open.push_back(std::move(*socket));
  }
  std::sort(ports.begin(), ports.end());
  EXPECT_EQ(std::unique(ports.begin(), ports.end()), ports.end());
  EXPECT_GE(ports.front(), 49'152);
  EXPECT_FALSE(node.open_datagram_socket({}));
}

TEST(VirtualNetwork, CountsUnreachableAndOverflowedDatagrams) {
  NodePair pair(14);
  EXPECT_TRUE(pair.a->send({.ip = ip_b, .port = 201}, bytes_of("x")));
  EXPECT_TRUE(pair.a->send({.ip = 0x0A0000FF, .port = 200}, bytes_of("x")));
  EXPECT_FALSE(pair.a->send({.ip = ip_b, .port = 0}, bytes_of("x")));
  pair.network.advance(1);
  EXPECT_EQ(pair.network.counters().unreachable, 2U);

  for (int i = 0; i < 300; ++i)
    pair.send(std::string(1'024, 'x'));
  pair.network.advance(1);
  EXPECT_EQ(pair.arrived().size(), 256U);
  EXPECT_EQ(pair.network.counters().inbox_dropped, 44U);
}

TEST(VirtualNetwork, KeepsLoopbackInsideANode) {
  VirtualNetwork network(1);
  auto on_a = network.node(ip_a).open_datagram_socket({.ip = loopback_ip, .port = 7});
  auto on_b = network.node(ip_b).open_datagram_socket({.ip = loopback_ip, .port = 7});
  auto sender = network.node(ip_a).open_datagram_socket({.ip = 0, .port = 8});
  ASSERT_TRUE(on_a && on_b && sender);
  EXPECT_TRUE((*sender)->send({.ip = loopback_ip, .port = 7}, bytes_of("x")));
  network.advance(1);
  std::vector<std::byte> buffer(10);
  EXPECT_FALSE((*on_b)->receive(buffer));
  const auto received = (*on_a)->receive(buffer);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->from, (Address{.ip = loopback_ip, .port = 8}));
  EXPECT_FALSE((*on_a)->send({.ip = ip_b, .port = 7}, bytes_of("x")));
}

TEST(VirtualNetwork, ReportsTruncatedDatagrams) {
  NodePair pair(15);
  pair.send("0123456789");
  pair.network.advance(1);
  std::vector<std::byte> buffer(4);
  const auto received = pair.b->receive(buffer);
  ASSERT_TRUE(received);
  EXPECT_TRUE(received->is_truncated);
  EXPECT_EQ(received->bytes, 4U);
  EXPECT_EQ(text_of(buffer), "0123");
}

TEST(VirtualNode, ClockDriftsAndJumpsForwardsButNeverBack) {
  VirtualNetwork network(1);
  VirtualNode& node = network.node(ip_a);
  EXPECT_EQ(node.now_us(), 0);
  network.advance(second_us);
  node.set_clock_skew(100);
  network.advance(10 * second_us);
  EXPECT_EQ(node.now_us(), 11 * second_us + 1'000);
  node.set_clock_skew(-500'000);
  network.advance(2 * second_us);
  EXPECT_EQ(node.now_us(), 12 * second_us + 1'000);
  node.advance_clock(3'600 * second_us);
  EXPECT_EQ(node.now_us(), 3'612 * second_us + 1'000);
  EXPECT_EQ(network.node(ip_b).now_us(), network.now_us());
  std::int64_t last = node.now_us();
  for (int i = 0; i < 1'000; ++i) {
    node.set_clock_skew(i % 2 == 0 ? -999'999 : 1'000'000);
    network.advance(i);
    EXPECT_GE(node.now_us(), last);
    last = node.now_us();
  }
}

TEST(VirtualNode, EntropyDependsOnSeedAndAddress) {
  const auto draw = [](std::uint64_t seed, std::uint32_t ip) {
    VirtualNetwork network(seed);
    std::vector<std::byte> bytes(32);
    network.node(ip).fill_random(bytes);
    return bytes;
  };
  EXPECT_EQ(draw(1, ip_a), draw(1, ip_a));
  EXPECT_NE(draw(1, ip_a), draw(1, ip_b));
  EXPECT_NE(draw(1, ip_a), draw(2, ip_a));
}

TEST(VirtualNode, LimitsFilesToItsDiskCapacity) {
  VirtualNetwork network(1);
  VirtualNode& node = network.node(ip_a);
  EXPECT_EQ(node.read_file("f", 10).error(), IoError::NotFound);
  EXPECT_TRUE(node.write_file("f", bytes_of("abc")));
  EXPECT_TRUE(node.append_file("f", bytes_of("de")));
  EXPECT_EQ(node.read_file("f", 5).value(), bytes_of("abcde"));
  EXPECT_EQ(node.read_file("f", 4).error(), IoError::TooLarge);
  node.set_disk_capacity_bytes(8);
  EXPECT_EQ(node.append_file("f", bytes_of("wxyz")).error(), IoError::NoSpace);
  EXPECT_EQ(node.write_file("g", bytes_of("wxyz")).error(), IoError::NoSpace);
  EXPECT_EQ(node.append_file("g", bytes_of("wxyz")).error(), IoError::NoSpace);
  EXPECT_EQ(node.read_file("g", 8).error(), IoError::NotFound);
  EXPECT_TRUE(node.write_file("f", bytes_of("12345678")));
  EXPECT_EQ(node.read_file("f", 8).value(), bytes_of("12345678"));
  EXPECT_EQ(node.read_file("g", 8).error(), IoError::NotFound);
  EXPECT_EQ(network.node(ip_b).read_file("f", 8).error(), IoError::NotFound);
}

/// Opens a socket of the node at `ip` and `port`.
std::unique_ptr<DatagramSocket> open_at(VirtualNode& node, Ip ip, std::uint16_t port) {
  return node.open_datagram_socket({.ip = ip, .port = port}).value();
}

const Ip ip6_a = *parse_ip("2001:db8::a"), ip6_b = *parse_ip("2001:db8::b");

TEST(VirtualNetwork, AppliesLinkFaultsToIpv6) {
  VirtualNetwork network(13);
  network.set_faults(ip6_a, ip6_b, {.latency_us = 30'000});
  const auto a = open_at(network.node(ip6_a), ip6_a, 100);
  const auto b = open_at(network.node(ip6_b), any_ip6, 200);
  EXPECT_TRUE(a->send({.ip = ip6_b, .port = 200}, bytes_of("there")));
  Address from;
  network.advance(29'999);
  EXPECT_EQ(next_text(*b, from), "nothing");
  network.advance(1);
  EXPECT_EQ(next_text(*b, from), "there");
  EXPECT_EQ(from, (Address{ip6_a, 100}));
  EXPECT_TRUE(b->send(from, bytes_of("back")));
  network.advance(0);
  EXPECT_EQ(next_text(*a, from), "back");
  EXPECT_EQ(from, (Address{ip6_b, 200}));
  network.set_cut(ip6_a, ip6_b, true);
  EXPECT_TRUE(a->send({.ip = ip6_b, .port = 200}, bytes_of("lost")));
  network.advance(second_us);
  EXPECT_EQ(next_text(*b, from), "nothing");
  EXPECT_EQ(network.counters().cut, 1U);
}

TEST(VirtualNetwork, OnlyADualStackNodeReachesBothFamilies) {
  VirtualNetwork network(14);
  VirtualNode& both = network.node(ip_a);
  both.add_ip(ip6_a);
  EXPECT_EQ(&network.node(ip6_a), &both);
  const auto v4 = open_at(network.node(ip_b), any_ip, 1);
  const auto v6 = open_at(network.node(ip6_b), any_ip6, 1);
  // An operating system refuses to send these datagrams, because the sending node has no address of
  // the other family.
  EXPECT_FALSE(v4->send({.ip = ip6_a, .port = 7}, bytes_of("x")));
  EXPECT_FALSE(v6->send({.ip = ip_a, .port = 7}, bytes_of("x")));
  const auto wide = open_at(both, any_ip6, 7);
  const auto narrow = open_at(both, any_ip, 8);
  EXPECT_TRUE(v4->send({.ip = ip_a, .port = 7}, bytes_of("four")));
  EXPECT_TRUE(v6->send({.ip = ip6_a, .port = 7}, bytes_of("six")));
  EXPECT_TRUE(v6->send({.ip = ip6_a, .port = 8}, bytes_of("deaf")));
  network.advance(0);
  EXPECT_EQ(network.counters().unreachable, 1U);
  Address from;
  EXPECT_EQ(next_text(*narrow, from), "nothing");
  EXPECT_EQ(next_text(*wide, from), "four");
  EXPECT_EQ(from, (Address{ip_b, 1}));
  EXPECT_TRUE(wide->send(from, bytes_of("to four")));
  EXPECT_EQ(next_text(*wide, from), "six");
  EXPECT_EQ(from, (Address{ip6_b, 1}));
  EXPECT_TRUE(wide->send(from, bytes_of("to six")));
  network.advance(0);
  EXPECT_EQ(next_text(*v4, from), "to four");
  EXPECT_EQ(from, (Address{ip_a, 7}));
  EXPECT_EQ(next_text(*v6, from), "to six");
  EXPECT_EQ(from, (Address{ip6_a, 7}));
}

TEST(VirtualNetwork, EachFamilyHasItsOwnLoopback) {
  VirtualNetwork network(15);
  VirtualNode& node = network.node(ip6_a);
  const auto wide = open_at(node, any_ip6, 7);
  const auto v6 = open_at(node, loopback_ip6, 8);
  const auto v4 = open_at(node, loopback_ip, 9);
  Address from;
  EXPECT_TRUE(v6->send({.ip = loopback_ip6, .port = 7}, bytes_of("six")));
  EXPECT_TRUE(v4->send({.ip = loopback_ip, .port = 7}, bytes_of("four")));
  EXPECT_EQ(next_text(*wide, from), "six");
  EXPECT_EQ(from, (Address{loopback_ip6, 8}));
  EXPECT_EQ(next_text(*wide, from), "four");
  EXPECT_EQ(from, (Address{loopback_ip, 9}));
  EXPECT_TRUE(wide->send(from, bytes_of("back")));
  EXPECT_EQ(next_text(*v4, from), "back");
  EXPECT_EQ(from, (Address{loopback_ip, 7}));
  EXPECT_FALSE(v6->send({.ip = loopback_ip, .port = 9}, bytes_of("x")));
  EXPECT_FALSE(v6->send({.ip = ip6_b, .port = 9}, bytes_of("x")));
}

TEST(VirtualNetwork, EventHashCoversIpv6AddressesAndScopes) {
  const auto hash_of = [](const char* text) {
    VirtualNetwork network(16);
    const Ip to = *parse_ip(text);
    const auto socket = open_at(network.node(ip6_a), ip6_a, 1);
    EXPECT_TRUE(socket->send({.ip = to, .port = 1}, bytes_of("x")));
    network.advance(0);
    return network.event_hash();
  };
  EXPECT_EQ(hash_of("2001:db8::b"), hash_of("2001:db8::b"));
  EXPECT_NE(hash_of("2001:db8::b"), hash_of("2001:db8:0:1::b"));
  EXPECT_NE(hash_of("fe80::b%1"), hash_of("fe80::b%2"));
}

}  // namespace
}  // namespace jostle::net
