#include "shared/gate_link/gate_transport.h"

#include "shared/base/assert.h"
#include "shared/base/log.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace jostle::gate_link {
namespace {

/// Number of bytes that wait for a gate above which unreliable messages are dropped. The gate
/// reads at least as fast as its viewers, so this limit is reached only if the gate stands still.
constexpr std::size_t max_unsent_unreliable_bytes = 4U << 20;
/// The same limit for all messages. A gate beyond it is disconnected.
constexpr std::size_t max_unsent_bytes = 64U << 20;
/// Maximum number of bytes read from a gate per call of service(); the rest stays in the socket.
constexpr std::size_t max_read_bytes = 4U << 20;
constexpr std::size_t max_gates = 16;
constexpr std::int64_t watch_interval_us = 100'000;
/// Time for which a gate may take to close a viewer's connection.
constexpr std::int64_t max_closing_us = 20'000'000;

bool is_reliable(net::Channel channel) {
  return channel == net::Channel::Control || channel == net::Channel::Bulk;
}

std::string refusal_text(secure::Admission admission) {
  return "refused the connection: " + std::string(secure::describe(admission));
}

}  // namespace

base::Result<std::unique_ptr<GateTransport>, std::string> GateTransport::create(
    net::Io& io, GateTransportOptions options) {
  const net::SecurityOptions& security = options.security;
  JOSTLE_ASSERT(security.mode != secure::AccessMode::Token || security.tokens != nullptr);
  auto listener = LocalListener::create(options.socket);
  if (!listener) return listener.error();
  std::unique_ptr<GateTransport> transport(new GateTransport(io, std::move(options)));
  transport->listener_ = *std::move(listener);
  transport->handles_.add(transport->listener_->handle());
  return transport;
}

GateTransport::GateTransport(net::Io& io, GateTransportOptions options)
    : io_(io), options_(std::move(options)), limits_(options_.address_limits) {}

GateTransport::~GateTransport() = default;

void GateTransport::service(std::vector<net::PeerEvent>& events) {
  accept_gates();
  std::vector<std::uint32_t> ended;
  for (auto& [number, gate] : gates_)
    if (!read_gate(number, gate, events) || !write(gate)) ended.push_back(number);
  for (const std::uint32_t number : ended)
    end_gate(number, events);
  watch_peers(events);
}

void GateTransport::accept_gates() {
  while (auto connection = listener_->accept()) {
    if (gates_.size() >= max_gates) continue;
    handles_.add(connection->handle());
    Gate& gate = gates_[++last_gate_];
    gate.connection = std::move(connection);
    put(gate, ServerHello{});
  }
}

/// Reads and handles the frames of a gate. Returns false if the connection must end.
bool GateTransport::read_gate(std::uint32_t number, Gate& gate,
                              std::vector<net::PeerEvent>& events) {
  static thread_local std::array<std::byte, 65'536> buffer;
  for (std::size_t total = 0; total < max_read_bytes;) {
    const auto count = gate.connection->read(buffer);
    if (!count) return false;
    if (*count == 0) return true;
    total += *count;
    counters_.bytes_received += *count;
    gate.received.add(std::span(buffer).first(*count));
    while (const auto bytes = gate.received.next()) {
      ++counters_.datagrams_received;
      const auto frame = decode_gate_frame(*bytes);
      if (!frame || !handle(number, gate, *frame, events)) {
        base::error("gate sent an invalid frame", {{"gate", number}});
        return false;
      }
    }
    if (gate.received.is_broken()) return false;
  }
  return true;
}

