// Tests of attacks by a malicious client, which has a session and its keys. The firewall and the
// limits per session must stop these attacks. docs/SECURITY.md lists the same threats.
#include "shared/base/random.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

namespace jostle::net {
namespace {

/// A client that behaves normally first, and then seals arbitrary bytes.
struct InsiderMatch {
  InsiderMatch(std::uint64_t seed, Wire wire) : match(seed, wire) {
    match.set_enet_tap([this](std::span<const std::byte> bytes) {
      sent.emplace_back(bytes.begin(), bytes.end());
    });
    connect_one(match);
    for (int i = 0; i < 60; ++i) {
      (void)match.clients[0].transport->send(*match.ids[0], Channel::Bulk,
                                             std::vector<std::byte>(4'000));
      (void)match.clients[0].transport->send(*match.ids[0], Channel::State,
                                             std::vector<std::byte>(200));
      match.tick();
    }
    match.set_enet_tap([this](std::span<const std::byte> bytes) { last = {bytes[0], bytes[1]}; });
    match.clients[0].transport->send(*match.ids[0], Channel::State, std::vector<std::byte>(1));
    match.clients[0].transport->flush();
    match.set_enet_tap({});
  }

  /// Sends ENet bytes with the client's own peer number and session.
  void send(std::vector<std::byte> bytes) {
    bytes[0] = (bytes[0] & std::byte{0x80}) | (last[0] & std::byte{0x3F});
    bytes[1] = last[1];
    match.clients[0].transport->send_enet_bytes(*match.ids[0], bytes);
  }

  VirtualMatch match;
  std::vector<std::vector<std::byte>> sent;
  std::array<std::byte, 2> last{};
};

class MaliciousClient : public testing::TestWithParam<Wire> {};
INSTANTIATE_TEST_SUITE_P(Wires, MaliciousClient, testing::Values(Wire::Memory, Wire::Loopback),
                         name_of);

TEST_P(MaliciousClient, MutatedDatagramsNeverCrashTheHost) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    InsiderMatch insider(seed, GetParam());
    VirtualMatch& match = insider.match;
    base::Random random(seed);
    std::uint64_t accepted = 0;
    for (int round = 0; round < 15'000; ++round) {
      std::vector<std::byte> bytes =
          insider.sent[random.below(static_cast<std::uint32_t>(insider.sent.size()))];
      const std::uint32_t changes = random.below(5);
      for (std::uint32_t i = 0; i < changes; ++i) {
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(
            std::min<std::size_t>(bytes.size(), random.chance(0.9F) ? 48 : 2'000)));
        bytes[at] = static_cast<std::byte>(random.next() >> 56);
      }
      if (bytes.size() < 5) continue;
      // Skip disconnects, which would end the test.
      if ((bytes[4] & std::byte{0x0F}) == std::byte{4} ||
          (bytes[2] & std::byte{0x0F}) == std::byte{4}) {
        continue;
      }
      if (inspect(bytes) == DatagramVerdict::Accepted) ++accepted;
      insider.send(bytes);
      if (round % 50 == 0) match.tick();
    }
    EXPECT_GT(accepted, 500U);
    EXPECT_EQ(match.server.transport->counters().service_errors, 0U);
    EXPECT_LE(match.server.transport->memory().peak_bytes, 16U << 20);
    for (const PeerEvent& event : match.server.received()) {
      ASSERT_LE(event.bytes.size(), max_reliable_bytes);
    }
    // The host must still serve other clients.
    match.add_client(client_options());
    EXPECT_TRUE(
        match.run_until([&] { return match.clients.back().connected() == 1; }, 8 * second_us));
  }
}

// Each fragment starts a message of 16 KiB that is never completed.
TEST_P(MaliciousClient, UnfinishedMessagesHoldABoundedAmountOfMemory) {
  InsiderMatch insider(9, GetParam());
  VirtualMatch& match = insider.match;
  const std::size_t before = match.server.transport->memory().live_bytes;
  for (unsigned i = 0; i < 5'000; ++i) {
    // Use sequence numbers ahead of those that have been delivered.
    const unsigned sequence = 1'000 + 20 * i % 20'000;
    auto bytes = fragment_datagram(
        {.channel = i % 2 == 0 ? 0U : 2U, .sequence = sequence, .start = sequence});
    insider.send(std::move(bytes));
    if (i % 50 == 0) match.tick();
  }
  EXPECT_LE(match.server.transport->memory().peak_bytes, before + 1'000'000);
}

TEST_P(MaliciousClient, IsDisconnectedForHoardingOutOfOrderMessages) {
  InsiderMatch insider(10, GetParam());
  VirtualMatch& match = insider.match;
  for (unsigned i = 0; i < 20'000 && match.server.disconnected() == 0; ++i) {
    auto bytes = EnetBytes().header(0).command(0x86, 0, 2'000 + i % 20'000).u16(0).take();
    insider.send(std::move(bytes));
    if (i % 50 == 0) match.tick();
  }
  ASSERT_EQ(match.server.disconnected(), 1U);
  EXPECT_EQ(match.server.of_kind(PeerEvent::Kind::Disconnected)[0].reason,
            DisconnectReason::Misbehaved);
  EXPECT_LE(match.server.transport->memory().peak_bytes, 8U << 20);
}

// Unprotected ENet stops receiving from a peer after some minutes of incomplete unreliable
// fragments (BareEnet.LostUnreliableFragmentsMakeAPeerStopReceiving).
TEST_P(MaliciousClient, UnreliableFragmentsDoNotStopTheServerFromReceiving) {
  InsiderMatch insider(15, GetParam());
  VirtualMatch& match = insider.match;
  for (unsigned second = 0; second < 7'200; ++second) {
    EnetBytes bytes;
    bytes.header(0).command(0x0C, 1, 1).u16(second).u16(500);
    bytes.u32(3).u32(0).u32(1'500).u32(0).fill(500);
    insider.send(bytes.take());
    match.network.advance(second_us);
    match.server.transport->service(match.server.events);
    match.clients[0].transport->service(match.clients[0].events);
  }
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::ForbiddenCommand), 7'200U);
  EXPECT_EQ(match.server.disconnected(), 0U);
  match.clients[0].transport->send(*match.ids[0], Channel::State, bytes_of("still heard"));
  match.run(second_us);
  ASSERT_FALSE(match.server.received().empty());
  EXPECT_EQ(text_of(match.server.received().back().bytes), "still heard");
}

// ENet would treat each CONNECT as another connection.
TEST_P(MaliciousClient, GetsOneConnectionPerSession) {
  InsiderMatch insider(12, GetParam());
  VirtualMatch& match = insider.match;
  for (std::uint32_t id = 1; id <= 500; ++id)
    match.clients[0].transport->send_enet_bytes(*match.ids[0], connect_datagram({.id = id}));
  match.run(second_us);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::ConnectLimit), 500U);
  EXPECT_EQ(match.server.connected(), 1U);
  EXPECT_EQ(match.server.disconnected(), 0U);
}

TEST_P(MaliciousClient, IsLimitedToItsDatagramBudget) {
  InsiderMatch insider(13, GetParam());
  VirtualMatch& match = insider.match;
  const std::uint64_t before = verdict_count(match.server, DatagramVerdict::Accepted);
  for (int second = 0; second < 10; ++second) {
    for (int tick = 0; tick < 60; ++tick) {
      for (int i = 0; i < 50; ++i)
        insider.send(EnetBytes().header(0).command(0x49, 1, 0).u16(1).u16(1).u8(0).take());
      match.tick();
    }
  }
  const std::uint64_t taken = verdict_count(match.server, DatagramVerdict::Accepted) - before;
  EXPECT_LE(taken, 600U * 10 + 2 * 600 + 10);
  EXPECT_GT(taken, 600U * 10 - 600);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::OverBudget), 20'000U);
}

// A client that was disconnected for misbehaving must not return at once.
TEST_P(MaliciousClient, IsBannedForAWhileAfterMisbehaving) {
  VirtualMatch match(14, GetParam());
  EnetOptions options = server_options();
  options.ban_us = 20 * second_us;
  match.open_server(options);
  match.add_client(client_options());
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, 5 * second_us));
  match.server.transport->disconnect(match.server.events[0].peer, DisconnectReason::Misbehaved);
  ASSERT_TRUE(match.run_until([&] { return match.clients[0].disconnected() == 1; }, 5 * second_us));
  ASSERT_TRUE(match.clients[0].transport->connect(server_address));
  ASSERT_TRUE(match.run_until([&] { return match.clients[0].disconnected() == 2; }, 5 * second_us));
  const PeerEvent refused = match.clients[0].of_kind(PeerEvent::Kind::Disconnected)[1];
  EXPECT_EQ(refused.reason, DisconnectReason::Refused);
  EXPECT_EQ(refused.text, "refused the connection: this address is banned for a while");
  EXPECT_EQ(match.server.connected(), 1U);
  match.add_client(client_options());
  EXPECT_TRUE(match.run_until([&] { return match.clients[1].connected() == 1; }, 5 * second_us))
      << "other clients are admitted";
  match.run(20 * second_us);
  ASSERT_TRUE(match.clients[0].transport->connect(server_address));
  EXPECT_TRUE(match.run_until([&] { return match.clients[0].connected() == 2; }, 5 * second_us));
}

