// What strangers may send, and what it must not achieve. docs/SECURITY.md lists the same in words.
#include "shared/base/random.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

#include <map>

namespace jostle::net {
namespace {

constexpr std::uint32_t forger_ip = 0x0A00BEEF;

std::uint64_t verdict_count(const Party& party, DatagramVerdict verdict) {
  return party.transport->verdicts()[static_cast<std::size_t>(verdict)];
}

void inject(VirtualNetwork& network, Address from, std::vector<std::byte> enet_bytes) {
  network.inject({.from = from, .to = server_address, .bytes = sealed(std::move(enet_bytes))});
}

TEST(Hostile, GarbageIsRefusedAndCountedByKind) {
  VirtualMatch match(1);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  base::Random random(1);
  const Address from{.ip = forger_ip, .port = 1};
  const auto before = match.server.transport->counters();
  for (int i = 0; i < 1'000; ++i) {
    std::vector<std::byte> bytes(random.below(1'500));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.next() >> 56);
    match.network.inject({.from = from, .to = server_address, .bytes = bytes});
    if (i % 100 == 0) match.tick();
  }
  inject(match.network, from, {});
  inject(match.network, from, EnetBytes().header(0).command(0x8B, 0xFF, 1).fill(12).take());
  inject(match.network, {.ip = forger_ip, .port = 0}, connect_datagram({}));
  match.tick();
  const auto after = match.server.transport->counters();
  EXPECT_EQ(after.datagrams_refused - before.datagrams_refused, 1'003U);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::ForbiddenCommand), 1U);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::BadSource), 1U);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::BadChecksum), 700U);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::TooLong), 100U);
  EXPECT_EQ(after.service_errors, 0U);
  match.run(second_us);
  EXPECT_EQ(match.server.disconnected(), 0U);
}

TEST(Hostile, AFloodOfConnectsFromOneAddressLeavesRoomForOthers) {
  VirtualMatch match(2);
  EnetOptions options = server_options();
  options.max_peers = 4;
  match.open_server(options);
  match.add_client(client_options());
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, 5 * second_us));
  std::uint32_t id = 1;
  const auto flood = [&] {
    for (int i = 0; i < 50; ++i, ++id) {
      inject(match.network, {.ip = forger_ip, .port = static_cast<std::uint16_t>(1 + id % 60'000)},
             connect_datagram({.id = id}));
    }
    match.tick();
  };
  for (int i = 0; i < 60; ++i)
    flood();
  for (int i = 0; i < 3; ++i)
    match.add_client(client_options());
  for (int i = 0; i < 300; ++i)
    flood();
  EXPECT_EQ(match.server.connected(), 4U);
  EXPECT_EQ(match.server.disconnected(), 0U);
  for (const Party& client : match.clients)
    EXPECT_EQ(client.connected(), 1U);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::ConnectLimit), 15'000U);
}

// Forged source addresses can fill the places for unfinished connections, never those of sessions,
// and not for longer than half_open_timeout_us after the flood has ended.
TEST(Hostile, AFloodFromManyAddressesDisturbsNoSessionAndEnds) {
  VirtualMatch match(3);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    inject(match.network, {.ip = forger_ip + i, .port = 9}, connect_datagram({.id = i}));
    if (i % 100 == 0) match.tick();
  }
  EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
  EXPECT_EQ(match.server.connected(), 1U);
  match.add_client(client_options());
  EXPECT_TRUE(match.run_until([&] { return match.clients[1].connected() == 1; }, 5 * second_us));
}

TEST(Hostile, AForgedConnectIsNeverAnsweredWithMoreThanItBrought) {
  VirtualMatch match(4);
  match.open_server(server_options());
  std::uint64_t answered_bytes = 0;
  std::uint64_t answers = 0;
  match.network.set_tap([&](const Datagram& datagram) {
    answered_bytes += datagram.bytes.size();
    ++answers;
  });
  std::uint64_t sent_bytes = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const auto connect = sealed(connect_datagram({.id = i}));
    // Each forged address sends once, and every tenth repeats itself.
    for (int repeat = 0; repeat < (i % 10 == 0 ? 3 : 1); ++repeat) {
      match.network.inject(
          {.from = {.ip = forger_ip + i, .port = 9}, .to = server_address, .bytes = connect});
      sent_bytes += connect.size();
      match.tick();
    }
    match.run(4 * second_us);
  }
  EXPECT_LE(answered_bytes, sent_bytes);
  EXPECT_EQ(answers, 120U);
}

TEST(Hostile, NobodyConnectsToAClient) {
  VirtualMatch match(5);
  match.add_client(client_options());
  const Address client = match.clients[0].transport->local_address();
  match.network.inject({.from = {.ip = forger_ip, .port = 9},
                        .to = {.ip = client_ip(0), .port = client.port},
                        .bytes = sealed(connect_datagram({}))});
  match.tick();
  EXPECT_EQ(verdict_count(match.clients[0], DatagramVerdict::NotAccepting), 1U);
  EXPECT_TRUE(match.clients[0].events.empty());
}

TEST(Hostile, AFloodCannotHoldTheServiceCall) {
  VirtualNetwork network(6);
  network.node(server_ip).set_inbox_capacity_bytes(64U << 20);
  Party server = open_party(network.node(server_ip), server_options());
  for (int i = 0; i < 20'000; ++i) {
    network.inject({.from = {.ip = forger_ip, .port = 9},
                    .to = server_address,
                    .bytes = std::vector<std::byte>(100)});
  }
  server.transport->service(server.events);
  EXPECT_EQ(server.transport->counters().datagrams_received, 4'096U);
}

/// A live connection whose datagrams a forger sees and answers in the client's name.
struct Forgery {
  explicit Forgery(std::uint64_t seed) : match(seed) {
    match.network.set_tap([this](const Datagram& datagram) {
      if (datagram.to != server_address) return;
      client_address = datagram.from;
      captured.push_back(unsealed(datagram.bytes));
    });
    connect_one(match);
    for (int i = 0; i < 60; ++i) {
      (void)match.clients[0].transport->send(*match.ids[0], Channel::Bulk,
                                             std::vector<std::byte>(4'000));
      (void)match.clients[0].transport->send(*match.ids[0], Channel::State,
                                             std::vector<std::byte>(200));
      match.tick();
    }
    // The two header bytes that make ENet take a datagram for the client's.
    const std::vector<std::byte>& last = captured.back();
    peer_high = last[0];
    peer_low = last[1];
  }

  std::vector<std::byte> in_the_clients_name(std::vector<std::byte> bytes) const {
    bytes[0] = (bytes[0] & std::byte{0x80}) | (peer_high & std::byte{0x3F});
    bytes[1] = peer_low;
    return bytes;
  }

  VirtualMatch match;
  Address client_address;
  std::vector<std::vector<std::byte>> captured;
  std::byte peer_high{}, peer_low{};
};

TEST(Hostile, MutatedDatagramsInAClientsNameNeverCrashTheHost) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Forgery forgery(seed);
    VirtualMatch& match = forgery.match;
    base::Random random(seed);
    std::uint64_t accepted = 0;
    for (int round = 0; round < 30'000; ++round) {
      std::vector<std::byte> bytes =
          forgery.captured[random.below(static_cast<std::uint32_t>(forgery.captured.size()))];
      const std::uint32_t changes = random.below(5);
      for (std::uint32_t i = 0; i < changes; ++i) {
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(
            std::min<std::size_t>(bytes.size(), random.chance(0.9F) ? 48 : 2'000)));
        bytes[at] = static_cast<std::byte>(random.next() >> 56);
      }
      bytes = forgery.in_the_clients_name(std::move(bytes));
      // A goodbye would end the game; ENet lets anyone with 14 bits of luck say it.
      if ((bytes[4] & std::byte{0x0F}) == std::byte{4} ||
          (bytes[2] & std::byte{0x0F}) == std::byte{4}) {
        continue;
      }
      if (inspect(bytes) == DatagramVerdict::Accepted) ++accepted;
      inject(match.network, forgery.client_address, bytes);
      if (round % 50 == 0) match.tick();
    }
    EXPECT_GT(accepted, 1'000U);
    EXPECT_EQ(match.server.transport->counters().service_errors, 0U);
    EXPECT_LE(match.server.transport->memory().peak_bytes, 16U << 20);
    for (const PeerEvent& event : match.server.received()) {
      ASSERT_LE(event.bytes.size(), max_reliable_bytes);
    }
    // The host still serves others.
    match.add_client(client_options());
    EXPECT_TRUE(
        match.run_until([&] { return match.clients.back().connected() == 1; }, 8 * second_us));
  }
}

// Each begins a message of 16 KiB that it never finishes.
TEST(Hostile, UnfinishedMessagesHoldABoundedAmountOfMemory) {
  Forgery forgery(9);
  VirtualMatch& match = forgery.match;
  const std::size_t before = match.server.transport->memory().live_bytes;
  for (unsigned i = 0; i < 5'000; ++i) {
    // Every other sequence number, ahead of what has been delivered.
    const unsigned sequence = 1'000 + 20 * i % 20'000;
    auto bytes = fragment_datagram(
        {.channel = i % 2 == 0 ? 0U : 2U, .sequence = sequence, .start = sequence});
    inject(match.network, forgery.client_address, forgery.in_the_clients_name(std::move(bytes)));
    if (i % 50 == 0) match.tick();
  }
  EXPECT_LE(match.server.transport->memory().peak_bytes, before + 1'000'000);
}

TEST(Hostile, APeerThatHoardsOutOfOrderMessagesIsDisconnected) {
  Forgery forgery(10);
  VirtualMatch& match = forgery.match;
  for (unsigned i = 0; i < 20'000 && match.server.disconnected() == 0; ++i) {
    auto bytes = EnetBytes().header(0).command(0x86, 0, 2'000 + i % 20'000).u16(0).take();
    inject(match.network, forgery.client_address, forgery.in_the_clients_name(std::move(bytes)));
    if (i % 50 == 0) match.tick();
  }
  ASSERT_EQ(match.server.disconnected(), 1U);
  EXPECT_EQ(match.server.of_kind(PeerEvent::Kind::Disconnected)[0].reason,
            DisconnectReason::Misbehaved);
  EXPECT_LE(match.server.transport->memory().peak_bytes, 8U << 20);
}

TEST(Hostile, AHostThatKnowsNoWordsOfOursIsLeftAlone) {
  // A stock ENet client: no checksum, MTU 1400, its own throttle.
  VirtualMatch match(11);
  match.open_server(server_options());
  const auto stock =
      connect_datagram({.mtu = 1'400, .throttle_acceleration = 2, .throttle_deceleration = 2});
  match.network.inject(
      {.from = {.ip = forger_ip, .port = 9}, .to = server_address, .bytes = stock});
  inject(match.network, {.ip = forger_ip, .port = 9}, stock);
  match.run(second_us);
  EXPECT_EQ(match.server.transport->counters().datagrams_sent, 0U);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::BadConnect), 1U);
  EXPECT_TRUE(match.server.events.empty());
}

}  // namespace
}  // namespace jostle::net
