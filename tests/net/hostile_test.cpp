// Tests of attacks by peers without a session. docs/SECURITY.md lists the same threats.
#include "shared/base/random.h"
#include "shared/secure/handshake_initiator.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/sealed_datagram.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

#include <map>
#include <string_view>

namespace jostle::net {
namespace {

constexpr std::uint32_t forger_ip = 0x0A00BEEF;

std::vector<std::byte> random_bytes(base::Random& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>(random.next() >> 56);
  return bytes;
}

class OutsideAttacker : public testing::TestWithParam<Wire> {};
INSTANTIATE_TEST_SUITE_P(Wires, OutsideAttacker, testing::Values(Wire::Memory, Wire::Loopback),
                         name_of);

TEST_P(OutsideAttacker, GarbageIsRejectedAndCountedByVerdict) {
  VirtualMatch match(1, GetParam());
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  base::Random random(1);
  const Address from{.ip = forger_ip, .port = 1};
  const auto before = match.server.transport->counters();
  for (int i = 0; i < 1'000; ++i) {
    match.network.inject({from, server_address, random_bytes(random, random.below(1'500))});
    if (i % 50 == 0) match.tick();
  }
  match.network.inject({from, server_address, {}});
  // The kernel does not deliver datagrams with source port 0.
  const unsigned from_port_zero = GetParam() == Wire::Memory ? 1 : 0;
  match.network.inject({{.ip = forger_ip, .port = 0}, server_address, encode(secure::Hello{})});
  match.tick();
  const auto after = match.server.transport->counters();
  EXPECT_EQ(after.datagrams_refused - before.datagrams_refused, 1'001U + from_port_zero);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::BadSource), from_port_zero);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::NotSealed), 700U);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::TooLong), 100U);
  EXPECT_EQ(after.service_errors, 0U);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U);
  match.run(second_us);
  EXPECT_EQ(match.server.disconnected(), 0U);
}

/// Counts the datagrams that the server sends, and their bytes.
struct Answers {
  explicit Answers(VirtualMatch& match) {
    match.network.set_tap([this](const Datagram& datagram) {
      if (datagram.from != server_address) return;
      bytes += datagram.bytes.size();
      ++count;
    });
  }
  std::uint64_t bytes = 0, count = 0;
};

TEST_P(OutsideAttacker, CausesNeitherStateNorAmplification) {
  VirtualMatch match(2, GetParam());
  match.network.node(server_ip).set_inbox_capacity_bytes(64U << 20);
  match.open_server(server_options());
  const std::size_t memory_before = match.server.transport->memory().live_bytes;
  Answers answers(match);
  base::Random random(2);
  std::uint64_t sent_bytes = 0;
  // Send fewer datagrams through the kernel, where each takes ten times as long.
  const std::uint32_t count = GetParam() == Wire::Memory ? 1'000'000 : 50'000;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<std::byte> bytes;
    switch (random.below(5)) {
      case 0:
        bytes = encode(secure::Hello{.nonce = random.next()});
        break;
      case 1:
        bytes = random_bytes(random, secure::auth_bytes);
        bytes[0] = std::byte{3};
        break;
      case 2:
        bytes = random_bytes(random, 1 + random.below(1'200));
        bytes[0] = std::byte{5};
        break;
      case 3:
        bytes = random_bytes(random, 64);
        bytes[0] = std::byte{2};
        break;
      default:
        bytes = random_bytes(random, random.below(1'200));
        break;
    }
    sent_bytes += bytes.size();
    match.network.inject({{.ip = forger_ip + i, .port = 9}, server_address, std::move(bytes)});
    if (i % 60 == 0) match.tick();
  }
  match.run(second_us);
  EXPECT_EQ(match.server.transport->counters().datagrams_received, count);
  EXPECT_GT(answers.count, count / 10) << "HELLOs are answered";
  EXPECT_LE(5 * answers.bytes, sent_bytes);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 0U);
  EXPECT_EQ(match.server.transport->memory().live_bytes, memory_before);
  EXPECT_TRUE(match.server.events.empty());
}

TEST_P(OutsideAttacker, AFloodDoesNotKeepClientsFromConnectingAndPlaying) {
  VirtualMatch match(3, GetParam());
  match.network.node(server_ip).set_inbox_capacity_bytes(64U << 20);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  base::Random random(3);
  std::uint32_t forged = 0;
  // The flood has 10,000 datagrams per second. Half of them are HELLOs.
  const auto flood = [&] {
    for (int i = 0; i < 167; ++i, ++forged) {
      auto bytes = i % 2 == 0 ? encode(secure::Hello{.nonce = random.next()})
                              : random_bytes(random, random.below(1'200));
      match.network.inject(
          {{.ip = forger_ip + forged, .port = 9}, server_address, std::move(bytes)});
    }
    match.tick();
  };
  for (int i = 0; i < 120; ++i)
    flood();
  for (std::size_t i = 1; i <= 5; ++i) {
    match.add_client(client_options());
    const std::int64_t began_us = match.network.now_us();
    while (match.clients[i].connected() == 0 && match.network.now_us() < began_us + second_us)
      flood();
    EXPECT_EQ(match.clients[i].connected(), 1U) << "client " << i;
  }
  match.run(second_us);
  EXPECT_EQ(match.server.disconnected(), 0U);
  EXPECT_EQ(match.server.connected(), 6U);
}

/// All datagrams on the network from a client's handshake until the end of an exchange of messages.
struct Capture {
  Capture(std::uint64_t seed, Wire wire) : match(seed, wire) {
    match.network.set_tap([this](const Datagram& datagram) { datagrams.push_back(datagram); });
    connect_one(match);
    for (int i = 0; i < 100; ++i) {
      (void)match.clients[0].transport->send(*match.ids[0], Channel::Control, bytes_of(marker));
      (void)match.server.transport->send(match.server.events[0].peer, Channel::State,
                                         bytes_of(marker));
      match.tick();
    }
    match.run(second_us / 2);
    match.network.set_tap({});
  }
  static constexpr std::string_view marker = "the marker that must not be readable in transit";

  VirtualMatch match;
  std::vector<Datagram> datagrams;
};

TEST_P(OutsideAttacker, CannotReadAnyPlaintext) {
  Capture capture(4, GetParam());
  EXPECT_EQ(capture.match.server.received().size(), 100U);
  EXPECT_EQ(capture.match.clients[0].received().size(), 100U);
  ASSERT_GT(capture.datagrams.size(), 200U);
  const auto marker = bytes_of(Capture::marker.substr(0, 8));
  for (const Datagram& datagram : capture.datagrams)
    ASSERT_EQ(
        std::search(datagram.bytes.begin(), datagram.bytes.end(), marker.begin(), marker.end()),
        datagram.bytes.end());
}

TEST_P(OutsideAttacker, CannotReplayCapturedDatagrams) {
  Capture capture(5, GetParam());
  VirtualMatch& match = capture.match;
  const std::size_t heard = match.server.received().size();
  const std::uint64_t accepted = verdict_count(match.server, DatagramVerdict::Accepted);
  std::uint64_t own = 0;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.to == server_address) ++own;
  });
  // Replay each datagram from its original address and from another one.
  for (const Datagram& datagram : capture.datagrams) {
    match.network.inject(datagram);
    match.network.inject({{.ip = forger_ip, .port = 9}, datagram.to, datagram.bytes});
    match.tick();
    ASSERT_EQ(match.server.transport->sealed_sessions(), 1U);
  }
  // Only the client's own datagrams of this time are accepted, not the replays.
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::Accepted) - accepted, own);
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::Replayed), 200U);
  EXPECT_EQ(match.server.received().size(), heard);
  EXPECT_EQ(match.clients[0].received().size(), 100U);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U);
  EXPECT_EQ(match.server.connected(), 1U);
  EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
}

// The server sends to the source of the newest datagram, even if an older one arrives later.
TEST_P(OutsideAttacker, CannotMoveASessionWithAnOlderDatagram) {
  Capture capture(14, GetParam());
  VirtualMatch& match = capture.match;
  std::vector<Datagram> withheld;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.to == server_address) withheld.push_back(datagram);
  });
  match.network.set_default_faults({.latency_us = 60 * second_us});
  for (int i = 0; i < 2; ++i) {
    match.clients[0].transport->send(*match.ids[0], Channel::State, message(i, 100));
    match.clients[0].transport->flush();
  }
  match.network.set_tap({});
  ASSERT_EQ(withheld.size(), 2U);
  const auto from = [&](std::uint32_t ip, const Datagram& datagram) {
    match.network.inject({{.ip = ip, .port = 9}, server_address, datagram.bytes});
    match.server.transport->service(match.server.events);
    match.network.advance(1'000);
    match.server.transport->service(match.server.events);
    return match.server.transport->stats(match.server.events[0].peer)->address.ip;
  };
  EXPECT_EQ(from(0x0A000C01, withheld[1]), Ip(0x0A000C01));
  EXPECT_EQ(from(0x0A000C02, withheld[0]), Ip(0x0A000C01));
}