// A malicious client can forge the source address of the datagrams that it seals.
TEST_P(MaliciousClient, CannotGetAForgedSourceAddressBanned) {
  VirtualMatch match(16, GetParam());
  EnetOptions options = server_options();
  options.ban_us = 60 * second_us;
  match.open_server(options);
  match.add_client(client_options());
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, 5 * second_us));
  const Ip victim = client_ip(1);
  std::vector<std::byte> sealed;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.to == server_address) sealed = datagram.bytes;
  });
  match.network.set_default_faults({.loss = 1.0F});
  match.clients[0].transport->send(*match.ids[0], Channel::State, bytes_of("nonsense"));
  match.clients[0].transport->flush();
  match.network.set_default_faults({});
  match.network.set_tap({});
  ASSERT_FALSE(sealed.empty());
  match.network.inject({{.ip = victim, .port = 9}, server_address, sealed});
  match.server.transport->service(match.server.events);
  const PeerId insider = match.server.events[0].peer;
  ASSERT_EQ(match.server.transport->stats(insider)->address.ip, victim);
  match.server.transport->disconnect(insider, DisconnectReason::Misbehaved);
  match.run(second_us);
  match.add_client(client_options());
  EXPECT_TRUE(match.run_until([&] { return match.clients[1].connected() == 1; }, 5 * second_us))
      << "the victim can connect";
}

