#include "server/admission.h"

#include "protocol/context/layout.h"
#include "protocol/player_name.h"
#include "protocol/version.h"
#include "server/address_shares.h"
#include "server/player_names.h"
#include "server/version_mismatch.h"
#include "shared/base/file_name.h"
#include "shared/base/optional_memory.h"
#include "shared/base/planted.h"
#include "shared/net/address_limits.h"
#include "shared/sim/players.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

struct Admission::Rejection {
  protocol::RejectCode code;
  std::string words;
  net::DisconnectReason reason;
};

namespace {

/// Returns true if the memory for a further client would leave the reserve of the ticks.
bool has_memory_for_client(const sim::Simulation& simulation) {
  constexpr std::size_t bytes_per_client = 2U << 20, bytes_per_body = 3'000;
  const base::OptionalWork work;
  return base::may_allocate(bytes_per_client + bytes_per_body * simulation.world().stats().bodies);
}

}  // namespace

void Admission::connect(net::PeerId peer) {
  if (is_closing_) return transport_.drop(peer, net::DisconnectReason::ServerShutdown);
  ClientSession session;
  session.peer = peer;
  session.connected_us = io_.now_us();
  session.active_tick = simulation_.tick();
  if (const auto stats = transport_.stats(peer))
    session.subscriber = net::subscriber_prefix_of(stats->address.ip);
  make_room_among_waiting(session.subscriber);
  if (const auto identity = transport_.identity(peer)) session.granted_role = identity->role;
  session.messages.budget = messages_per_second_of(options_.tick_rate_hz) * message_burst_seconds;
  clients_.sessions().emplace(peer, std::move(session));
}

std::optional<Admission::Rejection> Admission::why_rejected(const ClientSession& session,
                                                            const protocol::Hello& hello) const {
  using protocol::RejectCode;
  if (hello.version_major != protocol::version_major)
    return Rejection{RejectCode::VersionMismatch, describe_version_mismatch(hello),
                     net::DisconnectReason::VersionMismatch};
  if (hello.schema_hash != protocol::schema_hash() ||
      hello.priors_hash != protocol::context::trained_priors_hash()) {
    return Rejection{RejectCode::SchemaMismatch, describe_version_mismatch(hello),
                     net::DisconnectReason::VersionMismatch};
  }
  if (auto fault = protocol::name_fault(hello.client_name); !fault.empty())
    return Rejection{RejectCode::BadHello, std::move(fault), net::DisconnectReason::Refused};
  if (hello.role == protocol::Role::Player && session.granted_role == secure::Role::Spectator) {
    return Rejection{RejectCode::NotAllowed, "the token is for spectators, not for players",
                     net::DisconnectReason::Refused};
  }
  if (!has_memory_for_client(simulation_))
    return Rejection{RejectCode::ServerFull, "the server has no memory for another client",
                     net::DisconnectReason::ServerFull};
  return std::nullopt;
}

Admission::Rejection Admission::server_full(const Clients::Counts& counts,
                                            std::size_t reserved) const {
  return {
      protocol::RejectCode::ServerFull,
      "the server is full: " + std::to_string(counts.players) + " of " +
          std::to_string(options_.max_players) + " players, " + std::to_string(counts.members) +
          " of " + std::to_string(options_.max_sessions) + " connections" +
          (reserved == 0 ? ""
                         : ", " + std::to_string(reserved) + " reserved for reconnecting players"),
      net::DisconnectReason::ServerFull};
}

/// Returns why this client gets no place because of its address; null if it may have one. Counts
/// without the player `leaving`, unless that is null.
std::optional<Admission::Rejection> Admission::why_no_place(const ClientSession& session,
                                                            bool is_player,
                                                            const ClientSession* leaving) const {
  const AddressShares shares{options_.max_per_address};
  Clients::Counts all = clients_.counts(), here = clients_.counts(&session.subscriber);
  if (leaving != nullptr) {
    --all.members, --all.players;
    if (leaving->subscriber == session.subscriber) --here.members, --here.players;
  }
  std::string words =
      shares.why_refused(session.subscriber, options_.max_sessions, all.members, here.members);
  if (words.empty() && is_player)
    words = shares.why_refused(session.subscriber, options_.max_players, all.players, here.players);
  if (words.empty()) return std::nullopt;
  const bool is_full =
      all.members >= options_.max_sessions || (is_player && all.players >= options_.max_players);
  if (is_full) return server_full(all, 0);
  return Rejection{protocol::RejectCode::ServerFull, std::move(words),
                   net::DisconnectReason::ServerFull};
}