TEST_P(OutsideAttacker, CannotChangeAnyBitOfADatagram) {
  Capture capture(6, GetParam());
  VirtualMatch& match = capture.match;
  // Capture a datagram before it arrives, so that its number is new.
  std::optional<Datagram> withheld;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.to == server_address && datagram.bytes.size() > 100) withheld = datagram;
  });
  match.network.set_default_faults({.latency_us = 3 * second_us});
  match.clients[0].transport->send(*match.ids[0], Channel::State,
                                   message(1, Capture::marker.size() * 3));
  match.clients[0].transport->flush();
  ASSERT_TRUE(withheld);
  match.network.set_default_faults({});
  match.network.set_tap({});
  const std::size_t heard = match.server.received().size();
  for (std::size_t bit = 0; bit < withheld->bytes.size() * 8; ++bit) {
    Datagram flipped = *withheld;
    flipped.bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    match.network.inject(flipped);
    if (bit % 100 == 0) match.tick();
  }
  match.tick();
  EXPECT_EQ(match.server.received().size(), heard);
  match.run(3 * second_us);
  EXPECT_EQ(match.server.received().size(), heard + 1)
      << "the unmodified datagram is still accepted";
}

TEST_P(OutsideAttacker, CannotUseACapturedAuthFromAnotherAddress) {
  Capture capture(7, GetParam());
  VirtualMatch& match = capture.match;
  std::size_t proofs = 0;
  for (Datagram datagram : capture.datagrams) {
    if (datagram.bytes.size() != secure::auth_bytes || datagram.bytes[0] != std::byte{3}) continue;
    ++proofs;
    datagram.from = {.ip = forger_ip, .port = 9};
    match.network.inject(datagram);
  }
  ASSERT_EQ(proofs, 1U);
  Answers answers(match);
  match.server.transport->service(match.server.events);
  match.tick();
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::BadCookie), 1U);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U);
}

