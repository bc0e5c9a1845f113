#include "shared/net/enet_transport.h"

#include "shared/base/assert.h"
#include "shared/net/enet_peer_tuning.h"

#include <enet/enet.h>

#include <algorithm>

namespace jostle::net {
namespace {

/// Maximum number of datagrams that one service() receives; the rest stays in the socket.
constexpr std::size_t receive_budget_per_service = 4'096;
/// Number of datagrams after which ENet leaves its receive loop.
constexpr std::size_t enet_receive_batch = 256;
/// Bounds of the number of additional ENet peer slots for unfinished connections. These slots are
/// separate from the slots of sessions, so that a flood of CONNECTs cannot use up the players'
/// slots. Within the bounds there is one additional slot per session, so that all players can
/// connect at once. A client that finds no free slot retries after half a second.
constexpr std::size_t min_half_open_places = 32;
constexpr std::size_t max_half_open_places = 512;
constexpr std::size_t quota_base_bytes = 16 * 1024 * 1024;
constexpr std::size_t quota_per_peer_bytes = 64 * 1024;
/// Maximum size of a peer's incomplete messages in bytes: four times ENet's window.
constexpr std::size_t max_waiting_bytes = 256 * 1024;

bool is_reliable(Channel channel) {
  return channel == Channel::Control || channel == Channel::Bulk;
}

/// Returns the interval between pings: a tenth of the silence timeout, within 50 to 500 ms. With
/// common timeouts, several pings in a row must therefore be lost before a live peer counts as
/// silent.
std::uint32_t ping_interval_ms(const EnetOptions& options) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(options.silence_timeout_us / 10'000, 50, 500));
}

std::optional<TransportError> check(const EnetOptions& options) {
  if (options.max_peers == 0 || options.max_peers > max_enet_peers) {
    return TransportError{.kind = TransportError::Kind::BadOptions,
                          .text = "max_peers must be from 1 to " + std::to_string(max_enet_peers) +
                                  ", not " + std::to_string(options.max_peers)};
  }
  if (options.silence_timeout_us <= 0 || options.connect_timeout_us <= 0 ||
      options.half_open_timeout_us <= 0) {
    return TransportError{
        .kind = TransportError::Kind::BadOptions,
        .text = "silence_timeout_us, connect_timeout_us and half_open_timeout_us must be positive"};
  }
  const bool is_open = options.is_accepting && options.security.mode == secure::AccessMode::Open;
  if (is_open && options.bind && !is_loopback(*options.bind) && !options.is_insecure_bind_allowed) {
    return TransportError{
        .kind = TransportError::Kind::InsecureBind,
        .text = "refusing to serve without authentication at " + to_string(*options.bind) +
                ", which other machines can reach; require a token or a shared key, or allow it "
                "with --insecure on a trusted network"};
  }
  const SecurityOptions& security = options.security;
  const bool is_whole =
      !options.is_accepting ||
      ((security.mode != secure::AccessMode::SharedKey || security.psk.has_value()) &&
       (security.mode != secure::AccessMode::Token || security.tokens != nullptr));
  if (!is_whole) {
    return TransportError{.kind = TransportError::Kind::BadOptions,
                          .text = "access mode '" + std::string(describe(security.mode)) +
                                  "' requires its credentials in the options"};
  }
  return std::nullopt;
}

std::size_t half_open_places(const EnetOptions& options) {
  if (!options.is_accepting) return 0;
  return std::clamp(options.max_peers, min_half_open_places, max_half_open_places);
}

std::size_t place_count(const EnetOptions& options) {
  return std::min(max_enet_peers, options.max_peers + half_open_places(options));
}

SealedLink::Options link_options(const EnetOptions& options) {
  return {.security = options.security,
          .is_accepting = options.is_accepting,
          .max_sessions = place_count(options),
          .max_unkept = half_open_places(options),
          .unkept_silence_us = options.half_open_timeout_us,
          .limits = options.address_limits,
          .datagrams_per_second = options.datagrams_per_session_second};
}

/// Converts the disconnect data from the wire. This project always sends a reason other than None;
/// 0 comes from ENet itself and means a timeout. Any other unknown value becomes Requested.
DisconnectReason reason_of(std::uint32_t data) {
  if (data == 0) return DisconnectReason::TimedOut;
  const auto reason = static_cast<DisconnectReason>(data);
  const bool is_one =
      reason <= DisconnectReason::TooSlow || reason == DisconnectReason::TokenRevoked;
  return is_one ? reason : DisconnectReason::Requested;
}

}  // namespace

base::Result<std::unique_ptr<EnetTransport>, TransportError> EnetTransport::create(
    Io& io, const EnetOptions& options) {
  if (std::optional<TransportError> error = check(options)) return std::move(*error);
  if (std::optional<std::string> problem = enet_seam_check()) {
    return TransportError{.kind = TransportError::Kind::SeamNotInEffect,
                          .text = std::move(*problem)};
  }
  std::unique_ptr<EnetTransport> transport(new EnetTransport(io, options));
  if (std::optional<TransportError> error = transport->open()) return std::move(*error);
  return transport;
}

EnetTransport::EnetTransport(Io& io, const EnetOptions& options)
    : options_(options),
      half_open_places_(half_open_places(options)),
      context_(io),
      link_(io, context_.counters, link_options(options)) {
  slots_.resize(place_count(options));
  context_.link = &link_;
  context_.memory.quota_bytes = options.memory_quota_bytes != 0
                                    ? options.memory_quota_bytes
                                    : quota_base_bytes + slots_.size() * quota_per_peer_bytes;
  context_.judge_connect = [this](std::uint32_t session, std::uint32_t id) {
    return judge_connect(session, id);
  };
}

std::optional<TransportError> EnetTransport::open() {
  const EnetContext::Scope scope(context_);
  const Address wanted = options_.bind.value_or(Address{.ip = loopback_ip, .port = 0});
  context_.bind = wanted;
  const ENetAddress address{.host = ENET_HOST_ANY, .port = wanted.port};
  host_ = enet_host_create(&address, slots_.size(), channel_count, 0, 0);
  if (host_ == nullptr) {
    if (context_.socket_error) {
      return TransportError{.kind = TransportError::Kind::SocketFailed,
                            .io = *context_.socket_error,
                            .text = "cannot open UDP " + to_string(wanted) + ": " +
                                    std::string(describe(*context_.socket_error))};
    }
    return TransportError{
        .kind = TransportError::Kind::OutOfMemory,
        .text = "the memory quota is too small: " + std::to_string(slots_.size()) +
                " peers do not fit into " + std::to_string(context_.memory.quota_bytes) + " bytes"};
  }
  // Replace ENet's seed, which contains a heap address: it is neither reproducible in tests nor
  // secret.
  host_->randomSeed = enet_host_random_seed();
  host_->mtu = enet_mtu_bytes;
  host_->maximumPacketSize = max_reliable_bytes;
  host_->maximumWaitingData = max_waiting_bytes;
  for (std::size_t i = 0; i < host_->peerCount; ++i) {
    host_->peers[i].mtu = enet_mtu_bytes;
  }
  last_service_us_ = last_upkeep_us_ = context_.io.now_us();
  return std::nullopt;
}

EnetTransport::~EnetTransport() {
  const EnetContext::Scope scope(context_);
  enet_host_destroy(host_);
}

ENetPeer& EnetTransport::peer_at(std::size_t number) const {
  return host_->peers[number];
}

const EnetTransport::Slot* EnetTransport::slot_of(PeerId peer) const {
  const auto found = number_by_id_.find(peer.value);
  return found == number_by_id_.end() ? nullptr : &slots_[found->second];
}

EnetTransport::Slot* EnetTransport::slot_of(PeerId peer) {
  const auto found = number_by_id_.find(peer.value);
  return found == number_by_id_.end() ? nullptr : &slots_[found->second];
}

std::size_t EnetTransport::number_of(const Slot& slot) const {
  return static_cast<std::size_t>(&slot - slots_.data());
}

void EnetTransport::service(std::vector<PeerEvent>& events) {
  const EnetContext::Scope scope(context_);
  events.insert(events.end(), std::make_move_iterator(pending_events_.begin()),
                std::make_move_iterator(pending_events_.end()));
  pending_events_.clear();
  take_events(events);
  end_superseded(events);
  watch_dials(events);
  watch_sessions(events);
}

void EnetTransport::take_events(std::vector<PeerEvent>& events) {
  context_.receive_budget = receive_budget_per_service;
  ENetEvent event{};
  int result = 0;
  std::size_t received = 0;
  do {
    const std::size_t budget_before = context_.receive_budget;
    result = enet_host_service(host_, &event, 0);
    if (result < 0) ++context_.counters.service_errors;
    // enet_host_service() iterates over all peers; fetching the remaining events is cheaper.
    for (int more = result; more > 0; more = enet_host_check_events(host_, &event)) {
      handle_event(event, events);
    }
    received = budget_before - context_.receive_budget;
  } while (result > 0 || received >= enet_receive_batch);
}

void EnetTransport::handle_event(const ENetEvent& event, std::vector<PeerEvent>& events) {
  Slot& slot = slots_[event.peer->incomingPeerID];
  switch (event.type) {
    case ENET_EVENT_TYPE_CONNECT:
      handle_connected(slot, events);
      break;
    case ENET_EVENT_TYPE_RECEIVE:
      handle_packet(slot, event, events);
      break;
    case ENET_EVENT_TYPE_DISCONNECT: {
      end_session(slot, reason_of(event.data), events);
      break;
    }
    case ENET_EVENT_TYPE_NONE:
      break;
  }
}

void EnetTransport::handle_packet(const Slot& slot, const ENetEvent& event,
                                  std::vector<PeerEvent>& events) {
  if (slot.phase == Phase::Connected) {
    PeerEvent& received = events.emplace_back();
    received.kind = PeerEvent::Kind::Received;
    received.peer = slot.id;
    received.channel = static_cast<Channel>(event.channelID);
    const auto* const data = reinterpret_cast<const std::byte*>(event.packet->data);
    received.bytes.assign(data, data + event.packet->dataLength);
  }
  enet_packet_destroy(event.packet);
}

void EnetTransport::handle_connected(Slot& slot, std::vector<PeerEvent>& events) {
  ENetPeer& peer = peer_at(number_of(slot));
  set_backup_timeout(peer, options_.silence_timeout_us);
  enet_peer_ping_interval(&peer, ping_interval_ms(options_));
  slot.half_open_since_us = 0;
  if (slot.phase == Phase::Connecting) {
    slot.phase = Phase::Connected;
    slot.silence_us = 0;
  } else {
    if (is_full_for(peer)) {
      slot.phase = Phase::Refusing;
      slot.phase_since_us = context_.io.now_us();
      enet_peer_disconnect(&peer, static_cast<std::uint32_t>(DisconnectReason::ServerFull));
      return;
    }
    link_.keep(peer.address.host);
    occupy(slot, Phase::Connected, next_id());
  }
  events.push_back(PeerEvent{.kind = PeerEvent::Kind::Connected, .peer = slot.id, .bytes = {}});
}

bool EnetTransport::send(PeerId peer, Channel channel, std::span<const std::byte> bytes) {
  const bool reliable = is_reliable(channel);
  JOSTLE_ASSERT(bytes.size() <= (reliable ? max_reliable_bytes : max_unreliable_bytes));
  Slot* const slot = slot_of(peer);
  if (slot == nullptr || slot->phase != Phase::Connected) return false;
  std::size_t& pending = reliable ? slot->reliable_bytes : slot->unreliable_bytes;
  const std::size_t limit =
      reliable ? options_.max_pending_reliable_bytes : options_.max_pending_unreliable_bytes;
  if (bytes.size() > limit || pending > limit - bytes.size()) return false;
  if (reliable && slot->reliable_messages >= options_.max_pending_reliable_messages) return false;

  const EnetContext::Scope scope(context_);
  ENetPacket* const packet =
      enet_packet_create(bytes.data(), bytes.size(),
                         reliable ? ENET_PACKET_FLAG_RELIABLE : ENET_PACKET_FLAG_UNSEQUENCED);
  if (packet == nullptr) return false;
  if (enet_peer_send(&peer_at(number_of(*slot)), static_cast<enet_uint8>(channel), packet) != 0) {
    enet_packet_destroy(packet);
    return false;
  }
  pending += bytes.size();
  if (reliable) ++slot->reliable_messages;
  packet->userData = slot;
  packet->freeCallback = give_back;
  return true;
}

/// Deducts a packet from its peer's pending counts. ENet calls this when it releases the packet:
/// after an unreliable packet was sent, after a reliable packet was acknowledged, or when the peer
/// is removed.
void EnetTransport::give_back(ENetPacket* packet) {
  Slot& slot = *static_cast<Slot*>(packet->userData);
  if ((packet->flags & ENET_PACKET_FLAG_RELIABLE) != 0) {
    slot.reliable_bytes -= packet->dataLength;
    --slot.reliable_messages;
  } else {
    slot.unreliable_bytes -= packet->dataLength;
  }
}

void EnetTransport::flush() {
  const EnetContext::Scope scope(context_);
  enet_host_flush(host_);
}

void EnetTransport::disconnect(PeerId peer, DisconnectReason reason) {
  if (hang_up(peer)) {
    pending_events_.push_back(PeerEvent{.kind = PeerEvent::Kind::Disconnected,
                                        .peer = peer,
                                        .reason = reason,
                                        .bytes = {},
                                        .text = {}});
    return;
  }
  Slot* const slot = slot_of(peer);
  if (slot == nullptr || slot->phase == Phase::Closing) return;
  const EnetContext::Scope scope(context_);
  if (reason == DisconnectReason::None) reason = DisconnectReason::Requested;
  ENetPeer& enet_peer = peer_at(number_of(*slot));
  if (slot->phase == Phase::Connecting) {
    // The other side has not sent its peer number yet, so it could not process a disconnect.
    end_session(*slot, reason, pending_events_);
    return;
  }
  if (reason == DisconnectReason::Misbehaved) ban(*slot);
  slot->phase = Phase::Closing;
  slot->phase_since_us = context_.io.now_us();
  slot->reason = reason;
  enet_peer_disconnect_later(&enet_peer, static_cast<std::uint32_t>(reason));
}

void EnetTransport::drop(PeerId peer, DisconnectReason reason) {
  if (hang_up(peer)) return;
  Slot* const slot = slot_of(peer);
  if (slot == nullptr) return;
  const EnetContext::Scope scope(context_);
  if (reason == DisconnectReason::None) reason = DisconnectReason::Requested;
  ENetPeer& enet_peer = peer_at(number_of(*slot));
  if (reason == DisconnectReason::Misbehaved) ban(*slot);
  if (slot->phase != Phase::Connecting) {
    enet_peer_disconnect_now(&enet_peer, static_cast<std::uint32_t>(reason));
  }
  vacate(*slot);
}

std::size_t EnetTransport::pending_reliable_bytes(PeerId peer) const {
  const Slot* const slot = slot_of(peer);
  return slot == nullptr ? 0 : slot->reliable_bytes;
}

std::optional<PeerStats> EnetTransport::stats(PeerId peer) const {
  const Slot* const slot = slot_of(peer);
  if (slot == nullptr) return std::nullopt;
  const ENetPeer& enet_peer = peer_at(number_of(*slot));
  const Address* const address = link_.address_of(enet_peer.address.host);
  return PeerStats{.address = address == nullptr ? Address{} : *address,
                   .round_trip_us = enet_peer.roundTripTime * 1'000,
                   .round_trip_variance_us = enet_peer.roundTripTimeVariance * 1'000,
                   .packet_loss = static_cast<float>(enet_peer.packetLoss) /
                                  static_cast<float>(ENET_PEER_PACKET_LOSS_SCALE)};
}

std::optional<PeerIdentity> EnetTransport::identity(PeerId peer) const {
  const Slot* const slot = slot_of(peer);
  if (slot == nullptr) return std::nullopt;
  const PeerIdentity* const known = link_.identity_of(peer_at(number_of(*slot)).address.host);
  return known == nullptr ? std::nullopt : std::optional(*known);
}

TransportCounters EnetTransport::counters() const {
  return context_.counters;
}

Address EnetTransport::local_address() const {
  return context_.socket->local_address();
}

int EnetTransport::native_handle() const {
  return context_.socket->native_handle();
}

const std::array<std::uint64_t, datagram_verdict_count>& EnetTransport::verdicts() const {
  return context_.verdicts;
}

const EnetMemory& EnetTransport::memory() const {
  return context_.memory;
}

SocketCalls EnetTransport::socket_calls() const {
  return context_.socket->calls();
}

void EnetTransport::set_enet_time_ms(std::uint32_t time_ms) {
  const EnetContext::Scope scope(context_);
  enet_time_set(time_ms);
}

void EnetTransport::set_enet_tap(
    std::function<void(std::uint32_t session, std::span<const std::byte> enet_bytes)> tap) {
  context_.tap = std::move(tap);
}

void EnetTransport::send_enet_bytes(PeerId peer, std::span<const std::byte> enet_bytes) {
  const EnetContext::Scope scope(context_);
  if (const Slot* const slot = slot_of(peer))
    link_.send(*context_.socket, peer_at(number_of(*slot)).address.host, enet_bytes);
}

void EnetTransport::refuse_allocation(std::uint64_t number) {
  context_.memory.refused_allocation = number;
}

}  // namespace jostle::net
