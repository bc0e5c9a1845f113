#include "shared/base/assert.h"
#include "shared/net/enet_peer_tuning.h"
#include "shared/net/enet_transport.h"

#include <enet/enet.h>

#include <algorithm>

// The part of EnetTransport that assigns ENet peer slots and ends sessions on timeouts.

namespace jostle::net {
namespace {

/// Maximum part of the time between two service calls that counts as a peer's silence. A longer gap
/// means that this process was stalled.
constexpr std::int64_t longest_observed_gap_us = 1'000'000;
constexpr std::int64_t upkeep_interval_us = 100'000;
/// Maximum number of out-of-order commands per peer. This project's sender has at most
/// `max_pending_reliable_messages` in flight, which is fewer.
constexpr std::size_t max_waiting_commands = 4'096;

std::int64_t longest_closing(const EnetOptions& options) {
  return std::min<std::int64_t>(4 * options.silence_timeout_us, 20'000'000);
}

}  // namespace

void EnetTransport::occupy(Slot& slot, Phase phase, PeerId id) {
  JOSTLE_ASSERT(slot.phase == Phase::Free);
  slot = Slot{};
  slot.phase = phase;
  slot.phase_since_us = context_.io.now_us();
  slot.id = id;
  number_by_id_[slot.id.value] = number_of(slot);
  ++session_count_;
}

/// Removes the session and frees its ENet peer slot, with everything that is queued for it.
void EnetTransport::vacate(Slot& slot) {
  ENetPeer& peer = peer_at(number_of(slot));
  link_.close(peer.address.host);
  enet_peer_reset(&peer);
  if (slot.phase != Phase::Refusing) {
    number_by_id_.erase(slot.id.value);
    --session_count_;
  }
  slot = Slot{};
}

void EnetTransport::end_session(Slot& slot, DisconnectReason reason,
                                std::vector<PeerEvent>& events) {
  if (slot.phase == Phase::Free) return;
  if (slot.phase != Phase::Refusing) {
    events.push_back(PeerEvent{.kind = PeerEvent::Kind::Disconnected,
                               .peer = slot.id,
                               .reason = slot.phase == Phase::Closing ? slot.reason : reason,
                               .bytes = {},
                               .text = {}});
  }
  vacate(slot);
}

/// Decides whether ENet may process a CONNECT: a session may have only one connection. If the
/// CONNECT repeats that of an unfinished connection, the answer is sent again.
DatagramVerdict EnetTransport::judge_connect(std::uint32_t session, std::uint32_t connect_id) {
  if (!options_.is_accepting) return DatagramVerdict::NotAccepting;
  for (std::size_t i = 0; i < host_->peerCount; ++i) {
    ENetPeer& peer = host_->peers[i];
    if (peer.state == ENET_PEER_STATE_DISCONNECTED || peer.address.host != session) continue;
    if (peer.state != ENET_PEER_STATE_ACKNOWLEDGING_CONNECT || peer.connectID != connect_id)
      return DatagramVerdict::ConnectLimit;
    repeat_connect_answer(peer);
  }
  return DatagramVerdict::Accepted;
}

bool EnetTransport::is_full_for(const ENetPeer& peer) const {
  if (session_count_ >= options_.max_peers) return true;
  if (last_id_ == UINT32_MAX) return true;  // ids are never reused
  if (options_.max_peers_per_address == 0) return false;
  const Address* const here = link_.address_of(peer.address.host);
  if (here == nullptr) return true;
  std::size_t same_address = 0;
  for (const Slot& slot : slots_) {
    const bool is_session = slot.phase != Phase::Free && slot.phase != Phase::Refusing;
    if (!is_session) continue;
    const Address* const there = link_.address_of(peer_at(number_of(slot)).address.host);
    if (there != nullptr && there->ip == here->ip) ++same_address;
  }
  return same_address >= options_.max_peers_per_address;
}

void EnetTransport::watch_sessions(std::vector<PeerEvent>& events) {
  const std::int64_t now_us = context_.io.now_us();
  const std::int64_t passed_us = std::min(now_us - last_service_us_, longest_observed_gap_us);
  last_service_us_ = now_us;
  const bool is_upkeep_due = now_us - last_upkeep_us_ >= upkeep_interval_us;
  if (is_upkeep_due) last_upkeep_us_ = now_us;
  for (Slot& slot : slots_) {
    if (slot.phase == Phase::Free) {
      watch_half_open(slot, now_us);
    } else {
      watch_session(slot, now_us, passed_us, events);
      if (slot.phase != Phase::Free) tune_retransmission(peer_at(number_of(slot)));
      if (is_upkeep_due && slot.phase != Phase::Free) keep_up(slot, events);
    }
  }
}

void EnetTransport::watch_session(Slot& slot, std::int64_t now_us, std::int64_t passed_us,
                                  std::vector<PeerEvent>& events) {
  slot.silence_us = take_heard(peer_at(number_of(slot))) ? 0 : slot.silence_us + passed_us;
  const std::int64_t phase_us = now_us - slot.phase_since_us;
  const bool is_silent = slot.silence_us >= options_.silence_timeout_us;
  bool is_over = false;
  switch (slot.phase) {
    case Phase::Connecting:
      is_over = phase_us >= options_.connect_timeout_us;
      break;
    case Phase::Connected:
      is_over = is_silent;
      break;
    // A closing session still delivers its queued data, so wait while the other side sends. The
    // time limit is necessary because the other side may remove the session without acknowledging
    // the disconnect.
    case Phase::Closing:
      is_over = is_silent || phase_us >= longest_closing(options_);
      break;
    case Phase::Refusing:
      is_over = phase_us >= options_.half_open_timeout_us;
      break;
    case Phase::Free:
      break;
  }
  if (is_over) end_session(slot, DisconnectReason::TimedOut, events);
}

void EnetTransport::keep_up(Slot& slot, std::vector<PeerEvent>& events) {
  ENetPeer& peer = peer_at(number_of(slot));
  if (slot.phase == Phase::Connected && link_.is_revoked(peer.address.host)) {
    enet_peer_disconnect_now(&peer, static_cast<std::uint32_t>(DisconnectReason::TokenRevoked));
    end_session(slot, DisconnectReason::TokenRevoked, events);
    return;
  }
  if (slot.phase == Phase::Connected &&
      waiting_commands(peer, max_waiting_commands) == max_waiting_commands) {
    ban(slot);
    enet_peer_disconnect_now(&peer, static_cast<std::uint32_t>(DisconnectReason::Misbehaved));
    end_session(slot, DisconnectReason::Misbehaved, events);
  }
}

/// Ends a connection attempt that its initiator has not completed in time.
void EnetTransport::watch_half_open(Slot& slot, std::int64_t now_us) {
  ENetPeer& peer = peer_at(number_of(slot));
  if (peer.state == ENET_PEER_STATE_DISCONNECTED) {
    slot.half_open_since_us = 0;
    return;
  }
  const bool is_heard = take_heard(peer);
  if (is_heard || slot.half_open_since_us == 0) {
    slot.half_open_since_us = std::max<std::int64_t>(now_us, 1);
  }
  if (now_us - slot.half_open_since_us >= options_.half_open_timeout_us) {
    link_.close(peer.address.host);
    enet_peer_reset(&peer);
    slot.half_open_since_us = 0;
  } else if (is_heard) {
    // The datagram had the right peer number and session. The other side has therefore received the
    // VERIFY_CONNECT, but its acknowledgement was lost. A repeated VERIFY_CONNECT makes the other
    // side acknowledge again.
    repeat_connect_answer(peer);
  }
}

}  // namespace jostle::net