TEST_P(OutsideAttacker, AReplayedAuthOfAnEstablishedSessionGetsNoAnswer) {
  Capture capture(18, GetParam());
  VirtualMatch& match = capture.match;
  std::size_t accepts = 0, proofs = 0;
  match.network.set_tap([&](const Datagram& datagram) {
    if (datagram.from == server_address && datagram.bytes[0] == std::byte{4}) ++accepts;
  });
  const std::uint64_t replayed = verdict_count(match.server, DatagramVerdict::Replayed);
  for (const Datagram& datagram : capture.datagrams) {
    if (datagram.to != server_address || datagram.bytes[0] != std::byte{3}) continue;
    match.network.inject(datagram);
    ++proofs;
  }
  match.run(second_us);
  EXPECT_EQ(proofs, 1U);
  EXPECT_EQ(accepts, 0U);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::Replayed) - replayed, 1U);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U);
}

// A key exchange takes 0.1 ms, so the number of key exchanges per tick must be limited.
TEST_P(OutsideAttacker, KeyExchangesPerTickAreLimited) {
  VirtualMatch match(19, GetParam());
  match.open_server(server_options());
  for (int i = 0; i < 60; ++i)
    match.add_client(client_options());
  std::size_t most_at_once = 0, before = 0;
  for (int i = 0; i < 60; ++i) {
    match.network.advance(tick_us);
    match.server.transport->service(match.server.events);
    const std::size_t now = match.server.transport->sealed_sessions();
    most_at_once = std::max(most_at_once, now - std::min(now, before));
    before = now;
    for (Party& client : match.clients)
      client.transport->service(client.events);
  }
  EXPECT_GT(match.server.connected(), 30U);
  EXPECT_LE(most_at_once, 10U);
}