void Admission::receive_hello(ClientSession& session, const protocol::Hello& hello) {
  const auto reject = [&](Rejection rejection) {
    clients_.reject(session, rejection.code, std::move(rejection.words), rejection.reason);
  };
  if (auto rejection = why_rejected(session, hello)) return reject(*std::move(rejection));
  const bool is_player = hello.role == protocol::Role::Player;
  if (!holds_player(hello.reconnect_token)) {
    auto rejection = why_no_place(session, is_player, nullptr);
    const Clients::Counts counts = clients_.counts();
    // Each reconnect slot also reserves a connection. Spectators cannot use reserved connections;
    // new players can (see admit_player()).
    const std::size_t reserved = is_player ? 0 : reconnect_slots_.size();
    const bool has_room = counts.members + reserved < options_.max_sessions &&
                          (!is_player || counts.players < options_.max_players);
    if (!rejection && !has_room) rejection = server_full(counts, reserved);
    const bool is_full =
        counts.members >= options_.max_sessions || counts.players >= options_.max_players;
    const ClientSession* const idle =
        rejection && is_player && is_full ? longest_idle_player() : nullptr;
    if (idle != nullptr && !why_no_place(session, is_player, idle)) {
      end_idle(*idle);
    } else if (rejection) {
      return reject(*std::move(rejection));
    }
  }
  session.waiting_hello = hello;
  continue_waiting(session);
}

/// Welcomes the client if its token is stored, rejects it if it cannot be stored, and otherwise
/// lets it wait.
void Admission::continue_waiting(ClientSession& session) {
  using Answer = TokenGate::Answer;
  const auto identity = transport_.identity(session.peer);
  Answer answer = Answer::Stored;
  if (token_gate_ != nullptr && identity && identity->token && !identity->is_token_reusable)
    answer = token_gate_->ask(*identity->token, identity->key);
  if (answer == Answer::Waiting) return;
  const protocol::Hello hello = *std::exchange(session.waiting_hello, std::nullopt);
  if (answer == Answer::Refused) {
    return clients_.reject(session, protocol::RejectCode::NotAllowed,
                           "the use of the token could not be stored, or the token is used",
                           net::DisconnectReason::Refused);
  }
  welcome(session, hello);
}

void Admission::continue_waiting() {
  std::vector<net::PeerId> waiting;
  for (const auto& [peer, session] : clients_) {
    if (session.waiting_hello) waiting.push_back(peer);
  }
  for (const net::PeerId peer : waiting) {
    if (ClientSession* const session = clients_.find(peer)) continue_waiting(*session);
  }
}

void Admission::welcome(ClientSession& session, const protocol::Hello& hello) {
  const bool is_player = hello.role == protocol::Role::Player;
  std::optional<state::PlayerId> player =
      is_player ? take_over(hello.reconnect_token) : std::nullopt;
  const bool is_back = player.has_value();
  if (is_player && !player) player = admit_player(clients_.counts());
  if (is_player && !player) {
    Rejection full = server_full(clients_.counts(), 0);
    return clients_.reject(session, full.code, std::move(full.words), full.reason);
  }
  begin_joining(session, hello);
  if (player) {
    session.player = *player;
    session.reconnect_token = is_back && !base::is_planted("token-reissued")
                                  ? hello.reconnect_token
                                  : new_reconnect_token();
    session.name =
        is_back ? player_name(simulation_, *player).value_or(session.name)
                : free_player_name(session.name, player_names(simulation_, commands_.commands()));
    if (!is_back) {
      if (player_log_ != nullptr) player_log_->set(session.player, session.reconnect_token);
      commands_.add(state::JoinCommand{session.player, session.name});
    }
  }
  send_welcome(session);
  world_.send_whole(session);
  ++clients_.metrics().sessions_accepted;
  clients_.log(
      base::LogLevel::Info, is_back ? "client reconnected" : "client joined",
      {{"peer", session.peer.value}, {"name", session.name}, {"player", session.player.value}});
}

/// Returns true if a player waits for this reconnect token.
bool Admission::holds_player(std::uint64_t reconnect_token) const {
  return reconnect_token != 0 && (reconnect_slots_.has_key(reconnect_token) ||
                                  clients_.has_any([&](const ClientSession& session) {
                                    return session.reconnect_token == reconnect_token;
                                  }));
}

