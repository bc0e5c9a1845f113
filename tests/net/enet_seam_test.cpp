#include "shared/net/system_io.h"
#include "tests/net/enet_bytes.h"
#include "tests/net/net_fixture.h"

#include <thread>

namespace jostle::net {
namespace {

TEST(EnetSeam, IsInEffect) {
  const auto problem = enet_seam_check();
  EXPECT_FALSE(problem) << *problem;
}

TEST(EnetSeam, RefusesOpenModeBeyondLoopback) {
  VirtualNetwork network(1);
  for (const Ip ip : {any_ip, Ip(server_ip), Ip(0xC0A80001U), any_ip6, *parse_ip("2001:db8::1")}) {
    EnetOptions options;
    options.bind = Address{.ip = ip, .port = 7'777};
    const auto transport = EnetTransport::create(network.node(server_ip), options);
    ASSERT_FALSE(transport);
    EXPECT_EQ(transport.error().kind, TransportError::Kind::InsecureBind);
    EXPECT_NE(transport.error().text.find(to_string(*options.bind)), std::string::npos);
    EXPECT_NE(transport.error().text.find("--insecure"), std::string::npos);
  }
  EXPECT_TRUE(EnetTransport::create(network.node(server_ip), EnetOptions{}));
  EnetOptions allowed;
  allowed.bind = server_address;
  allowed.is_insecure_bind_allowed = true;
  EXPECT_TRUE(EnetTransport::create(network.node(server_ip), allowed));
}

TEST(EnetSeam, ReportsAnAddressInUse) {
  SystemIo real;
  VirtualNetwork network(1);
  for (Io* io : {static_cast<Io*>(&real), static_cast<Io*>(&network.node(server_ip))}) {
    Party first = open_party(*io, EnetOptions{});
    EnetOptions options;
    options.bind = first.transport->local_address();
    const auto second = EnetTransport::create(*io, options);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, TransportError::Kind::SocketFailed);
    EXPECT_EQ(second.error().io, IoError::AddressInUse);
    EXPECT_NE(second.error().text.find(to_string(*options.bind)), std::string::npos);
    EXPECT_NE(second.error().text.find("in use"), std::string::npos);
  }
}

// ENet itself supports IPv4 only. This project passes session ids to ENet in place of addresses, so
// ENet also serves IPv6 clients.
TEST(EnetSeam, ADualStackServerServesIpv4AndIpv6) {
  const Ip server_ip6 = *parse_ip("2001:db8::1"), client_ip6 = *parse_ip("2001:db8::2");
  VirtualMatch match(3);
  match.network.node(server_ip).add_ip(server_ip6);
  EnetOptions options = server_options();
  options.bind = Address{any_ip6, server_port};
  match.open_server(options);
  EXPECT_EQ(match.server.transport->local_address(), *options.bind);
  match.add_client(client_options());

  EnetOptions v6_options = client_options();
  v6_options.bind = Address{any_ip6, 0};
  Party v6_client = open_party(match.network.node(client_ip6), v6_options);
  const auto id = v6_client.transport->connect({server_ip6, server_port});
  ASSERT_TRUE(id);
  ASSERT_TRUE(match.run_until(
      [&] {
        v6_client.transport->service(v6_client.events);
        return match.server.connected() == 2 && v6_client.connected() == 1;
      },
      5 * second_us));
  ASSERT_TRUE(v6_client.transport->send(*id, Channel::Control, message(6, 3'000)));
  for (int i = 0; i < 60; ++i) {
    v6_client.transport->service(v6_client.events);
    match.tick();
  }
  ASSERT_EQ(match.server.received().size(), 1U);
  const auto stats = match.server.transport->stats(match.server.received()[0].peer);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->address.ip, client_ip6);
  EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
}

TEST(EnetSeam, RejectsInvalidOptions) {
  VirtualNetwork network(1);
  const auto kind_of = [&](const EnetOptions& options) {
    const auto transport = EnetTransport::create(network.node(server_ip), options);
    return transport ? std::optional<TransportError::Kind>() : transport.error().kind;
  };
  EXPECT_EQ(kind_of({.max_peers = 0}), TransportError::Kind::BadOptions);
  EXPECT_EQ(kind_of({.max_peers = 4'096}), TransportError::Kind::BadOptions);
  EXPECT_EQ(kind_of({.silence_timeout_us = 0}), TransportError::Kind::BadOptions);
  EXPECT_EQ(kind_of({.connect_timeout_us = -1}), TransportError::Kind::BadOptions);
  EXPECT_EQ(kind_of({.half_open_timeout_us = 0}), TransportError::Kind::BadOptions);
  EXPECT_EQ(kind_of({.memory_quota_bytes = 1'000}), TransportError::Kind::OutOfMemory);
  EXPECT_FALSE(kind_of({.max_peers = 4'095}));
}

TEST(EnetSeam, TransportsWithDifferentIosDoNotInterfere) {
  SystemIo real;
  Party real_server = open_party(real, EnetOptions{});
  Party real_client = open_party(real, EnetOptions{});
  VirtualMatch first(1);
  VirtualMatch second(2);
  first.network.node(server_ip).advance_clock(1'000 * second_us);
  second.network.set_default_faults({.loss = 0.2F});
  first.open_server(server_options());
  second.open_server(server_options());
  first.add_client(client_options());
  second.add_client(client_options());
  ASSERT_TRUE(real_client.transport->connect(real_server.transport->local_address()));
  for (int i = 0; i < 300; ++i) {
    first.tick();
    real_server.transport->service(real_server.events);
    second.tick();
    real_client.transport->service(real_client.events);
  }
  EXPECT_EQ(first.server.connected(), 1U);
  EXPECT_EQ(second.server.connected(), 1U);
  EXPECT_EQ(real_server.connected(), 1U);
  EXPECT_EQ(real_client.connected(), 1U);
}

TEST(EnetSeam, WorksInSeveralThreadsAtOnce) {
  std::vector<std::uint64_t> hashes(4);
  std::vector<std::thread> threads;
  for (std::uint64_t& hash : hashes) {
    threads.emplace_back([&hash] {
      VirtualMatch match(5);
      match.network.set_default_faults({.loss = 0.2F, .latency_us = 20'000});
      match.open_server(server_options());
      for (int i = 0; i < 3; ++i)
        match.add_client(client_options());
      match.run(5 * second_us);
      hash = match.network.event_hash();
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (const std::uint64_t hash : hashes)
    EXPECT_EQ(hash, hashes[0]);
}

// ENet's clock has 32 bits of milliseconds: it wraps after 49.7 days of uptime.
TEST(EnetSeam, KeepsConnectionsWhenEnetsClockWraps) {
  for (const std::uint32_t lead_ms : {100U, 500U, 3'000U}) {
    SCOPED_TRACE(lead_ms);
    VirtualMatch match(6);
    match.network.set_default_faults({.loss = 0.1F, .latency_us = 40'000, .jitter_us = 20'000});
    // The wrap comes after the connection is established.
    const std::int64_t wrap_us = (std::int64_t{1} << 32) * 1'000;
    match.network.node(server_ip).advance_clock(wrap_us - 5 * second_us);
    match.network.node(client_ip(0))
        .advance_clock(wrap_us - 5 * second_us - std::int64_t{lead_ms} * 1'000);
    ASSERT_NO_FATAL_FAILURE(connect_one(match));
    const PeerId client = match.server.events[0].peer;
    int sent = 0;
    while (match.network.now_us() < 20 * second_us) {
      const std::vector<std::byte> bytes = bytes_of(std::to_string(sent));
      ASSERT_TRUE(match.server.transport->send(client, Channel::Control, bytes));
      ASSERT_TRUE(match.clients[0].transport->send(*match.ids[0], Channel::Control, bytes));
      ++sent;
      match.tick();
    }
    match.run(5 * second_us);
    EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
    EXPECT_EQ(match.server.received().size(), static_cast<std::size_t>(sent));
    EXPECT_EQ(match.clients[0].received().size(), static_cast<std::size_t>(sent));
    EXPECT_GT(match.network.node(server_ip).now_us(), wrap_us);
  }
}

TEST(EnetSeam, ConnectIdsDependOnTheEntropyAndDiffer) {
  const auto ids_of = [](std::uint64_t seed) {
    VirtualMatch match(seed);
    std::vector<std::uint32_t> ids;
    match.set_enet_tap([&](std::span<const std::byte> bytes) {
      if (const auto id = connect_id(bytes)) ids.push_back(*id);
    });
    match.open_server(server_options());
    for (int i = 0; i < 4; ++i)
      match.add_client(client_options());
    match.run(second_us);
    return ids;
  };
  const std::vector<std::uint32_t> ids = ids_of(1);
  ASSERT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids_of(1), ids);
  EXPECT_NE(ids_of(2), ids);
  for (std::size_t i = 1; i < ids.size(); ++i)
    EXPECT_NE(ids[i], ids[i - 1]);
}

TEST(EnetSeam, DroppingAPeerFreesAllItsMemory) {
  VirtualNetwork network(1);
  EnetContext context(network.node(server_ip));
  Party server = open_party(network.node(server_ip), server_options());
  const std::size_t empty_bytes = server.transport->memory().live_bytes;
  EXPECT_GT(empty_bytes, 0U);
  Party client = open_party(network.node(client_ip(0)), client_options());
  const auto id = client.transport->connect(server_address);
  for (int round = 0; round < 50; ++round) {
    network.advance(tick_us);
    (void)client.transport->send(*id, Channel::Control, std::vector<std::byte>(9'000));
    client.transport->service(client.events);
    server.transport->service(server.events);
  }
  EXPECT_GT(server.transport->memory().peak_bytes, empty_bytes);
  server.transport->drop(server.events[0].peer, DisconnectReason::Requested);
  EXPECT_EQ(server.transport->memory().live_bytes, empty_bytes);
}

// Each of the first 200 allocations after the setup fails once, on the client and on the server.
// The session may fail, but the program must continue.
TEST(EnetSeam, SurvivesTheFailureOfEveryAllocation) {
  std::uint64_t refused = 0;
  for (std::uint64_t number = 1; number <= 200; ++number) {
    SCOPED_TRACE(testing::Message() << "allocation " << number);
    for (const bool is_server : {false, true}) {
      VirtualMatch match(7);
      match.network.set_default_faults({.loss = 0.05F, .latency_us = 10'000});
      match.open_server(server_options());
      match.clients.push_back(open_party(match.network.node(client_ip(0)), client_options()));
      EnetTransport& victim = is_server ? *match.server.transport : *match.clients[0].transport;
      victim.refuse_allocation(victim.memory().allocations + number);
      const auto id = match.clients[0].transport->connect(server_address);
      for (int i = 0; i < 60 && id; ++i) {
        (void)match.clients[0].transport->send(*id, Channel::Bulk, std::vector<std::byte>(5'000));
        for (const PeerEvent& event : match.server.of_kind(PeerEvent::Kind::Connected)) {
          (void)match.server.transport->send(event.peer, Channel::State,
                                             std::vector<std::byte>(300));
        }
        match.tick();
      }
      if (id) match.clients[0].transport->disconnect(*id, DisconnectReason::Requested);
      match.run(second_us / 2);
      refused += victim.memory().refusals;
      // The next client must be served.
      match.clients.push_back(open_party(match.network.node(client_ip(1)), client_options()));
      ASSERT_TRUE(match.clients.back().transport->connect(server_address));
      ASSERT_TRUE(
          match.run_until([&] { return match.clients.back().connected() == 1; }, 5 * second_us));
    }
  }
  EXPECT_GT(refused, 300U);
}

TEST(EnetSeam, RejectsMessagesBeyondTheMemoryQuotaAndRecovers) {
  VirtualMatch match(8);
  match.open_server(server_options());
  EnetOptions tight = client_options();
  tight.memory_quota_bytes = 64 * 1024;
  tight.max_pending_reliable_bytes = 1 << 20;
  match.add_client(tight);
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, 5 * second_us));
  EnetTransport& client = *match.clients[0].transport;
  std::size_t taken = 0;
  while (taken < 100 && client.send(*match.ids[0], Channel::Bulk, std::vector<std::byte>(8'000))) {
    ++taken;
  }
  EXPECT_GT(taken, 2U);
  EXPECT_LT(taken, 8U);
  EXPECT_GT(client.memory().refusals, 0U);
  EXPECT_LE(client.memory().peak_bytes, tight.memory_quota_bytes);
  match.run(5 * second_us);
  EXPECT_EQ(match.server.received().size(), taken);
  EXPECT_TRUE(client.send(*match.ids[0], Channel::Bulk, std::vector<std::byte>(8'000)));
}

}  // namespace
}  // namespace jostle::net
