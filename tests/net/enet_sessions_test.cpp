// Tests of ENet sessions: how they connect, how many peer slots they may use, and when they end.
#include "tests/net/net_fixture.h"

#include <algorithm>
#include <set>

namespace jostle::net {
namespace {

TEST(EnetSessions, DetectAKilledPeerWithinTheSilenceTimeout) {
  for (const std::int64_t timeout_us : {second_us / 2, 5 * second_us, 20 * second_us}) {
    SCOPED_TRACE(timeout_us);
    VirtualMatch match(7);
    match.network.set_default_faults({.latency_us = 50'000});
    EnetOptions options = server_options();
    options.silence_timeout_us = timeout_us;
    match.open_server(options);
    EnetOptions options_of_client = client_options();
    options_of_client.silence_timeout_us = timeout_us;
    match.add_client(options_of_client);
    ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, 5 * second_us));
    match.run(3 * timeout_us);
    ASSERT_EQ(match.server.disconnected(), 0U);
    // Kill the client while reliable data is in flight to it.
    (void)match.server.transport->send(match.server.events[0].peer, Channel::Control,
                                       message(1, 5'000));
    match.clients[0].transport.reset();
    const std::int64_t killed_us = match.network.now_us();
    ASSERT_TRUE(match.run_until([&] { return match.server.disconnected() == 1; }, 60 * second_us));
    const std::int64_t taken_us = match.network.now_us() - killed_us;
    // The measured time may be shorter than the timeout, because the client's last datagram was
    // sent up to one ping interval before the kill.
    EXPECT_GE(taken_us, timeout_us - std::min<std::int64_t>(500'000, timeout_us / 10) - 100'000);
    EXPECT_LE(taken_us, timeout_us + 50'000 + 3 * tick_us);
    EXPECT_EQ(match.server.events.back().reason, DisconnectReason::TimedOut);
  }
}

// Without this project's timers, ENet would disconnect a client on this link within a minute: ENet
// doubles its retransmission timeout without limit, and takes missing acknowledgements for a dead
// peer.
TEST(EnetSessions, SurviveTenIdleMinutesAtThirtyPercentLoss) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    VirtualMatch match(seed);
    match.network.set_default_faults({.loss = 0.3F, .latency_us = 50'000, .jitter_us = 20'000});
    ASSERT_NO_FATAL_FAILURE(connect_one(match));
    match.run(600 * second_us);
    EXPECT_EQ(match.server.disconnected(), 0U);
    EXPECT_EQ(match.clients[0].disconnected(), 0U);
  }
}

// The round-trip time that ENet has measured on a slow link says nothing about the link after it.
TEST(EnetSessions, RepeatALostMessageSoonAfterALinkWasSlow) {
  VirtualMatch match(8);
  match.network.set_default_faults({.latency_us = 20'000});
  EnetOptions options = server_options();
  options.silence_timeout_us = 60 * second_us;
  match.open_server(options);
  EnetOptions options_of_client = client_options();
  options_of_client.silence_timeout_us = 60 * second_us;
  match.add_client(options_of_client);
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, 5 * second_us));
  const PeerId client = match.server.events[0].peer;
  const auto send = [&](std::uint8_t number) {
    (void)match.server.transport->send(client, Channel::Control, message(number, 1'000));
  };
  match.network.set_default_faults({.latency_us = 5 * second_us});
  for (std::uint8_t number = 1; number <= 40; ++number) {
    send(number);
    match.run(second_us);
  }
  match.run(15 * second_us);
  ASSERT_EQ(match.clients[0].received().size(), 40U);
  match.network.set_default_faults({.loss = 1.0F});
  send(41);
  match.run(second_us);
  match.network.set_default_faults({.latency_us = 20'000});
  EXPECT_TRUE(
      match.run_until([&] { return match.clients[0].received().size() == 41; }, 3 * second_us));
}

TEST(EnetSessions, ConnectingTimesOutIfThereIsNoServer) {
  VirtualMatch match(9);
  match.add_client(client_options());
  ASSERT_TRUE(
      match.run_until([&] { return match.clients[0].disconnected() == 1; }, 11 * second_us));
  EXPECT_EQ(match.clients[0].connected(), 0U);
  EXPECT_EQ(match.clients[0].events.back().reason, DisconnectReason::TimedOut);
  EXPECT_EQ(match.clients[0].events.back().peer, *match.ids[0]);
  EXPECT_GE(match.network.now_us(), 5 * second_us);
}

// Both sides must agree in the end, whichever datagram of the handshake is lost.
TEST(EnetSessions, ConnectBothSidesOrNeitherAtThirtyPercentLoss) {
  int connected = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    VirtualMatch match(seed);
    match.network.set_default_faults({.loss = 0.3F, .latency_us = 50'000, .jitter_us = 30'000});
    match.open_server(server_options());
    match.add_client(client_options());
    match.run(15 * second_us);
    EXPECT_EQ(match.clients[0].connected(), match.server.connected());
    EXPECT_EQ(match.server.disconnected(), 0U);
    if (match.clients[0].connected() == 1 && match.clients[0].disconnected() == 0) ++connected;
  }
  // Each round trip succeeds with a probability of 0.7 · 0.7 = 0.49. A client repeats lost
  // datagrams until its connect timeout of 10 s, so only a few of 100 clients may fail.
  EXPECT_GE(connected, 92);
}

TEST(EnetSessions, DisconnectAbortsAnUnfinishedConnection) {
  VirtualMatch match(10);
  match.add_client(client_options());
  match.run(second_us);
  match.clients[0].transport->disconnect(*match.ids[0], DisconnectReason::Requested);
  match.run(second_us);
  ASSERT_EQ(match.clients[0].events.size(), 1U);
  EXPECT_EQ(match.clients[0].events[0].kind, PeerEvent::Kind::Disconnected);
  EXPECT_EQ(match.clients[0].events[0].reason, DisconnectReason::Requested);
  EXPECT_TRUE(match.clients[0].transport->connect(server_address));
}

TEST(EnetSessions, ConnectToAServerThatStartsLater) {
  VirtualMatch match(11);
  match.add_client(client_options());
  match.run(2 * second_us);
  match.open_server(server_options());
  match.run(2 * second_us);
  EXPECT_EQ(match.clients[0].connected(), 1U);
}

TEST(EnetSessions, BeyondMaxPeersAreRefusedAsServerFull) {
  VirtualMatch match(12);
  EnetOptions options = server_options();
  options.max_peers = 3;
  match.open_server(options);
  for (int i = 0; i < 6; ++i)
    match.add_client(client_options());
  match.run(4 * second_us);
  EXPECT_EQ(match.server.events.size(), 3U);
  std::size_t refused = 0;
  for (const Party& client : match.clients) {
    if (client.disconnected() == 0) continue;
    ++refused;
    EXPECT_EQ(client.events.back().reason, DisconnectReason::ServerFull);
  }
  EXPECT_EQ(refused, 3U);

  // A peer slot that becomes free can be used again.
  match.server.transport->drop(match.server.events[0].peer, DisconnectReason::Requested);
  match.add_client(client_options());
  match.run(2 * second_us);
  EXPECT_EQ(match.clients.back().connected(), 1U);
  EXPECT_EQ(match.clients.back().disconnected(), 0U);
}

TEST(EnetSessions, AcceptMaxPeersClientsOfOneMachineAtOnce) {
  for (const int count : {32, 500}) {
    SCOPED_TRACE(count);
    VirtualNetwork network(19);
    network.node(server_ip).set_inbox_capacity_bytes(1U << 20);
    EnetOptions options;
    options.max_peers = static_cast<std::size_t>(count);
    Party server = open_party(network.node(server_ip), options);
    EnetOptions options_of_client;
    options_of_client.is_accepting = false;
    options_of_client.max_peers = 1;
    std::vector<Party> clients;
    for (int i = 0; i < count; ++i) {
      clients.push_back(open_party(network.node(server_ip), options_of_client));
      EXPECT_TRUE(clients.back().transport->connect(server.transport->local_address()));
    }
    // The server performs at most 500 key exchanges per second. Clients that have to wait repeat
    // their AUTH.
    for (int i = 0; i < 120; ++i) {
      network.advance(tick_us);
      for (Party& client : clients)
        client.transport->service(client.events);
      server.transport->service(server.events);
    }
    EXPECT_EQ(server.connected(), static_cast<std::size_t>(count));
  }
}

TEST(EnetSessions, AreLimitedPerAddress) {
  VirtualNetwork network(13);
  EnetOptions options = server_options();
  options.max_peers_per_address = 2;
  Party server = open_party(network.node(server_ip), options);
  std::vector<Party> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(open_party(network.node(client_ip(i < 4 ? 0U : 1U)), client_options()));
    EXPECT_TRUE(clients.back().transport->connect(server_address));
  }
  for (int i = 0; i < 200; ++i) {
    network.advance(tick_us);
    server.transport->service(server.events);
    for (Party& client : clients)
      client.transport->service(client.events);
  }
  EXPECT_EQ(server.connected(), 3U);
  EXPECT_EQ(clients[4].disconnected(), 0U);
}

TEST(EnetSessions, NeverReusePeerIds) {
  VirtualMatch match(14);
  match.open_server(server_options());
  std::set<std::uint32_t> seen;
  for (int round = 0; round < 30; ++round) {
    match.clients.clear();
    match.ids.clear();
    match.add_client(client_options());
    const std::size_t before = match.server.connected();
    ASSERT_TRUE(match.run_until([&] { return match.server.connected() > before; }, 5 * second_us));
    const PeerId id = match.server.of_kind(PeerEvent::Kind::Connected).back().peer;
    EXPECT_TRUE(seen.insert(id.value).second) << id.value;
    if (round % 2 == 0) match.server.transport->drop(id, DisconnectReason::Requested);
  }
}

TEST(EnetSessions, SurviveAStallOfTheServer) {
  VirtualMatch match(17);
  match.network.set_default_faults({.latency_us = 20'000});
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  for (const std::int64_t stop_us : {500'000, 3'000'000, 4'500'000}) {
    SCOPED_TRACE(stop_us);
    for (const std::int64_t end = match.network.now_us() + stop_us; match.network.now_us() < end;) {
      match.network.advance(tick_us);
      match.clients[0].transport->service(match.clients[0].events);
    }
    match.run(2 * second_us);
    EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
  }
}

TEST(EnetSessions, ResumeAfterAPartitionShorterThanTheTimeout) {
  VirtualMatch match(18);
  ASSERT_NO_FATAL_FAILURE(connect_one(match));
  const PeerId client = match.server.events[0].peer;
  for (const bool is_one_way : {true, false}) {
    SCOPED_TRACE(is_one_way);
    match.network.set_cut(server_ip, client_ip(0), true);
    match.network.set_cut(client_ip(0), server_ip, !is_one_way);
    EXPECT_TRUE(match.server.transport->send(client, Channel::Control, bytes_of("during")));
    match.run(4 * second_us);
    const std::size_t before = match.clients[0].received().size();
    match.network.heal();
    match.run(3 * second_us / 2);
    EXPECT_EQ(match.clients[0].received().size(), before + 1);
  }
  EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
}

}  // namespace
}  // namespace jostle::net
