// Fuzzes an ENet host behind the firewall. A malicious client seals arbitrary ENet bytes. The host
// must stay within its memory quota, deliver no message that is too long, and continue to serve
// another client.
#include "shared/base/assert.h"
#include "shared/net/enet_transport.h"
#include "shared/net/virtual_network.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/net/enet_bytes.h"

#include <algorithm>
#include <array>

namespace jostle::net::fuzz_enet_host {
namespace {

using fuzz::FuzzInput;
using Bytes = std::vector<std::byte>;

constexpr std::uint32_t server_ip = 0x0A000001, insider_ip = 0x0A000101, witness_ip = 0x0A000102,
                        newcomer_ip = 0x0A000103;
constexpr Address server_address{.ip = server_ip, .port = 7'777};
constexpr std::int64_t tick_us = 16'667;
constexpr std::size_t max_steps = 40;
constexpr std::size_t quota_bytes = 4U << 20;

struct Party {
  std::unique_ptr<EnetTransport> transport;
  PeerId server{};  // connection to the server, for clients
  std::vector<PeerEvent> events;

  bool has(PeerEvent::Kind kind) const {
    return std::any_of(events.begin(), events.end(),
                       [kind](const PeerEvent& event) { return event.kind == kind; });
  }
};

class Match {
 public:
  Match() : network_(11) {
    server_ = open(server_ip, {.bind = server_address,
                               .is_insecure_bind_allowed = true,
                               .max_peers = 4,
                               .memory_quota_bytes = quota_bytes});
    insider_ = connect(insider_ip);
    witness_ = connect(witness_ip);
    // Record the malicious client's peer number, which is in every datagram that it sends.
    insider_.transport->set_enet_tap([this](std::uint32_t, std::span<const std::byte> bytes) {
      head_ = {bytes[0], bytes[1]};
    });
    (void)insider_.transport->send(insider_.server, Channel::State, Bytes(1));
    insider_.transport->flush();
    insider_.transport->set_enet_tap({});
    tick();
  }

  void step(FuzzInput& input) {
    switch (input.choice(9)) {
      case 0:
        return put(fuzz::copy_of(input.block()), false);
      case 1:
        return put(fuzz::copy_of(input.block()), true);
      case 2:
        return put(commands(input), true);
      case 3:
        return put(fragment(input), true);
      case 4:
        return flood(input);
      case 5: {
        const auto channel = static_cast<Channel>(input.choice(channel_count));
        (void)insider_.transport->send(insider_.server, channel, Bytes(input.u16() % 1'100));
        return;
      }
      case 6:
        return answer(input);
      case 7:
        for (std::size_t i = 1 + input.choice(8); i > 0; --i)
          tick();
        return;
      case 8:
        return check_witness();
    }
  }

  /// Checks the invariants at the end of a run.
  void check_end(bool with_newcomer) {
    check_witness();
    if (with_newcomer) {
      const Party newcomer = connect(newcomer_ip);
      JOSTLE_ASSERT(newcomer.has(PeerEvent::Kind::Connected));
    }
    JOSTLE_ASSERT(server_.transport->counters().service_errors == 0);
    JOSTLE_ASSERT(server_.transport->memory().peak_bytes <= quota_bytes);
    const auto session = witness_.has(PeerEvent::Kind::Disconnected);
    JOSTLE_ASSERT(!session);
  }

 private:
  Party open(Ip ip, const EnetOptions& options) {
    auto transport = EnetTransport::create(network_.node(ip), options);
    JOSTLE_ASSERT(transport);
    return {.transport = *std::move(transport), .server = {}, .events = {}};
  }

  Party connect(Ip ip) {
    Party party = open(ip, {.bind = Address{},
                            .is_insecure_bind_allowed = true,
                            .max_peers = 1,
                            .is_accepting = false});
    const auto peer = party.transport->connect(server_address);
    JOSTLE_ASSERT(peer);
    party.server = *peer;
    for (int i = 0; i < 600 && party.events.empty(); ++i) {
      tick();
      party.transport->service(party.events);
    }
    JOSTLE_ASSERT(party.has(PeerEvent::Kind::Connected));
    return party;
  }

  void tick() {
    network_.advance(tick_us);
    std::vector<PeerEvent> events;
    server_.transport->service(events);
    for (PeerEvent& event : events)
      take(std::move(event));
    if (insider_.transport) insider_.transport->service(insider_.events);
    if (witness_.transport) witness_.transport->service(witness_.events);
    insider_.events.clear();
  }

  void take(PeerEvent event) {
    if (event.kind == PeerEvent::Kind::Received) {
      const bool is_reliable = event.channel == Channel::Control || event.channel == Channel::Bulk;
      JOSTLE_ASSERT(is_reliable || event.channel == Channel::State ||
                    event.channel == Channel::Time);
      JOSTLE_ASSERT(event.bytes.size() <=
                    (is_reliable ? max_reliable_bytes : max_unreliable_bytes));
      if (event.channel == Channel::Bulk && event.peer == witness_peer()) heard_ = event.bytes;
      // Read all bytes, so that a sanitizer detects uninitialised ones.
      for (const std::byte byte : event.bytes)
        sum_ = sum_ * 31 + std::to_integer<std::uint64_t>(byte);
    } else if (event.kind == PeerEvent::Kind::Connected) {
      connected_.push_back(event.peer);
    }
  }

  /// The following two functions return peers at the server. The malicious client connects first
  /// and the witness second. They return a null id if the peer has not connected.
  PeerId witness_peer() const { return connected_.size() > 1 ? connected_[1] : PeerId{}; }
  PeerId insider_peer() const { return connected_.empty() ? PeerId{} : connected_[0]; }

  void put(Bytes bytes, bool as_himself) {
    bytes.resize(std::min(bytes.size(), enet_mtu_bytes));
    if (as_himself && bytes.size() >= 2) {
      bytes[0] = (bytes[0] & std::byte{0x80}) | (head_[0] & std::byte{0x3F});
      bytes[1] = head_[1];
    }
    insider_.transport->send_enet_bytes(insider_.server, bytes);
  }

  /// Returns a datagram of up to four well-formed commands with arbitrary numbers.
  static Bytes commands(FuzzInput& input) {
    EnetBytes out;
    out.header(0);
    for (std::size_t i = 1 + input.choice(4); i > 0; --i)
      command(input, out);
    return out.take();
  }

  static void command(FuzzInput& input, EnetBytes& out) {
    const std::size_t kind = input.choice(6);
    const std::uint16_t number = input.u16();
    const unsigned reliable = input.boolean() ? 2 : 0, quick = input.boolean() ? 3 : 1;
    const std::size_t size = input.u8();
    switch (kind) {
      case 0:
        out.command(0x01, input.boolean() ? reliable : 0xFFU, number).u16(number).u16(input.u16());
        return;
      case 1:
        out.command(0x85, 0xFF, number);
        return;
      case 2:
        out.command(0x86, reliable, number).u16(static_cast<unsigned>(size)).fill(size);
        return;
      case 3:
        out.command(0x49, quick, 0).u16(number).u16(static_cast<unsigned>(size)).fill(size);
        return;
      case 4:
        out.command(0x8A, 0xFF, number).u32(0).u32(0);
        return;
      case 5:
        if (input.choice(16) == 0) out.command(0x84, 0xFF, number).u32(input.u32());
        return;
    }
  }

  /// Returns a consistent fragment. Other fragments of the same message may contradict it.
  static Bytes fragment(FuzzInput& input) {
    const std::uint32_t total = static_cast<std::uint32_t>(
        enet_fragment_bytes + 1 + input.u16() % (max_reliable_bytes - enet_fragment_bytes));
    const auto count =
        static_cast<std::uint32_t>((total + enet_fragment_bytes - 1) / enet_fragment_bytes);
    const auto number = static_cast<std::uint32_t>(input.choice(count));
    const auto offset = static_cast<std::uint32_t>(number * enet_fragment_bytes);
    const std::uint32_t length =
        std::min(static_cast<std::uint32_t>(enet_fragment_bytes), total - offset);
    // Half of the sequence numbers are small, because the window of the host is there.
    const unsigned start = input.boolean() ? input.u8() : input.u16();
    return fragment_datagram({.channel = input.boolean() ? 2U : 0U,
                              .sequence = (start + number) & 0xFFFFU,
                              .start = start,
                              .length = length,
                              .count = count,
                              .number = number,
                              .total = total,
                              .offset = offset,
                              .payload = length});
  }

  /// Sends many similar commands with different sequence numbers.
  void flood(FuzzInput& input) {
    const std::size_t kind = input.choice(2), count = 4 * input.choice(32);
    const std::uint16_t from = input.u16(), step = input.u8();
    for (std::size_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint16_t>(from + i * step);
      if (kind == 0) {
        put(EnetBytes().header(0).command(0x86, 0, number).u16(0).take(), true);
      } else {
        put(fragment_datagram({.sequence = number, .start = number}), true);
      }
      if (i % 32 == 31) tick();
    }
  }

  /// Makes the server send a message to the malicious client, which can then acknowledge it.
  void answer(FuzzInput& input) {
    const auto channel = static_cast<Channel>(input.choice(channel_count));
    const bool is_reliable = channel == Channel::Control || channel == Channel::Bulk;
    const std::size_t most = is_reliable ? 4'000 : max_unreliable_bytes;
    (void)server_.transport->send(insider_peer(), channel, Bytes(input.u16() % most));
    (void)server_.transport->pending_reliable_bytes(insider_peer());
  }

  /// Checks that a message of several fragments from the witness arrives at the server.
  void check_witness() {
    ++word_;
    Bytes said(3'000, std::byte{word_});
    JOSTLE_ASSERT(witness_.transport->send(witness_.server, Channel::Bulk, said));
    for (int i = 0; i < 300 && heard_ != said; ++i)
      tick();
    JOSTLE_ASSERT(heard_ == said);
  }

  VirtualNetwork network_;  // must outlive the transports
  Party server_, insider_, witness_;
  std::array<std::byte, 2> head_{};
  std::vector<PeerId> connected_;
  Bytes heard_;
  std::uint8_t word_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace

JOSTLE_FUZZ_TARGET(enet_host, data, size) {
  fuzz::FuzzInput input(data, size);
  const bool with_newcomer = input.choice(16) == 0;
  Match match;
  for (std::size_t i = 0; i < max_steps && !input.is_empty(); ++i)
    match.step(input);
  match.check_end(with_newcomer);
  return 0;
}

}  // namespace jostle::net::fuzz_enet_host