/// Drops the oldest connection without a Hello if there are too many: of this remote address, or in
/// total of the address that has the most.
void Admission::make_room_among_waiting(net::Ip subscriber) {
  std::map<net::Ip, std::size_t> waiting;
  std::size_t total = 0;
  for (const auto& [peer, session] : clients_) {
    if (session.state != ClientSessionState::AwaitHello || session.waiting_hello) continue;
    ++waiting[session.subscriber];
    ++total;
  }
  net::Ip crowded = subscriber;
  if (total >= max_waiting_of(options_.max_sessions)) {
    crowded = std::max_element(waiting.begin(), waiting.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
              })->first;
  } else if (subscriber.is_loopback() || waiting[subscriber] < max_waiting_per_address) {
    return;
  }
  const ClientSession* oldest = nullptr;
  for (const auto& [peer, session] : clients_) {
    if (session.state != ClientSessionState::AwaitHello || session.waiting_hello ||
        session.subscriber != crowded)
      continue;
    if (oldest == nullptr || session.connected_us < oldest->connected_us) oldest = &session;
  }
  if (oldest != nullptr) drop(oldest->peer, net::DisconnectReason::HandshakeTimeout);
}

/// Returns the player that has been idle for longest, if that is long enough; null otherwise.
const ClientSession* Admission::longest_idle_player() const {
  const auto limit = static_cast<std::int64_t>(options_.idle_seconds * options_.tick_rate_hz);
  const ClientSession* longest = nullptr;
  for (const auto& [peer, session] : clients_) {
    if (session.player.is_null() || simulation_.tick() - session.active_tick <= limit) continue;
    if (longest == nullptr || session.active_tick < longest->active_tick) longest = &session;
  }
  return limit == 0 ? nullptr : longest;
}

/// Ends the session of an idle player, so that its place is free.
void Admission::end_idle(const ClientSession& idle) {
  const net::PeerId peer = idle.peer;
  clients_.reject(
      idle, protocol::RejectCode::ServerFull,
      "you did nothing for " +
          std::to_string((simulation_.tick() - idle.active_tick) / options_.tick_rate_hz) +
          " s, and another player wants the place",
      net::DisconnectReason::ServerFull);
  end_session(peer, net::DisconnectReason::Requested);
}

void Admission::begin_joining(ClientSession& session, const protocol::Hello& hello) {
  session.state = ClientSessionState::Joining;
  session.name = displayed_player_name(hello.client_name);
  session.profile = hello.profile;
  session.budget.rate = RateController(options_.max_client_bytes_per_second);
  session.budget.bulk_window = SendBudget::joining_bulk_window_bytes;
  if (const auto stats = transport_.stats(session.peer))
    session.budget.rate.set_path_round_trip(stats->round_trip_us);
}

void Admission::send_welcome(ClientSession& session) {
  protocol::Welcome message;
  message.player = session.player;
  message.tick_rate_hz = static_cast<std::uint16_t>(options_.tick_rate_hz);
  message.snapshot_interval_ticks = static_cast<std::uint16_t>(options_.snapshot_interval_ticks);
  message.tick = simulation_.tick();
  message.world_revision = simulation_.world_def().revision;
  message.server_name = options_.name;
  message.reconnect_token = session.reconnect_token;
  clients_.send_control(session, message);
}

void Admission::leave(state::PlayerId player) {
  if (player_log_ != nullptr) player_log_->remove(player);
  if (base::is_planted("leave-forgotten")) return;
  commands_.add(state::LeaveCommand{player});
}

void Admission::restore_players(const journal::PlayerLog::Tokens& tokens, journal::PlayerLog* log) {
  player_log_ = log;
  const auto kept_us = static_cast<std::int64_t>(options_.reconnect_window_seconds * 1e6);
  for (const sim::Player& player : simulation_.players().all()) {
    last_player_id_ = std::max(last_player_id_, player.id.value);
    const auto token = tokens.find(player.id);
    if (token == tokens.end() || kept_us == 0) {
      leave(player.id);
    } else {
      reconnect_slots_.keep({token->second, player.id, io_.now_us() + kept_us});
    }
  }
}

std::optional<state::PlayerId> Admission::take_over(std::uint64_t reconnect_token) {
  if (base::is_planted("wrong-owner")) return reconnect_slots_.take_oldest();
  if (const auto kept = reconnect_slots_.take(reconnect_token)) return kept;
  const auto old = std::find_if(clients_.begin(), clients_.end(), [&](const auto& entry) {
    return reconnect_token != 0 && entry.second.reconnect_token == reconnect_token;
  });
  if (old == clients_.end()) return {};
  if (base::is_planted("two-owners")) return old->second.player;
  const net::PeerId peer = old->first;
  const state::PlayerId player = std::exchange(old->second.player, {});
  transport_.drop(peer, net::DisconnectReason::Requested);
  end_session(peer, net::DisconnectReason::Requested);
  return player;
}