bool GateTransport::handle(std::uint32_t number, Gate& gate, const GateFrame& frame,
                           std::vector<net::PeerEvent>& events) {
  if (const auto* const hello = std::get_if<GateHello>(&frame)) {
    if (gate.is_greeted || hello->version != link_version) return false;
    gate.is_greeted = true;
    url_ = hello->url;
    return true;
  }
  if (!gate.is_greeted) return false;
  if (const auto* const connect = std::get_if<ViewerConnect>(&frame)) {
    if (gate.peers.contains(connect->viewer)) return false;
    connect_viewer(number, gate, *connect, events);
    return true;
  }
  if (const auto* const watch = std::get_if<GateWatch>(&frame))
    return admit_gate(number, gate, watch->viewer, events);
  const auto peer_of = [&](ViewerId viewer) -> std::optional<net::PeerId> {
    const auto found = gate.peers.find(viewer);
    return found == gate.peers.end() ? std::nullopt : std::optional(found->second);
  };
  if (const auto* const message = std::get_if<LinkMessage>(&frame)) {
    // The server may have dropped the viewer while the message was on its way.
    const auto peer = peer_of(message->viewer);
    if (!peer || peers_.at(*peer).closing || peers_.at(*peer).is_handed_over) return true;
    net::PeerEvent& event = events.emplace_back();
    event.kind = net::PeerEvent::Kind::Received;
    event.peer = *peer;
    event.channel = message->channel;
    event.bytes.assign(message->bytes.begin(), message->bytes.end());
  } else if (const auto* const acknowledged = std::get_if<ViewerAcknowledged>(&frame)) {
    const auto id = peer_of(acknowledged->viewer);
    if (!id) return true;
    Peer& peer = peers_.at(*id);
    if (acknowledged->reliable_bytes > peer.reliable_sent) return false;
    peer.reliable_acknowledged = std::max(peer.reliable_acknowledged, acknowledged->reliable_bytes);
    peer.round_trip_us = acknowledged->round_trip_us;
  } else if (const auto* const gone = std::get_if<ViewerGone>(&frame)) {
    if (const auto id = peer_of(gone->viewer)) {
      if (gone->reason == net::DisconnectReason::Misbehaved)
        limits_.ban(peers_.at(*id).address.ip, io_.now_us() + options_.ban_us);
      end_peer(*id, peers_.at(*id).closing.value_or(gone->reason), &events);
      end_gate_spectator(gate, events);
    }
  } else if (const auto* const handed_over = std::get_if<ViewerHandedOver>(&frame)) {
    if (const auto id = peer_of(handed_over->viewer)) hand_over(*id, events);
  }
  return true;
}

/// Admits the gate as a spectator. It sees nothing that its admitted viewers do not see.
bool GateTransport::admit_gate(std::uint32_t number, Gate& gate, ViewerId viewer,
                               std::vector<net::PeerEvent>& events) {
  if (gate.peers.contains(viewer)) return false;
  const bool has_viewer = std::any_of(gate.peers.begin(), gate.peers.end(), [&](const auto& entry) {
    return !peers_.at(entry.second).is_gate;
  });
  if (!has_viewer) {
    put(gate, CloseViewer{viewer, close_code(net::DisconnectReason::Requested), true, {}});
    return true;
  }
  const net::PeerId id{peer_bit | ++last_peer_};
  gate.peers.emplace(viewer, id);
  Peer& peer = peers_[id];
  peer.gate = number;
  peer.viewer = viewer;
  peer.address = {net::loopback_ip, 0};
  peer.identity.role = secure::Role::Spectator;
  peer.is_gate = true;
  put(gate, ViewerAdmitted{viewer, peer.identity});
  events.push_back({.kind = net::PeerEvent::Kind::Connected, .peer = id, .bytes = {}});
  return true;
}

/// Ends the session of a viewer that its gate serves from now on.
void GateTransport::hand_over(net::PeerId id, std::vector<net::PeerEvent>& events) {
  Peer& peer = peers_.at(id);
  if (peer.is_handed_over || peer.is_gate || peer.closing) return;
  peer.is_handed_over = true;
  ++handed_over_;
  net::PeerEvent& event = events.emplace_back();
  event.kind = net::PeerEvent::Kind::Disconnected;
  event.peer = id;
  event.reason = net::DisconnectReason::Requested;
}

/// Ends the session of the gate itself after its last viewer has left.
void GateTransport::end_gate_spectator(Gate& gate, std::vector<net::PeerEvent>& events) {
  if (gate.peers.size() != 1) return;
  const net::PeerId id = gate.peers.begin()->second;
  if (!peers_.at(id).is_gate) return;
  close_viewer(peers_.at(id), net::DisconnectReason::Requested, true);
  end_peer(id, net::DisconnectReason::Requested, &events);
}

