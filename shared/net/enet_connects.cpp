#include "shared/base/assert.h"
#include "shared/net/enet_peer_tuning.h"
#include "shared/net/enet_transport.h"

#include <enet/enet.h>

#include <algorithm>

// The part of EnetTransport that makes outgoing connections: first the handshake, then ENet's
// CONNECT inside the new session.

namespace jostle::net {

std::optional<PeerId> EnetTransport::connect(Address to) {
  const EnetContext::Scope scope(context_);
  if (session_count_ + dials_.size() >= options_.max_peers) return std::nullopt;
  if (!can_reach(context_.socket->local_address().ip, to.ip)) return std::nullopt;
  const std::uint32_t number = link_.dial(to);
  dials_.push_back({.id = next_id(), .number = number, .since_us = context_.io.now_us()});
  link_.advance(*context_.socket);
  return dials_.back().id;
}

void EnetTransport::watch_dials(std::vector<PeerEvent>& events) {
  link_.advance(*context_.socket);
  const auto end = [&](PeerId id, DisconnectReason reason, std::string words,
                       secure::Refusal refusal = secure::Refusal::None) {
    events.push_back(PeerEvent{.kind = PeerEvent::Kind::Disconnected,
                               .peer = id,
                               .reason = reason,
                               .bytes = {},
                               .text = std::move(words),
                               .refusal = refusal});
  };
  for (SealedLink::Outcome& outcome : link_.take_outcomes()) {
    const auto dial = std::find_if(dials_.begin(), dials_.end(),
                                   [&](const Dial& one) { return one.number == outcome.dial; });
    if (dial == dials_.end()) continue;
    if (outcome.session == 0) {
      end(dial->id, DisconnectReason::Refused, std::move(outcome.text), outcome.refusal);
    } else if (!connect_session(*dial, outcome.session)) {
      link_.close(outcome.session);
      end(dial->id, DisconnectReason::TimedOut, {});
    }
    dials_.erase(dial);
  }
  const std::int64_t now_us = context_.io.now_us();
  std::erase_if(dials_, [&](const Dial& dial) {
    if (now_us - dial.since_us < options_.connect_timeout_us) return false;
    end(dial.id, DisconnectReason::TimedOut, link_.trouble_with(dial.number));
    link_.hang_up(dial.number);
    return true;
  });
}

/// Starts an ENet connection within the session. Returns false if ENet has no free peer or no
/// memory.
bool EnetTransport::connect_session(const Dial& dial, std::uint32_t session) {
  ENetPeer* const hosts_end = host_->peers + host_->peerCount;
  ENetPeer* const free_peer = std::find_if(host_->peers, hosts_end, [](const ENetPeer& peer) {
    return peer.state == ENET_PEER_STATE_DISCONNECTED;
  });
  if (free_peer == hosts_end) return false;
  // enet_host_connect() takes the first free peer and copies these values into the CONNECT.
  free_peer->packetThrottleInterval = throttle_interval_ms;
  free_peer->packetThrottleAcceleration = throttle_acceleration;
  free_peer->packetThrottleDeceleration = throttle_deceleration;
  host_->randomSeed = enet_host_random_seed();
  const ENetAddress address{.host = session, .port = session_port};
  ENetPeer* const peer = enet_host_connect(host_, &address, channel_count, 0);
  if (peer == nullptr) return false;
  JOSTLE_ASSERT(peer == free_peer);
  set_backup_timeout(*peer, options_.silence_timeout_us);
  Slot& slot = slots_[peer->incomingPeerID];
  occupy(slot, Phase::Connecting, dial.id);
  slot.phase_since_us = dial.since_us;
  enet_host_flush(host_);
  return true;
}

std::string EnetTransport::trouble_with(PeerId peer) const {
  for (const Dial& dial : dials_)
    if (dial.id == peer) return link_.trouble_with(dial.number);
  return {};
}

bool EnetTransport::has_answered(PeerId peer) const {
  for (const Dial& dial : dials_)
    if (dial.id == peer) return link_.has_answered(dial.number);
  return std::any_of(slots_.begin(), slots_.end(), [peer](const Slot& slot) {
    return slot.phase != Phase::Free && slot.id == peer;
  });
}

/// Ends a handshake. Returns false if the peer is not one of the pending handshakes.
bool EnetTransport::hang_up(PeerId peer) {
  const auto dial = std::find_if(dials_.begin(), dials_.end(),
                                 [peer](const Dial& one) { return one.id == peer; });
  if (dial == dials_.end()) return false;
  link_.hang_up(dial->number);
  dials_.erase(dial);
  return true;
}

/// Ends sessions whose clients have reconnected with the same token, and sessions that the server
/// does not know any more.
void EnetTransport::end_superseded(std::vector<PeerEvent>& events) {
  std::vector<std::uint32_t> ended = link_.take_superseded();
  if (!options_.is_accepting) {
    const std::vector<std::uint32_t> unknown = link_.take_unknown();
    ended.insert(ended.end(), unknown.begin(), unknown.end());
  }
  for (const std::uint32_t session : ended) {
    for (Slot& slot : slots_) {
      if (slot.phase != Phase::Free && peer_at(number_of(slot)).address.host == session)
        end_session(slot, DisconnectReason::TimedOut, events);
    }
  }
}

void EnetTransport::ban(const Slot& slot) {
  // Ban the address that was proved by a cookie or a path check. The newest source address may be
  // forged by the client.
  const auto shown = link_.shown_ip_of(peer_at(number_of(slot)).address.host);
  if (options_.is_accepting && options_.ban_us > 0 && shown) link_.ban(*shown, options_.ban_us);
}

}  // namespace jostle::net
