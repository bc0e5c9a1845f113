#include "shared/net/relay.h"

#include "shared/net/system_io.h"
#include "shared/net/virtual_network.h"
#include "tests/net/net_fixture.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <optional>
#include <string>

namespace jostle::net {
namespace {

constexpr std::uint32_t initiator_ip = 1, relay_ip = 2, host_ip = 3;

struct Letter {
  Address from;
  std::string text;
};
std::optional<Letter> received_letter(DatagramSocket& socket) {
  std::array<std::byte, 2'000> buffer{};
  const auto got = socket.receive(buffer);
  if (!got) return std::nullopt;
  return Letter{got->from, std::string(reinterpret_cast<const char*>(buffer.data()), got->bytes)};
}

struct Fixture {
  explicit Fixture(const char* sim)
      : server(network.node(host_ip).open_datagram_socket({host_ip, 7'777}).value()),
        relay(Relay::create(network.node(relay_ip), {relay_ip, 7'778}, {host_ip, 7'777},
                            parse_net_sim(sim).value(), 1)
                  .value()) {}
  std::unique_ptr<DatagramSocket> client(std::uint16_t port) {
    return network.node(initiator_ip).open_datagram_socket({initiator_ip, port}).value();
  }
  void advance(std::int64_t us) {
    for (std::int64_t t = 0; t < us; t += ms) {
      network.advance(ms);
      relay->pump();
    }
    network.advance(0);
  }
  static void send(DatagramSocket& from, Address to, const std::string& text) {
    EXPECT_TRUE(from.send(to, std::as_bytes(std::span(text))));
  }

  VirtualNetwork network{3};
  std::unique_ptr<DatagramSocket> server;
  std::unique_ptr<Relay> relay;
};

TEST(Relay, ForwardsBothWaysAfterTheLatency) {
  Fixture f("30/0/0%");
  const auto client = f.client(10);
  Fixture::send(*client, {relay_ip, 7'778}, "hello");
  f.advance(25 * ms);
  EXPECT_FALSE(received_letter(*f.server).has_value());
  f.advance(10 * ms);
  const auto there = received_letter(*f.server);
  ASSERT_TRUE(there.has_value());
  EXPECT_EQ(there->text, "hello");
  EXPECT_EQ(there->from.ip, relay_ip);
  Fixture::send(*f.server, there->from, "welcome");
  f.advance(25 * ms);
  EXPECT_FALSE(received_letter(*client).has_value());
  f.advance(10 * ms);
  const auto back = received_letter(*client);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->text, "welcome");
  EXPECT_EQ(back->from, (Address{relay_ip, 7'778}));
}

TEST(Relay, SeparatesItsClients) {
  Fixture f("0/0/0%");
  const auto one = f.client(10), two = f.client(11);
  Fixture::send(*one, {relay_ip, 7'778}, "one");
  Fixture::send(*two, {relay_ip, 7'778}, "two");
  f.advance(10 * ms);
  for (int i = 0; i < 2; ++i) {
    const auto there = received_letter(*f.server);
    ASSERT_TRUE(there.has_value());
    Fixture::send(*f.server, there->from, "for " + there->text);
  }
  f.advance(10 * ms);
  EXPECT_EQ(received_letter(*one)->text, "for one");
  EXPECT_EQ(received_letter(*two)->text, "for two");
  EXPECT_EQ(f.relay->client_count(), 2U);
}

TEST(Relay, DropsDatagramsFromOtherSendersThanTheServer) {
  Fixture f("0/0/0%");
  const auto client = f.client(10);
  Fixture::send(*client, {relay_ip, 7'778}, "hello");
  f.advance(10 * ms);
  const auto there = received_letter(*f.server);
  ASSERT_TRUE(there.has_value());
  const auto stranger = f.network.node(9).open_datagram_socket({9, 5}).value();
  Fixture::send(*stranger, there->from, "I am the server");
  f.advance(10 * ms);
  EXPECT_FALSE(received_letter(*client).has_value());
}

TEST(Relay, LimitsItsClientsAndRemovesSilentOnes) {
  Fixture f("0/0/0%");
  std::vector<std::unique_ptr<DatagramSocket>> clients;
  for (std::size_t i = 0; i < Relay::max_clients + 5; ++i) {
    clients.push_back(f.client(static_cast<std::uint16_t>(100 + i)));
    Fixture::send(*clients.back(), {relay_ip, 7'778}, "a");
  }
  f.advance(5 * ms);
  EXPECT_EQ(f.relay->client_count(), Relay::max_clients);
  f.network.advance(Relay::max_silence_us);
  f.relay->pump();
  EXPECT_EQ(f.relay->client_count(), 0U);
}

/// Runs the relay until the socket receives a datagram. Returns the datagram, or nullopt after 300
/// s, which is far longer than a busy machine takes.
std::optional<Letter> received_through(Relay& relay, DatagramSocket& socket) {
  SystemIo io;
  for (const std::int64_t end_us = io.now_us() + 300'000 * ms; io.now_us() < end_us;) {
    relay.pump();
    if (auto letter = received_letter(socket)) return letter;
    pollfd wait{.fd = socket.native_handle(), .events = POLLIN, .revents = 0};
    ::poll(&wait, 1, 1);
  }
  return std::nullopt;
}

void passes_between(Address listen, Address bind_server, Ip bind_client) {
  SystemIo io;
  const auto server = io.open_datagram_socket(bind_server).value();
  const Address server_at = server->local_address();
  const auto relay = Relay::create(io, listen, server_at, NetworkConditions{}, 1).value();
  const auto client = io.open_datagram_socket({bind_client, 0}).value();
  const Address relay_at = relay->local_address();
  Fixture::send(*client, relay_at, "hello");
  const auto there = received_through(*relay, *server);
  ASSERT_TRUE(there.has_value());
  EXPECT_EQ(there->text, "hello");
  EXPECT_EQ(there->from.ip, server_at.ip);  // the loopback address of the server's family
  Fixture::send(*server, there->from, "welcome");
  const auto back = received_through(*relay, *client);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->text, "welcome");
  EXPECT_EQ(back->from, relay_at);
}

TEST(Relay, ForwardsBetweenIpv4AndIpv6OnRealSockets) {
  if (!SystemIo().open_datagram_socket({loopback_ip6, 0}))
    GTEST_SKIP() << "::1 cannot be bound: this machine has no IPv6";
  passes_between({loopback_ip6, 0}, {loopback_ip, 0}, loopback_ip6);
  passes_between({loopback_ip, 0}, {loopback_ip6, 0}, loopback_ip);
  passes_between({loopback_ip6, 0}, {loopback_ip6, 0}, loopback_ip6);
}

TEST(Relay, ForwardsFromIpv6ToIpv4AndBackWithLatency) {
  VirtualNetwork network(4);
  const Ip client_ip6 = *parse_ip("2001:db8::1"), relay_ip6 = *parse_ip("2001:db8::2");
  network.node(relay_ip).add_ip(relay_ip6);
  const auto server = network.node(host_ip).open_datagram_socket({host_ip, 7'777}).value();
  const auto client = network.node(client_ip6).open_datagram_socket({client_ip6, 10}).value();
  const auto relay = Relay::create(network.node(relay_ip), {any_ip6, 7'778}, {host_ip, 7'777},
                                   parse_net_sim("10/0/0%").value(), 1)
                         .value();
  const auto advance = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      network.advance(ms);
      relay->pump();
    }
    network.advance(0);
  };
  Fixture::send(*client, {relay_ip6, 7'778}, "hello");
  advance(15);
  const auto there = received_letter(*server);
  ASSERT_TRUE(there.has_value());
  EXPECT_EQ(there->from.ip, Ip(relay_ip));
  Fixture::send(*server, there->from, "welcome");
  advance(15);
  const auto back = received_letter(*client);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->text, "welcome");
  EXPECT_EQ(back->from, (Address{relay_ip6, 7'778}));
}

}  // namespace
}  // namespace jostle::net