void GateTransport::connect_viewer(std::uint32_t number, Gate& gate, const ViewerConnect& connect,
                                   std::vector<net::PeerEvent>& events) {
  Verdict verdict = judge(connect);
  if (verdict.reason != net::DisconnectReason::None) {
    ++refused_;
    put(gate, CloseViewer{connect.viewer, close_code(verdict.reason, verdict.refusal), false,
                          std::move(verdict.text)});
    return;
  }
  ++admitted_;
  end_superseded(verdict, events);
  const net::PeerId id{peer_bit | ++last_peer_};
  gate.peers.emplace(connect.viewer, id);
  net::PeerIdentity shown = verdict.identity;
  shown.key = options_.security.key ? options_.security.key->shown : crypto::PublicKey{};
  put(gate, ViewerAdmitted{connect.viewer, shown});
  peers_.emplace(id, Peer{.gate = number,
                          .viewer = connect.viewer,
                          .address = connect.address,
                          .identity = verdict.identity,
                          .token = std::move(verdict.token)});
  events.push_back({.kind = net::PeerEvent::Kind::Connected, .peer = id, .bytes = {}});
}

/// Decides whether a viewer is admitted, and uses its token.
GateTransport::Verdict GateTransport::judge(const ViewerConnect& connect) {
  const net::Ip ip = connect.address.ip;
  const auto refused = [](secure::Admission admission) {
    return Verdict{.reason = net::DisconnectReason::Refused,
                   .refusal = secure::refusal_of(admission),
                   .text = refusal_text(admission)};
  };
  if (limits_.is_banned(ip, io_.now_us())) return refused(secure::Admission::Banned);
  if (!limits_.take_exchange(ip, io_.now_us()))
    return {.reason = net::DisconnectReason::TimedOut,
            .text = "too many connections from this address; the client tries again"};
  const auto here =
      static_cast<std::size_t>(std::count_if(peers_.begin(), peers_.end(), [&](const auto& entry) {
        return net::subscriber_prefix_of(entry.second.address.ip) == net::subscriber_prefix_of(ip);
      }));
  const bool is_address_full = options_.max_viewers_per_address != 0 && !ip.is_loopback() &&
                               here >= options_.max_viewers_per_address;
  if (peers_.size() - handed_over_ >= options_.max_viewers || is_address_full ||
      last_peer_ >= peer_bit - 1)  // ids are never reused
    return refused(secure::Admission::ServerFull);
  return judge_token(connect, {.identity = {.key = viewer_key(connect.request.secret)}});
}

GateTransport::Verdict GateTransport::judge_token(const ViewerConnect& connect, Verdict verdict) {
  const std::string& text = connect.request.token_text;
  const auto refuse = [&](secure::Refusal refusal, std::string words) {
    verdict.reason = net::DisconnectReason::Refused;
    verdict.refusal = refusal;
    verdict.text = "refused the connection: " + std::move(words);
    return verdict;
  };
  const secure::AccessMode mode = options_.security.mode;
  if (mode == secure::AccessMode::Open) return verdict;
  if (options_.is_public && text.empty()) {
    verdict.identity.role = secure::Role::Spectator;
    return verdict;
  }
  if (mode == secure::AccessMode::SharedKey)
    return refuse(secure::Refusal::SharedKeyRequired,
                  "it requires a shared key, which a browser cannot use");
  secure::TokenRegistry& tokens = *options_.security.tokens;
  const auto bytes = text.empty() ? std::vector<std::byte>{} : secure::parse_token_text(text);
  if (!bytes)
    return refuse(secure::Refusal::TokenInvalid,
                  "the token is not valid: " + std::string(secure::token_text_fault(text)));
  const secure::Admission admission = tokens.check(*bytes, verdict.identity.key, io_.unix_time_s());
  if (admission != secure::Admission::Accepted)
    return refuse(secure::refusal_of(admission),
                  admission == secure::Admission::TokenMissing
                      ? "it requires a token (#token=... at the end of the address)"
                      : std::string(secure::describe(admission)));
  const secure::Token token = *secure::decode_token(*bytes);
  if (!tokens.use(token, verdict.identity.key, io_.unix_time_s()))
    return refuse(secure::Refusal::TokenUsed,
                  std::string(secure::describe(secure::Admission::TokenUsed)));
  verdict.identity.role = token.role;
  verdict.identity.client = token.client;
  verdict.token = token;
  return verdict;
}

/// Ends earlier sessions with the same single-use token: it has one session at a time.
void GateTransport::end_superseded(const Verdict& verdict, std::vector<net::PeerEvent>& events) {
  if (!verdict.token || verdict.token->is_reusable) return;
  std::vector<net::PeerId> earlier;
  for (const auto& [id, peer] : peers_)
    if (peer.token && peer.token->id == verdict.token->id) earlier.push_back(id);
  for (const net::PeerId id : earlier) {
    close_viewer(peers_.at(id), net::DisconnectReason::Requested, true);
    // The player keeps its reconnect slot, which the new session takes over.
    end_peer(id, net::DisconnectReason::TimedOut, &events);
  }
}