std::optional<state::PlayerId> Admission::admit_player(const Clients::Counts& counts) {
  if (counts.players >= options_.max_players) return {};
  // A new player has priority over the reconnect slots.
  if (counts.players + reconnect_slots_.size() >= options_.max_players ||
      counts.members + reconnect_slots_.size() >= options_.max_sessions) {
    if (const auto given_up = reconnect_slots_.take_oldest()) leave(*given_up);
  }
  return next_player_id();
}

std::uint64_t Admission::new_reconnect_token() {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  io_.fill_random(bytes);
  std::uint64_t token = 0;
  for (const std::byte byte : bytes)
    token = token << 8 | static_cast<std::uint64_t>(byte);
  return std::max<std::uint64_t>(token, 1);
}

void Admission::end_session(net::PeerId peer, net::DisconnectReason reason) {
  const ClientSession* const session = clients_.find(peer);
  if (session == nullptr) return;
  clients_.metrics().inputs += session->inputs.counters();
  if (!session->player.is_null()) {
    const auto kept_us = static_cast<std::int64_t>(options_.reconnect_window_seconds * 1e6);
    if (reason == net::DisconnectReason::TimedOut && kept_us > 0) {
      reconnect_slots_.keep({session->reconnect_token, session->player, io_.now_us() + kept_us});
    } else {
      leave(session->player);
    }
  }
  if (session->state != ClientSessionState::AwaitHello) {
    clients_.log(base::LogLevel::Info, "client left",
                 {{"peer", peer.value}, {"name", session->name}, {"why", net::describe(reason)}});
  }
  clients_.sessions().erase(peer);
}

void Admission::expire_reconnect_slots() {
  if (base::is_planted("slot-never-freed")) return;
  for (const state::PlayerId player : reconnect_slots_.take_expired(io_.now_us()))
    leave(player);
}

/// Returns true if a client that plays has acknowledged nothing new for too long, although it
/// sends.
bool Admission::has_stopped_acknowledging(const ClientSession& session) const {
  const std::int64_t ticks = simulation_.tick() - session.snapshots.last_progress;
  return session.state == ClientSessionState::Playing && !session.lockstep &&
         ticks > std::int64_t{max_unacknowledged_seconds} * options_.tick_rate_hz;
}

void Admission::drop(net::PeerId peer, net::DisconnectReason reason) {
  const ClientSession* const session = clients_.find(peer);
  if (session != nullptr && session->is_rejected) {
    // It was logged and counted when it was rejected.
    transport_.drop(peer, reason);
    return end_session(peer, reason);
  }
  ++clients_.metrics().sessions_dropped;
  const auto stats = transport_.stats(peer);
  clients_.log(base::LogLevel::Warn, "client dropped",
               {{"time", base::utc_stamp(io_.unix_time_s())},
                {"peer", peer.value},
                {"address", stats ? net::to_string(stats->address) : "unknown"},
                {"why", net::describe(reason)}});
  transport_.drop(peer, reason);
  end_session(peer, reason);
}

void Admission::drop_overdue_sessions() {
  std::vector<std::pair<net::PeerId, net::DisconnectReason>> overdue;
  const std::int64_t now_us = io_.now_us();
  for (const auto& [peer, session] : clients_) {
    if (session.messages.refused_score > max_refused_messages) {
      overdue.emplace_back(peer, net::DisconnectReason::Misbehaved);
    } else if (session.state == ClientSessionState::AwaitHello && !session.waiting_hello &&
               now_us - session.connected_us > options_.handshake_timeout_us) {
      overdue.emplace_back(peer, net::DisconnectReason::HandshakeTimeout);
    } else if (session.snapshots.keyframes_unanswered >= max_unanswered_keyframes ||
               has_stopped_acknowledging(session)) {
      overdue.emplace_back(peer, net::DisconnectReason::TooSlow);
    }
  }
  for (const auto& [peer, reason] : overdue)
    drop(peer, reason);
}

void Admission::disconnect_all() {
  is_closing_ = true;
  for (const auto& [peer, session] : clients_)
    transport_.disconnect(peer, net::DisconnectReason::ServerShutdown);
  transport_.flush();
}

state::PlayerId Admission::next_player_id() {
  const auto is_taken = [&](std::uint16_t value) {
    return value == 0 || reconnect_slots_.holds({value}) ||
           clients_.has_any(
               [&](const ClientSession& session) { return session.player.value == value; });
  };
  do {
    ++last_player_id_;
  } while (is_taken(last_player_id_));
  return {last_player_id_};
}

}  // namespace jostle::server
