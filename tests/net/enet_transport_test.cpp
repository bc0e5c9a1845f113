#include "shared/base/random.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

#include <algorithm>
#include <map>
#include <set>

namespace jostle::net {
namespace {

constexpr LinkFaults bad_link{.loss = 0.3F,
                              .latency_us = 30'000,
                              .jitter_us = 20'000,
                              .duplication = 0.1F,
                              .reordering = 0.2F,
                              .corruption = 0.02F};

TEST(EnetTransport, DescribesEveryReasonAndVerdictDifferently) {
  std::set<std::string_view> reasons;
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(DisconnectReason::TokenRevoked) + 1;
       ++i) {
    reasons.insert(describe(static_cast<DisconnectReason>(i)));
  }
  EXPECT_EQ(reasons.size(), static_cast<std::size_t>(DisconnectReason::TokenRevoked) + 2);
  std::set<std::string_view> verdicts;
  for (std::size_t i = 0; i <= datagram_verdict_count; ++i) {
    verdicts.insert(describe(static_cast<DatagramVerdict>(i)));
  }
  EXPECT_EQ(verdicts.size(), datagram_verdict_count + 1);
}

TEST(EnetTransport, CarriesMessagesBothWays) {
  VirtualMatch match(1);
  match.network.set_default_faults({.latency_us = 25'000});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  const PeerId client = match.server.events[0].peer;
  EXPECT_TRUE(match.clients[0].transport->send(*match.ids[0], Channel::Control, bytes_of("up")));
  EXPECT_TRUE(match.server.transport->send(client, Channel::State, bytes_of("down")));
  match.run(second_us);

  ASSERT_EQ(match.server.received().size(), 1U);
  EXPECT_EQ(text_of(match.server.received()[0].bytes), "up");
  EXPECT_EQ(match.server.received()[0].channel, Channel::Control);
  ASSERT_EQ(match.clients[0].received().size(), 1U);
  EXPECT_EQ(text_of(match.clients[0].received()[0].bytes), "down");
  EXPECT_EQ(match.clients[0].received()[0].channel, Channel::State);
  EXPECT_EQ(match.server.transport->counters().datagrams_refused, 0U);
  EXPECT_EQ(match.clients[0].transport->counters().datagrams_refused, 0U);
  const auto stats = match.server.transport->stats(client);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->address.ip, client_ip(0));
  EXPECT_GE(stats->round_trip_us, 50'000U);
  EXPECT_LE(stats->round_trip_us, 120'000U);
}

class ReliableChannel : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ReliableChannel, DeliversOnceAndInOrderOnABadLink) {
  VirtualMatch match(GetParam());
  match.network.set_default_faults(bad_link);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  const PeerId client = match.server.events[0].peer;
  base::Random random(GetParam());
  std::vector<std::vector<std::byte>> up, down;
  for (int number = 0; number < 200;) {
    const auto next = message(number, random.below(number % 10 == 0 ? max_reliable_bytes : 300));
    // If the queue is full, try again in the next tick.
    if (match.clients[0].transport->send(*match.ids[0], Channel::Control, next)) {
      up.push_back(next);
      if (match.server.transport->send(client, Channel::Bulk, next)) down.push_back(next);
      ++number;
    }
    match.tick();
  }
  ASSERT_TRUE(match.run_until(
      [&] {
        return match.server.received().size() == up.size() &&
               match.clients[0].received().size() == down.size();
      },
      120 * second_us))
      << "seed " << GetParam() << ": " << match.server.received().size() << " of " << up.size();
  const auto at_server = match.server.received();
  for (std::size_t i = 0; i < up.size(); ++i)
    ASSERT_EQ(at_server[i].bytes, up[i]) << i;
  const auto at_client = match.clients[0].received();
  for (std::size_t i = 0; i < down.size(); ++i)
    ASSERT_EQ(at_client[i].bytes, down[i]) << i;
  EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
  EXPECT_TRUE(match.run_until(
      [&] { return match.server.transport->pending_reliable_bytes(client) == 0; }, 60 * second_us));
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReliableChannel, testing::Range<std::uint64_t>(1, 6));

TEST(EnetTransport, NeverFragmentsUnreliableMessages) {
  VirtualMatch match(2);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  std::map<unsigned, std::size_t> commands;
  std::size_t longest = 0;
  match.set_enet_tap([&](std::span<const std::byte> bytes) {
    const std::size_t header = (bytes[0] & std::byte{0x80}) != std::byte{0} ? 4 : 2;
    ++commands[static_cast<unsigned>(bytes[header]) & 0x0FU];
  });
  match.network.set_tap(
      [&](const Datagram& datagram) { longest = std::max(longest, datagram.bytes.size()); });
  for (std::size_t bytes = 0; bytes <= max_unreliable_bytes; ++bytes) {
    EXPECT_TRUE(match.clients[0].transport->send(*match.ids[0],
                                                 bytes % 2 == 0 ? Channel::State : Channel::Time,
                                                 message(static_cast<int>(bytes), bytes)));
    match.clients[0].transport->flush();
    if (bytes % 64 == 0) match.tick();
  }
  match.run(second_us);
  EXPECT_EQ(match.server.received().size(), max_unreliable_bytes + 1);
  EXPECT_EQ(commands[8], 0U);
  EXPECT_EQ(commands[12], 0U);
  EXPECT_LE(longest, max_sealed_bytes);
}

// ENet's throttle would drop unreliable messages when the round-trip time grows; it must stay
// disabled.
TEST(EnetTransport, NeverThrottlesUnreliableMessages) {
  VirtualMatch match(3);
  match.network.set_default_faults({.latency_us = 5'000});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  match.run(12 * second_us);
  int sent = 0;
  for (int second = 0; second < 30; ++second) {
    match.network.set_default_faults({.latency_us = 5'000 + second * 30'000});
    for (int tick = 0; tick < 60; ++tick, ++sent) {
      EXPECT_TRUE(
          match.clients[0].transport->send(*match.ids[0], Channel::State, message(sent, 9)));
      match.tick();
    }
  }
  match.run(3 * second_us);
  EXPECT_EQ(match.server.received().size(), static_cast<std::size_t>(sent));
}

TEST(EnetTransport, RejectsAndCountsEveryCorruptedDatagram) {
  VirtualMatch match(4);
  match.network.set_default_faults({.latency_us = 10'000, .corruption = 0.01F});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  for (int i = 0; i < 6'000; ++i) {
    (void)match.clients[0].transport->send(*match.ids[0], Channel::State, message(i, 400));
    (void)match.server.transport->send(match.server.events[0].peer, Channel::State,
                                       message(i, 700));
    match.tick();
  }
  match.network.set_default_faults({.latency_us = 10'000});
  match.run(second_us);
  const std::uint64_t refused = match.server.transport->counters().datagrams_refused +
                                match.clients[0].transport->counters().datagrams_refused;
  EXPECT_EQ(refused, match.network.counters().corrupted);
  EXPECT_GT(refused, 60U);
  // A damaged datagram fails authentication, or has another session id or type.
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::Forged), refused / 3);
}

class DisconnectReasons : public testing::TestWithParam<DisconnectReason> {};

TEST_P(DisconnectReasons, ArriveAfterAllQueuedMessages) {
  VirtualMatch match(5);
  match.network.set_default_faults({.loss = 0.2F, .latency_us = 20'000});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  const PeerId client = match.server.events[0].peer;
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(match.server.transport->send(client, Channel::Control, message(i, 2'000)));
  }
  match.server.transport->disconnect(client, GetParam());
  EXPECT_FALSE(match.server.transport->send(client, Channel::Control, bytes_of("late")));
  ASSERT_TRUE(match.run_until(
      [&] { return match.clients[0].disconnected() == 1 && match.server.disconnected() == 1; },
      60 * second_us));
  EXPECT_EQ(match.clients[0].received().size(), 50U);
  EXPECT_EQ(match.clients[0].events.back().reason, GetParam());
  EXPECT_EQ(match.server.events.back().reason, GetParam());
  EXPECT_FALSE(match.server.transport->stats(client));
}

TEST_P(DisconnectReasons, ArriveWhenAPeerIsDropped) {
  VirtualMatch match(6);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  match.server.transport->drop(match.server.events[0].peer, GetParam());
  match.run(second_us);
  ASSERT_EQ(match.clients[0].disconnected(), 1U);
  EXPECT_EQ(match.clients[0].events.back().reason, GetParam());
  EXPECT_EQ(match.server.disconnected(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Reasons, DisconnectReasons,
                         testing::Values(DisconnectReason::Requested, DisconnectReason::ServerFull,
                                         DisconnectReason::VersionMismatch,
                                         DisconnectReason::Misbehaved,
                                         DisconnectReason::ServerShutdown,
                                         DisconnectReason::HandshakeTimeout,
                                         DisconnectReason::TooSlow));

TEST(EnetTransport, DeliversReliableMessagesWithinASecondAtTenPercentLoss) {
  VirtualMatch match(8);
  match.network.set_default_faults({.loss = 0.1F, .latency_us = 25'000});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  std::vector<std::int64_t> delays_us;
  for (int i = 0; i < 500; ++i) {
    const std::size_t before = match.server.received().size();
    const std::int64_t sent_us = match.network.now_us();
    EXPECT_TRUE(match.clients[0].transport->send(*match.ids[0], Channel::Control, message(i, 40)));
    ASSERT_TRUE(
        match.run_until([&] { return match.server.received().size() > before; }, 30 * second_us));
    delays_us.push_back(match.network.now_us() - sent_us);
  }
  std::sort(delays_us.begin(), delays_us.end());
  EXPECT_LT(delays_us[delays_us.size() * 99 / 100], second_us);
}

TEST(EnetTransport, IgnoresUnknownPeerIds) {
  VirtualMatch match(15);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  for (const std::uint32_t value : {0U, 2U, 99U, UINT32_MAX}) {
    SCOPED_TRACE(value);
    const PeerId stranger{value};
    EXPECT_FALSE(match.server.transport->send(stranger, Channel::Control, bytes_of("x")));
    EXPECT_FALSE(match.server.transport->stats(stranger));
    EXPECT_EQ(match.server.transport->pending_reliable_bytes(stranger), 0U);
    match.server.transport->disconnect(stranger, DisconnectReason::Requested);
    match.server.transport->drop(stranger, DisconnectReason::Requested);
  }
  match.run(second_us);
  EXPECT_EQ(match.server.disconnected(), 0U);
}

TEST(EnetTransport, BoundsTheQueuesOfASlowPeer) {
  VirtualMatch match(16);
  EnetOptions patient_server = server_options();
  EnetOptions patient_client = client_options();
  patient_server.silence_timeout_us = patient_client.silence_timeout_us = 60 * second_us;
  match.open_server(patient_server);
  match.add_client(patient_client);
  match.run(second_us);
  ASSERT_EQ(match.server.connected(), 1U);
  const PeerId client = match.server.events[0].peer;
  const std::size_t limit = EnetOptions{}.max_pending_reliable_bytes;
  match.network.set_cut(server_ip, client_ip(0), true);
  std::size_t taken = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (match.server.transport->send(client, Channel::Bulk, message(i, 1'000))) ++taken;
    if (i % 10 == 0) match.tick();
    ASSERT_LE(match.server.transport->pending_reliable_bytes(client), limit);
    ASSERT_LE(match.server.transport->memory().live_bytes, 4 * limit);
  }
  EXPECT_EQ(taken, limit / 1'000);
  EXPECT_EQ(match.server.transport->pending_reliable_bytes(client), taken * 1'000);
  match.network.heal();
  match.run(10 * second_us);
  EXPECT_EQ(match.clients[0].received().size(), taken);
  EXPECT_EQ(match.server.transport->pending_reliable_bytes(client), 0U);

  // Small messages cost more memory than their bytes, so their number is limited too.
  match.network.set_cut(server_ip, client_ip(0), true);
  taken = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (match.server.transport->send(client, Channel::Bulk, {})) ++taken;
  }
  EXPECT_EQ(taken, EnetOptions{}.max_pending_reliable_messages);
  // Unreliable messages are limited between two flushes.
  taken = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (match.server.transport->send(client, Channel::State, message(i, 1'024))) ++taken;
  }
  EXPECT_EQ(taken, EnetOptions{}.max_pending_unreliable_bytes / 1'024);
}

TEST(EnetTransport, IsDeterministicForASeed) {
  const auto hash_of = [](std::uint64_t seed) {
    VirtualMatch match(seed);
    match.network.set_default_faults(bad_link);
    match.open_server(server_options());
    for (int i = 0; i < 4; ++i)
      match.add_client(client_options());
    for (int i = 0; i < 600; ++i) {
      for (std::size_t k = 0; k < match.clients.size(); ++k) {
        (void)match.clients[k].transport->send(*match.ids[k], Channel::State, message(i, 90));
        (void)match.clients[k].transport->send(*match.ids[k], Channel::Control, message(i, 30));
      }
      match.tick();
    }
    return match.network.event_hash();
  };
  EXPECT_EQ(hash_of(31), hash_of(31));
  EXPECT_NE(hash_of(31), hash_of(32));
}

}  // namespace
}  // namespace jostle::net