/// Ends the sessions whose tokens were revoked, and those that a gate does not close.
void GateTransport::watch_peers(std::vector<net::PeerEvent>& events) {
  const std::int64_t now_us = io_.now_us();
  if (now_us - watched_us_ < watch_interval_us) return;
  watched_us_ = now_us;
  std::vector<std::pair<net::PeerId, net::DisconnectReason>> ended;
  for (const auto& [id, peer] : peers_) {
    if (peer.closing && now_us - peer.closing_since_us > max_closing_us)
      ended.emplace_back(id, *peer.closing);
    else if (peer.token && options_.security.tokens->is_revoked(peer.token->id))
      ended.emplace_back(id, net::DisconnectReason::TokenRevoked);
  }
  for (const auto& [id, reason] : ended) {
    close_viewer(peers_.at(id), reason, true);
    end_peer(id, reason, &events);
  }
  if (options_.security.tokens != nullptr)
    options_.security.tokens->forget_expired(io_.unix_time_s());
}

std::optional<net::PeerId> GateTransport::connect(net::Address) {
  return std::nullopt;
}

const GateTransport::Peer* GateTransport::find(net::PeerId peer) const {
  const auto found = peers_.find(peer);
  return found == peers_.end() ? nullptr : &found->second;
}

void GateTransport::put(Gate& gate, const ServerFrame& frame) {
  const std::size_t before = gate.unsent.size();
  append_frame(gate.unsent, frame);
  ++counters_.datagrams_sent;
  counters_.bytes_sent += gate.unsent.size() - before;
}

bool GateTransport::send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) {
  JOSTLE_ASSERT(bytes.size() <=
                (is_reliable(channel) ? net::max_reliable_bytes : net::max_unreliable_bytes));
  const auto found = peers_.find(peer);
  if (found == peers_.end() || found->second.closing || found->second.is_handed_over ||
      bytes.empty())
    return false;
  Peer& to = found->second;
  Gate& gate = gates_.at(to.gate);
  if (is_reliable(channel)) {
    const std::uint64_t pending = to.reliable_sent - to.reliable_acknowledged;
    if (pending + bytes.size() > options_.max_pending_reliable_bytes) return false;
    to.reliable_sent += bytes.size();
  } else {
    if (gate.unsent.size() > max_unsent_unreliable_bytes) {
      ++counters_.send_failures;
      return false;
    }
    gate.has_open_group = true;
  }
  put(gate, LinkMessage{to.viewer, channel, bytes});
  return true;
}

void GateTransport::flush() {
  for (auto& [number, gate] : gates_) {
    if (std::exchange(gate.has_open_group, false)) put(gate, EndOfGroup{});
    (void)write(gate);  // the next service() notices a connection that has ended
  }
}

/// Writes what the socket accepts. Returns false if the connection must end.
bool GateTransport::write(Gate& gate) {
  if (gate.unsent.size() > max_unsent_bytes) {
    base::error("gate does not read", {{"bytes_waiting", gate.unsent.size()}});
    return false;
  }
  std::size_t sent = 0;
  while (sent < gate.unsent.size()) {
    const auto count = gate.connection->write(std::span(gate.unsent).subspan(sent));
    if (!count) return false;
    if (*count == 0) break;
    sent += *count;
  }
  gate.unsent.erase(gate.unsent.begin(), gate.unsent.begin() + static_cast<std::ptrdiff_t>(sent));
  const bool wants_write = !gate.unsent.empty();
  if (wants_write != gate.wants_write)
    handles_.want_write(gate.connection->handle(), gate.wants_write = wants_write);
  return true;
}

void GateTransport::close_viewer(const Peer& peer, net::DisconnectReason reason,
                                 bool is_immediate) {
  if (reason == net::DisconnectReason::Misbehaved)
    limits_.ban(peer.address.ip, io_.now_us() + options_.ban_us);
  // "Refused" with a text crosses only ENet's handshake. The Hello's Reject message has the words.
  if (reason == net::DisconnectReason::None || reason == net::DisconnectReason::Refused)
    reason = net::DisconnectReason::Requested;
  put(gates_.at(peer.gate), CloseViewer{peer.viewer, close_code(reason), is_immediate,
                                        std::string(net::describe(reason))});
}