TEST_P(OutsideAttacker, CannotConnectToAClient) {
  VirtualMatch match(8, GetParam());
  match.add_client(client_options());
  const Address client = match.clients[0].transport->local_address();
  Answers answers(match);
  match.network.inject({{.ip = forger_ip, .port = 9},
                        {.ip = client_ip(0), .port = client.port},
                        encode(secure::Hello{})});
  match.tick();
  EXPECT_EQ(verdict_count(match.clients[0], DatagramVerdict::NotAccepting), 1U);
  EXPECT_TRUE(match.clients[0].events.empty());
}

TEST_P(OutsideAttacker, AFloodCannotStallTheServiceCall) {
  VirtualNetwork network(9, carrier_of(GetParam()));
  network.node(server_ip).set_inbox_capacity_bytes(64U << 20);
  Party server = open_party(network.node(server_ip), server_options());
  for (int i = 0; i < 20'000; ++i) {
    network.inject({{.ip = forger_ip, .port = 9}, server_address, std::vector<std::byte>(100)});
  }
  server.transport->service(server.events);
  EXPECT_LE(server.transport->counters().datagrams_received, 4'096U);
  // If the datagrams pass through the kernel, its socket buffer holds fewer of them.
  if (GetParam() == Wire::Memory) {
    EXPECT_EQ(server.transport->counters().datagrams_received, 4'096U);
  }
  EXPECT_GT(server.transport->counters().datagrams_received, 50U);
}

// The attacker receives at its address, so it can answer cookies. It starts handshakes and abandons
// them.
TEST_P(OutsideAttacker, OneAddressHoldsAtMostHalfOfTheHandshakeSlots) {
  VirtualMatch match(10, GetParam());
  EnetOptions options = server_options();
  options.max_peers = 4;
  options.address_limits.exchanges_per_second = options.address_limits.exchange_burst = 1e6;
  match.open_server(options);
  std::size_t most = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<Party> forgers;
    for (int i = 0; i < 20; ++i) {
      forgers.push_back(open_party(match.network.node(forger_ip), client_options()));
      (void)forgers.back().transport->connect(server_address);
    }
    match.tick();
    match.network.advance(1'000);
    // The forgers receive their cookies and send their AUTHs. They are destroyed before the
    // server's answers arrive.
    for (Party& forger : forgers)
      forger.transport->service(forger.events);
    match.tick();
    most = std::max(most, match.server.transport->sealed_sessions());
    if (round == 50) match.add_client(client_options());
  }
  EXPECT_EQ(most, 16U + 1) << "half of the places, and the client";
  EXPECT_EQ(match.clients[0].connected(), 1U);
  match.run(4 * second_us);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U);
}

// Two hundred addresses of one network start handshakes and never finish them.
TEST_P(OutsideAttacker, ManyAddressesOfANetworkDoNotLockOutOtherClients) {
  VirtualMatch match(15, GetParam());
  EnetOptions options = server_options();
  options.max_peers = 4;
  match.open_server(options);
  std::vector<Party> forgers;
  for (std::uint32_t i = 0; i < 200; ++i)
    forgers.push_back(open_party(match.network.node(0x0A440100 + i), client_options()));
  const auto begin_and_leave = [&] {
    for (Party& forger : forgers) {
      if (const auto id = forger.transport->connect(server_address)) {
        forger.transport->service(forger.events);
        match.server.transport->service(match.server.events);
        match.network.advance(50);
        forger.transport->service(forger.events);
        forger.transport->drop(*id, DisconnectReason::None);
      }
    }
    match.tick();
  };
  for (int round = 0; round < 60; ++round)
    begin_and_leave();
  for (std::size_t i = 0; i < 3; ++i) {
    match.add_client(client_options());
    const std::int64_t began_us = match.network.now_us();
    while (match.clients[i].connected() == 0 && match.network.now_us() < began_us + second_us)
      begin_and_leave();
    EXPECT_EQ(match.clients[i].connected(), 1U) << "client " << i;
  }
}

/// A client whose handshake is advanced step by step.
struct SlowClient {
  SlowClient(VirtualMatch& on, std::uint32_t ip)
      : match(on),
        io(on.network.node(ip)),
        fill_random([this](std::span<std::byte> bytes) { io.fill_random(bytes); }),
        socket(*io.open_datagram_socket({.ip = ip, .port = 0})),
        initiator({.own = crypto::key_pair(fill_random)}, fill_random) {}

  void shake_hands() {
    std::array<std::byte, 2'000> buffer;
    for (int i = 0; i < 60 && initiator.state() != secure::HandshakeInitiator::State::Admitted;
         ++i) {
      if (const auto datagram = initiator.next_datagram(io.now_us()))
        socket->send(server_address, *datagram);
      match.tick();
      while (const auto got = socket->receive(buffer))
        initiator.take(std::span(buffer).first(got->bytes), io.now_us());
    }
  }
  void send_something() {
    if (!sealer)
      sealer.emplace(initiator.session().keys.from_initiator, initiator.session().number);
    std::vector<std::byte> datagram(secure::sealed_overhead_bytes + 20);
    sealer->seal(datagram);
    socket->send(server_address, datagram);
  }

  VirtualMatch& match;
  Io& io;
  crypto::FillRandom fill_random;
  std::unique_ptr<DatagramSocket> socket;
  secure::HandshakeInitiator initiator;
  std::optional<secure::DatagramEncryptor> sealer;
};

TEST_P(OutsideAttacker, SessionsWithoutAConnectionExpire) {
  VirtualMatch match(13, GetParam());
  match.open_server(server_options());
  SlowClient silent(match, forger_ip), talking(match, forger_ip + 1);
  silent.shake_hands();
  talking.shake_hands();
  ASSERT_EQ(match.server.transport->sealed_sessions(), 2U);
  match.run(3 * second_us / 2);
  talking.send_something();
  match.run(2 * second_us);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U) << "only the silent client was removed";
  for (int second = 0; second < 10; ++second) {
    talking.send_something();
    match.run(second_us);
  }
  EXPECT_EQ(match.server.transport->sealed_sessions(), 0U)
      << "a client that never connects is removed";
  EXPECT_TRUE(match.server.events.empty());
}

