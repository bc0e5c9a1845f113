#pragma once

#include "shared/net/enet_transport.h"
#include "shared/net/loopback_carrier.h"
#include "shared/net/virtual_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::net {

inline constexpr std::uint32_t server_ip = 0x0A000001;
inline constexpr std::uint16_t server_port = 7'777;
inline constexpr Address server_address{.ip = server_ip, .port = server_port};
inline constexpr std::int64_t tick_us = 16'667;
inline constexpr std::int64_t second_us = 1'000'000;
inline constexpr std::int64_t ms = 1'000;  // one millisecond, in µs

constexpr std::uint32_t client_ip(std::uint32_t number) {
  return 0x0A000100 + number;
}

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the text of the socket's next datagram and sets `from` to its source address. Returns
/// "nothing" if there is none.
inline std::string next_text(DatagramSocket& socket, Address& from) {
  std::vector<std::byte> buffer(100);
  const auto received = socket.receive(buffer);
  if (!received) return "nothing";
  from = received->from;
  return text_of(std::span(buffer).first(received->bytes));
}

/// Returns a message that begins with `number` in decimal and a colon. The message has `bytes`
/// bytes, or more if this beginning is longer.
inline std::vector<std::byte> message(int number, std::size_t bytes) {
  std::vector<std::byte> out = bytes_of(std::to_string(number) + ":");
  out.resize(std::max(out.size(), bytes), static_cast<std::byte>(number));
  return out;
}

/// A transport and all its events so far.
struct Party {
  std::unique_ptr<EnetTransport> transport;
  std::vector<PeerEvent> events;

  std::vector<PeerEvent> of_kind(PeerEvent::Kind kind) const {
    std::vector<PeerEvent> found;
    for (const PeerEvent& event : events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  std::size_t count(PeerEvent::Kind kind) const { return of_kind(kind).size(); }
  std::size_t connected() const { return count(PeerEvent::Kind::Connected); }
  std::size_t disconnected() const { return count(PeerEvent::Kind::Disconnected); }
  std::vector<PeerEvent> received() const { return of_kind(PeerEvent::Kind::Received); }
};

inline std::uint64_t verdict_count(const Party& party, DatagramVerdict verdict) {
  return party.transport->verdicts()[static_cast<std::size_t>(verdict)];
}

inline Party open_party(Io& io, const EnetOptions& options) {
  auto transport = EnetTransport::create(io, options);
  EXPECT_TRUE(transport) << (transport ? "" : transport.error().text);
  Party party;
  if (transport) party.transport = std::move(*transport);
  return party;
}

inline EnetOptions server_options() {
  EnetOptions options;
  options.bind = server_address;
  options.is_insecure_bind_allowed = true;
  return options;
}

inline EnetOptions client_options() {
  EnetOptions options;
  options.bind = Address{};
  options.is_insecure_bind_allowed = true;
  options.is_accepting = false;
  options.max_peers = 1;
  return options;
}

/// The delivery of datagrams: in memory, or through the kernel with sockets of 127.0.0.0/8.
enum class Wire : std::uint8_t { Memory, Loopback };

inline std::unique_ptr<Carrier> carrier_of(Wire wire) {
  if (wire == Wire::Memory) return nullptr;
  return std::make_unique<LoopbackCarrier>();
}
inline std::string name_of(const testing::TestParamInfo<Wire>& info) {
  return info.param == Wire::Memory ? "Memory" : "Loopback";
}

/// A server and clients in a virtual network, serviced at 60 Hz of virtual time.
struct VirtualMatch {
  explicit VirtualMatch(std::uint64_t seed, Wire wire = Wire::Memory)
      : network(seed, carrier_of(wire)) {}

  void open_server(const EnetOptions& options) {
    server = open_party(network.node(server_ip), options);
    tap(server);
  }
  /// Adds a client and starts its connection. Its number is its index in `clients`.
  Party& add_client(const EnetOptions& options) {
    const auto number = static_cast<std::uint32_t>(clients.size());
    clients.push_back(open_party(network.node(client_ip(number)), options));
    tap(clients.back());
    ids.push_back(clients.back().transport->connect(server_address));
    EXPECT_TRUE(ids.back());
    return clients.back();
  }
  void tick() {
    network.advance(tick_us);
    if (server.transport) server.transport->service(server.events);
    for (Party& client : clients) {
      if (client.transport) client.transport->service(client.events);
    }
  }
  void run(std::int64_t us) {
    for (const std::int64_t end = network.now_us() + us; network.now_us() < end;)
      tick();
  }
  /// Runs until the condition is met. Returns false if that takes longer than `limit_us`.
  bool run_until(const std::function<bool()>& condition, std::int64_t limit_us) {
    const std::int64_t end = network.now_us() + limit_us;
    while (!condition()) {
      if (network.now_us() >= end) return false;
      tick();
    }
    return true;
  }

  /// A function that receives each ENet datagram that the server or a client of the match sends,
  /// before the datagram is sealed.
  using EnetTap = std::function<void(std::span<const std::byte> enet_bytes)>;
  void set_enet_tap(EnetTap enet_tap) { enet_tap_ = std::move(enet_tap); }

  VirtualNetwork network;
  Party server;
  std::vector<Party> clients;
  std::vector<std::optional<PeerId>> ids;

 private:
  void tap(Party& party) {
    if (party.transport)
      party.transport->set_enet_tap([this](std::uint32_t, std::span<const std::byte> bytes) {
        if (enet_tap_) enet_tap_(bytes);
      });
  }
  EnetTap enet_tap_;
};

/// Opens a server and a client, and waits until they are connected.
inline void connect_one(VirtualMatch& match) {
  match.open_server(server_options());
  match.add_client(client_options());
  ASSERT_TRUE(match.run_until(
      [&] { return match.server.connected() == 1 && match.clients[0].connected() == 1; },
      5 * second_us));
}

}  // namespace jostle::net