void GateTransport::disconnect(net::PeerId peer, net::DisconnectReason reason) {
  const auto found = peers_.find(peer);
  if (found == peers_.end() || found->second.closing) return;
  const auto close = [&](Peer& closed) {
    close_viewer(closed, reason, false);
    closed.closing = reason;
    closed.closing_since_us = io_.now_us();
  };
  close(found->second);
  // Viewers that the gate serves have no session of their own that the server could end.
  if (!found->second.is_gate || reason != net::DisconnectReason::ServerShutdown) return;
  for (auto& [id, other] : peers_)
    if (other.is_handed_over && other.gate == found->second.gate && !other.closing) close(other);
}

void GateTransport::drop(net::PeerId peer, net::DisconnectReason reason) {
  const auto found = peers_.find(peer);
  if (found == peers_.end()) return;
  close_viewer(found->second, reason, true);
  end_peer(peer, reason, nullptr);
}

void GateTransport::end_peer(net::PeerId id, net::DisconnectReason reason,
                             std::vector<net::PeerEvent>* events) {
  const auto found = peers_.find(id);
  const Peer& peer = found->second;
  const bool has_session = !peer.is_handed_over;
  if (!has_session) --handed_over_;
  if (peer.token && !peer.token->is_reusable)
    options_.security.tokens->leave(peer.token->id, io_.unix_time_s());
  if (const auto gate = gates_.find(peer.gate); gate != gates_.end())
    gate->second.peers.erase(peer.viewer);
  peers_.erase(found);
  if (events != nullptr && has_session)
    events->push_back({.kind = net::PeerEvent::Kind::Disconnected,
                       .peer = id,
                       .reason = reason,
                       .bytes = {},
                       .text = {}});
}

void GateTransport::end_gate(std::uint32_t number, std::vector<net::PeerEvent>& events) {
  Gate& gate = gates_.at(number);
  base::warn("gate disconnected", {{"gate", number}, {"viewers", gate.peers.size()}});
  std::vector<net::PeerId> peers;
  for (const auto& [viewer, id] : gate.peers)
    peers.push_back(id);
  for (const net::PeerId id : peers)
    end_peer(id, peers_.at(id).closing.value_or(net::DisconnectReason::TimedOut), &events);
  handles_.remove(gate.connection->handle());
  gates_.erase(number);
}

std::size_t GateTransport::pending_reliable_bytes(net::PeerId peer) const {
  const Peer* const found = find(peer);
  return found == nullptr
             ? 0
             : static_cast<std::size_t>(found->reliable_sent - found->reliable_acknowledged);
}

std::optional<net::PeerStats> GateTransport::stats(net::PeerId peer) const {
  const Peer* const found = find(peer);
  if (found == nullptr) return std::nullopt;
  return net::PeerStats{.address = found->address, .round_trip_us = found->round_trip_us};
}

std::optional<net::PeerIdentity> GateTransport::identity(net::PeerId peer) const {
  const Peer* const found = find(peer);
  return found == nullptr ? std::nullopt : std::optional(found->identity);
}

std::string GateTransport::trouble_with(net::PeerId) const {
  return {};
}

bool GateTransport::has_answered(net::PeerId peer) const {
  return find(peer) != nullptr;
}

JoinedTransport::JoinedTransport(net::Transport& clients, GateTransport& viewers)
    : clients_(clients), viewers_(viewers) {
  if (clients.native_handle() >= 0) viewers.watch(clients.native_handle());
}

void JoinedTransport::service(std::vector<net::PeerEvent>& events) {
  clients_.service(events);
  viewers_.service(events);
}

void JoinedTransport::flush() {
  clients_.flush();
  viewers_.flush();
}

net::TransportCounters JoinedTransport::counters() const {
  net::TransportCounters sum = clients_.counters();
  const net::TransportCounters viewers = viewers_.counters();
  sum.datagrams_sent += viewers.datagrams_sent;
  sum.datagrams_received += viewers.datagrams_received;
  sum.bytes_sent += viewers.bytes_sent;
  sum.bytes_received += viewers.bytes_received;
  sum.send_failures += viewers.send_failures;
  return sum;
}

}  // namespace jostle::gate_link
