#include "web/wasm/page_transport.h"

#include "web/wasm/exports.h"
#include "web/wasm/imports.h"
#include <iterator>
#include <utility>

namespace jostle::web {

using net::DisconnectReason;
using net::PeerEvent;
using net::PeerId;

namespace {

constexpr std::uint32_t grouped = 0x40;  // first byte of several messages, less their channel

/// Delivers one message, unless it breaks the limit of its channel.
void take(PeerId peer, std::uint32_t channel, std::span<const std::byte> bytes) {
  const bool is_reliable = channel == static_cast<std::uint32_t>(net::Channel::Control) ||
                           channel == static_cast<std::uint32_t>(net::Channel::Bulk);
  if (bytes.size() > (is_reliable ? net::max_reliable_bytes : net::max_unreliable_bytes)) return;
  page_transport().handle_message(peer, static_cast<net::Channel>(channel),
                                  {bytes.begin(), bytes.end()});
}

}  // namespace

void PageTransport::service(std::vector<PeerEvent>& events) {
  std::move(events_.begin(), events_.end(), std::back_inserter(events));
  events_.clear();
}

PeerId PageTransport::accept() {
  const PeerId peer{++last_peer_};
  peers_[peer] = {};
  return peer;
}

std::optional<PeerId> PageTransport::connect(net::Address) {
  const PeerId peer = accept();
  page_connect(peer.value);
  return peer;
}

bool PageTransport::send(PeerId peer, net::Channel channel, std::span<const std::byte> bytes) {
  const auto found = peers_.find(peer);
  if (found == peers_.end() || !found->second.is_up) return false;
  if (page_send(peer.value, static_cast<std::uint32_t>(channel), bytes.data(), bytes.size()) == 0) {
    ++counters_.send_failures;
    return false;
  }
  ++counters_.datagrams_sent;
  counters_.bytes_sent += bytes.size() + 1;
  return true;
}

void PageTransport::end(PeerId peer, DisconnectReason reason) {
  if (peers_.erase(peer) != 0) page_close(peer.value, static_cast<std::uint32_t>(reason));
}

void PageTransport::disconnect(PeerId peer, DisconnectReason reason) {
  if (!peers_.contains(peer)) return;
  end(peer, reason);
  events_.push_back({.kind = PeerEvent::Kind::Disconnected, .peer = peer, .reason = reason});
}

void PageTransport::drop(PeerId peer, DisconnectReason reason) {
  end(peer, reason);
}

std::size_t PageTransport::pending_reliable_bytes(PeerId peer) const {
  return peers_.contains(peer) ? page_pending(peer.value) : 0;
}

std::optional<net::PeerStats> PageTransport::stats(PeerId peer) const {
  if (!peers_.contains(peer)) return std::nullopt;
  return net::PeerStats{.address = {net::loopback_ip, 0}};
}

std::optional<net::PeerIdentity> PageTransport::identity(PeerId peer) const {
  const auto found = peers_.find(peer);
  if (found == peers_.end() || !found->second.is_up) return std::nullopt;
  return net::PeerIdentity{.role = found->second.role, .client = 0, .key = {}};
}

void PageTransport::handle_connected(PeerId peer, secure::Role role) {
  const auto found = peers_.find(peer);
  if (found == peers_.end()) return;
  found->second = {true, role};
  events_.push_back({.kind = PeerEvent::Kind::Connected, .peer = peer});
}

void PageTransport::handle_closed(PeerId peer, DisconnectReason reason, std::string text,
                                  secure::Refusal refusal) {
  if (peers_.erase(peer) == 0) return;
  events_.push_back({.kind = PeerEvent::Kind::Disconnected,
                     .peer = peer,
                     .reason = reason,
                     .text = std::move(text),
                     .refusal = refusal});
}

void PageTransport::handle_message(PeerId peer, net::Channel channel,
                                   std::vector<std::byte> bytes) {
  if (!peers_.contains(peer)) return;
  ++counters_.datagrams_received;
  counters_.bytes_received += bytes.size() + 1;
  events_.push_back({.kind = PeerEvent::Kind::Received,
                     .peer = peer,
                     .channel = channel,
                     .bytes = std::move(bytes)});
}

PageTransport& page_transport() {
  static PageTransport transport;
  return transport;
}

/// Accepts a connection of another page or of a worker. Returns its peer, which is connected.
JOSTLE_EXPORT(link_accept) std::uint32_t link_accept() {
  const PeerId peer = page_transport().accept();
  page_transport().handle_connected(peer, secure::Role::Player);
  return peer.value;
}

/// Reports that the connection of a peer is established. `role` is a secure::Role.
JOSTLE_EXPORT(link_connected) void link_connected(std::uint32_t peer, std::uint32_t role) {
  if (role > static_cast<std::uint32_t>(secure::Role::Operator)) return;
  page_transport().handle_connected({peer}, static_cast<secure::Role>(role));
}

/// Reports that the connection of a peer has ended. `reason` is a net::DisconnectReason, `refusal`
/// a secure::Refusal; unknown numbers count as an end without a reason.
JOSTLE_EXPORT(link_closed)
void link_closed(std::uint32_t peer, std::uint32_t reason, const char* text, std::uint32_t size,
                 std::uint32_t refusal) {
  const bool is_known = reason <= static_cast<std::uint32_t>(DisconnectReason::TokenRevoked) &&
                        refusal <= static_cast<std::uint32_t>(secure::Refusal::Unreadable);
  page_transport().handle_closed(
      {peer}, is_known ? static_cast<DisconnectReason>(reason) : DisconnectReason::None,
      text_of(text, size),
      is_known ? static_cast<secure::Refusal>(refusal) : secure::Refusal::None);
}

/// Delivers bytes of the page's connection. They begin with the number of a channel, and the rest
/// is a message; or with `grouped` plus the number of a channel, and each message follows its size
/// in two bytes, lowest first. Messages that break the limits of their channel are dropped.
JOSTLE_EXPORT(link_message)
void link_message(std::uint32_t peer, const std::byte* bytes, std::uint32_t size) {
  if (size < 1) return;
  const auto first = std::to_integer<std::uint32_t>(bytes[0]);
  const std::span<const std::byte> rest{bytes + 1, size - 1};
  if (first < net::channel_count) return take({peer}, first, rest);
  if (first < grouped || first - grouped >= net::channel_count) return;
  for (std::size_t at = 0; at + 2 <= rest.size();) {
    const std::size_t length =
        std::to_integer<std::size_t>(rest[at]) | (std::to_integer<std::size_t>(rest[at + 1]) << 8);
    at += 2;
    if (length > rest.size() - at) return;
    take({peer}, first - grouped, rest.subspan(at, length));
    at += length;
  }
}

}  // namespace jostle::web