// A datagram with a forged source address moves the session to this address. Until the address is
// validated, the server may send to it at most three times the bytes that came from it, besides
// path challenges.
TEST_P(MaliciousClient, CannotFloodAForgedSourceAddress) {
  InsiderMatch insider(17, GetParam());
  VirtualMatch& match = insider.match;
  const Ip victim = client_ip(1);
  match.network.node(victim);
  const PeerId peer = match.server.events[0].peer;
  std::uint64_t for_victim = 0, in_his_name = 0;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.to.ip == victim) for_victim += datagram.bytes.size();
  });
  for (int i = 0; i < 100; ++i) {
    std::vector<std::byte> sealed;
    match.network.set_tap([&](const Datagram& datagram) {
      if (datagram.to == server_address) sealed = datagram.bytes;
      if (datagram.to.ip == victim) for_victim += datagram.bytes.size();
    });
    if (i % 50 == 0) {
      match.network.set_faults(client_ip(0), server_ip, {.loss = 1.0F});
      insider.send(EnetBytes().header(0).command(0x49, 1, 0).u16(1).u16(1).u8(0).take());
      match.network.inject({{.ip = victim, .port = 9}, server_address, sealed});
      in_his_name += sealed.size();
    }
    for (int k = 0; k < 4; ++k)
      match.server.transport->send(peer, Channel::State, std::vector<std::byte>(900));
    match.network.advance(tick_us);
    match.server.transport->service(match.server.events);
  }
  ASSERT_GT(in_his_name, 50U);
  constexpr std::uint64_t questions = 8 * 60;  // 8 path challenges of at most 60 bytes
  EXPECT_LE(for_victim, 3 * in_his_name + questions);
}

}  // namespace
}  // namespace jostle::net