TEST_P(OutsideAttacker, HandshakesOfOneAddressAreRateLimited) {
  VirtualMatch match(11, GetParam());
  match.open_server(server_options());
  EnetOptions many = client_options();
  many.max_peers = 2'000;
  Party forger = open_party(match.network.node(forger_ip), many);
  for (int i = 0; i < 200; ++i)
    (void)forger.transport->connect(server_address);
  for (int i = 0; i < 30; ++i) {
    forger.transport->service(forger.events);
    match.tick();
  }
  EXPECT_GT(verdict_count(match.server, DatagramVerdict::AddressLimit), 150U);
  match.add_client(client_options());
  EXPECT_TRUE(match.run_until([&] { return match.clients[0].connected() == 1; }, second_us));
}

TEST_P(OutsideAttacker, AnUnmodifiedEnetClientGetsNoAnswer) {
  // The datagram is a CONNECT of an unmodified ENet client, which is not sealed.
  VirtualMatch match(12, GetParam());
  match.open_server(server_options());
  Answers answers(match);
  match.network.inject({{.ip = forger_ip, .port = 9},
                        server_address,
                        connect_datagram({.mtu = 1'400, .throttle_acceleration = 2})});
  match.run(second_us);
  EXPECT_EQ(answers.count, 0U);
  EXPECT_EQ(verdict_count(match.server, DatagramVerdict::NotSealed), 1U);
  EXPECT_TRUE(match.server.events.empty());
}

}  // namespace
}  // namespace jostle::net
