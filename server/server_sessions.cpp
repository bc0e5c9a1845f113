#include "protocol/context/layout.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"
#include "protocol/player_name.h"
#include "protocol/version.h"
#include "server/player_names.h"
#include "server/server.h"
#include "server/version_mismatch.h"
#include "shared/base/log.h"
#include "shared/scene_files/scene_files.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

// The part of Server that handles connections: their messages, and when they end.

namespace jostle::server {
void Server::handle(const net::PeerEvent& event) {
  if (event.kind == net::PeerEvent::Kind::Connected) {
    if (is_closing_) return transport_.drop(event.peer, net::DisconnectReason::ServerShutdown);
    ClientSession session;
    session.peer = event.peer;
    session.connected_us = io_.now_us();
    if (const auto identity = transport_.identity(event.peer))
      session.granted_role = identity->role;
    session.message_budget = messages_per_second_of(options_.tick_rate_hz) * message_burst_seconds;
    sessions_.emplace(event.peer, std::move(session));
    return;
  }
  const auto it = sessions_.find(event.peer);
  if (it == sessions_.end()) return;  // the message was sent before the peer was dropped
  if (event.kind == net::PeerEvent::Kind::Disconnected) {
    end_session(event.peer, event.reason);
    return;
  }
  handle_message(it->second, event);
}

void Server::handle_message(ClientSession& session, const net::PeerEvent& event) {
  if (session.message_budget < 1.0 || event.bytes.size() > protocol::max_client_message_bytes) {
    return refuse(session);
  }
  session.message_budget -= 1.0;
  session.last_heard = simulation_.tick();
  switch (event.channel) {
    case net::Channel::Control:
      return handle_control(session, event.bytes);
    case net::Channel::State:
      return handle_state(session, event.bytes);
    case net::Channel::Time:
      return handle_time(session, event.bytes);
    case net::Channel::Bulk:
      return refuse(session);  // clients send nothing there
  }
}

void Server::handle_control(ClientSession& session, std::span<const std::byte> bytes) {
  if (protocol::is_lockstep(bytes)) return handle_lockstep(session, bytes);
  const auto message = protocol::decode_control(bytes, protocol::max_client_message_bytes);
  if (!message) return refuse(session);
  if (const auto* hello = std::get_if<protocol::Hello>(&*message)) {
    if (session.state != ClientSessionState::AwaitHello) return refuse(session);
    return welcome(session, *hello);
  }
  if (session.state == ClientSessionState::AwaitHello) return refuse(session);
  if (const auto* request = std::get_if<protocol::ControlRequest>(&*message)) {
    if (!may_control(session)) return send_control_denied(session);
    return handle_control(session, request->command);
  }
  if (std::holds_alternative<protocol::SceneListRequest>(*message)) return send_scene_list(session);
  if (const auto* request = std::get_if<protocol::SceneRequest>(&*message)) {
    return handle_scene_request(session, request->name);
  }
  if (std::holds_alternative<protocol::SimulationRequest>(*message)) {
    return handle_simulation_request(session);
  }
  if (const auto* offer = std::get_if<protocol::PredictionBaselineOffer>(&*message)) {
    return handle_prediction_baseline_offer(session, *offer);
  }
  if (const auto* interest = std::get_if<protocol::SetInterest>(&*message)) {
    session.interest = *interest;
    return;
  }
  if (const auto* request = std::get_if<protocol::InspectRequest>(&*message)) {
    if (session.inspection.body != request->body) session.report_due = simulation_.tick();
    session.inspection = *request;
    return;
  }
  refuse(session);
}

/// Returns true if the client may pause, step, reset, or change gravity or the scene.
bool Server::may_control(const ClientSession& session) const {
  return options_.is_sandbox || session.granted_role == secure::Role::Operator;
}

/// Tells the client that it may not control the world. At most once per second, because a key that
/// is held down repeats the request.
void Server::send_control_denied(ClientSession& session) {
  constexpr std::int64_t interval_us = 1'000'000;
  ++metrics_.controls_denied;
  const std::int64_t now_us = io_.now_us();
  if (session.control_denied_us && now_us - *session.control_denied_us < interval_us) return;
  session.control_denied_us = now_us;
  send_control(session, protocol::Notice{"only operators may pause, step, reset or change the "
                                         "scene, unless the server runs with --sandbox"});
}

void Server::handle_simulation_request(ClientSession& session) {
  const std::int64_t now_us = io_.now_us();
  if (session.simulation_asked_us &&
      now_us - *session.simulation_asked_us < simulation_interval_us) {
    return refuse(session);
  }
  session.simulation_asked_us = now_us;
  session.wants_simulation = true;
}

/// Processes an offer to decode predicted snapshots. If the offer is for another engine or scene,
/// the client receives snapshots of other codecs; this does not count as misbehaviour.
void Server::handle_prediction_baseline_offer(ClientSession& session,
                                              const protocol::PredictionBaselineOffer& offer) {
  if (!options_.uses_prediction_baseline || !session.receives_commands) return;
  if (!baseline_predictor_) {
    baseline_predictor_.emplace(simulation_.scene(), options_.tick_rate_hz);
    scene_hash_ = scene::hash(simulation_.scene());
  }
  session.uses_prediction_baseline =
      offer.hash == prediction_baseline::fingerprint() && offer.scene_hash == scene_hash_;
}

void Server::send_scene_list(ClientSession& session) {
  const std::int64_t now_us = io_.now_us();
  if (session.scene_list_sent_us && now_us - *session.scene_list_sent_us < scene_interval_us) {
    return refuse(session);
  }
  session.scene_list_sent_us = now_us;
  if (scenes_.entries.empty()) {
    return send_control(session, protocol::Notice{"the server has no scenes to choose from"});
  }
  protocol::SceneInfo info;
  info.count = static_cast<std::uint16_t>(scenes_.entries.size());
  for (const SceneCatalogue::Entry& entry : scenes_.entries) {
    info.name = entry.name;
    info.description = entry.description;
    send_control(session, info);
    ++info.index;
  }
}

void Server::handle_scene_request(ClientSession& session, const std::string& name) {
  if (++session.controls_this_tick > max_controls_per_tick) return refuse(session);
  if (!may_control(session)) ++metrics_.controls_denied;
  if (auto why_not = why_no_scene(session, name))
    return send_control(session, protocol::Notice{std::move(*why_not)});
  if (scene_request_ && scene_request_->peer != session.peer) {
    if (const auto other = sessions_.find(scene_request_->peer); other != sessions_.end())
      send_control(other->second, protocol::Notice{"another client chose scene '" + name + "'"});
  }
  scene_request_ = {session.peer, name};
}

std::optional<std::string> Server::why_no_scene(const ClientSession& session,
                                                const std::string& name) const {
  if (!may_control(session))
    return "only operators may change the scene, unless the server runs with --sandbox";
  const bool is_there =
      std::any_of(scenes_.entries.begin(), scenes_.entries.end(),
                  [&](const SceneCatalogue::Entry& entry) { return entry.name == name; });
  if (!is_there) return "the server has no scene '" + name + "'";
  // A recording holds one scene.
  if (recording_ != nullptr)
    return "the scene cannot be changed while the run is recorded with --record FILE";
  return std::nullopt;
}

void Server::apply_scene_request() {
  const std::int64_t now_us = io_.now_us();
  if (!scene_request_ || !scene_rest_.is_over(now_us)) return;
  scene_rest_.note(now_us, now_us);
  const SceneRequest wish = *std::exchange(scene_request_, std::nullopt);
  const auto session = sessions_.find(wish.peer);
  if (auto why_not = load_scene(wish.name)) {
    if (session != sessions_.end())
      send_control(session->second, protocol::Notice{std::move(*why_not)});
    return;
  }
  const std::string by =
      session != sessions_.end() ? session->second.name : "a client that has left";
  log_.write(io_.now_us(), base::LogLevel::Info, "scene loaded",
             {{"scene", wish.name}, {"by", by}});
}

std::optional<std::string> Server::load_scene(const std::string& name) {
  auto scene = scenes_.load(name);
  if (!scene) {
    // The details of the error are for the operator only.
    log_.write(io_.now_us(), base::LogLevel::Warn, "scene cannot be read",
               {{"scene", name}, {"why", scene.error()}});
    return "scene '" + name + "' can no longer be read";
  }
  if (auto why_not = why_not_servable(*scene, options_.max_players)) return why_not;
  simulation_.load(*std::move(scene));
  restart_lockstep();
  begun_scene_file_ = scene::scene_path(name);
  return std::nullopt;
}

void Server::handle_control(ClientSession& session, const state::ControlCommand& command) {
  if (++session.controls_this_tick > max_controls_per_tick) return refuse(session);
  if (command.kind == state::ControlKind::Reset) {
    reset_request_ = command;
  } else {
    pending_.emplace_back(command);
  }
}

void Server::apply_reset_request() {
  const std::int64_t now_us = io_.now_us();
  if (!reset_request_ || !reset_rest_.is_over(now_us)) return;
  reset_rest_.note(now_us, now_us);
  pending_.emplace_back(*std::exchange(reset_request_, std::nullopt));
}

void Server::handle_state(ClientSession& session, std::span<const std::byte> bytes) {
  const auto packet = protocol::decode_input(bytes);
  if (!packet) return refuse(session);
  // A packet that arrives before the session's Hello is not misbehaviour: channels are not ordered
  // relative to each other.
  if (session.state == ClientSessionState::AwaitHello) return;
  if (session.lockstep) {
    handle_report(session, *packet);
    return handle_inputs(session, *packet);
  }
  const state::Tick known_before = session.baselines.newest_acknowledged();
  const std::int64_t now_us = io_.now_us();
  for (const BaselineTracker::AcknowledgedParts& news :
       session.baselines.acknowledge(packet->ack, history_))
    session.rate.note_acknowledged(news.tick, news.parts, now_us);
  if (session.keyframe && session.state == ClientSessionState::Joining) {
    const std::int64_t behind = packet->ack.newest - session.keyframe->tick;
    const bool is_in_history =
        behind >= 1 && behind <= 32 && ((packet->ack.history >> (behind - 1)) & 1U) != 0;
    if (behind == 0 || is_in_history) {
      session.baselines.acknowledge_all(*session.keyframe);
      session.keyframe.reset();
      session.keyframes_unanswered = 0;
      session.state = ClientSessionState::Playing;
    }
  } else if (session.state == ClientSessionState::Joining && !session.wants_keyframe) {
    session.wants_keyframe = true;  // the client is sending again
  }
  if (session.baselines.newest_acknowledged() > known_before) {
    session.last_progress = simulation_.tick();
  }
  handle_inputs(session, *packet);
}

void Server::handle_inputs(ClientSession& session, const protocol::InputPacket& packet) {
  if (session.player.is_null()) return;
  for (const state::PlayerInput& input : packet.inputs)
    session.inputs.accept(input, simulation_.tick());
}

void Server::handle_time(ClientSession& session, std::span<const std::byte> bytes) {
  const auto ping = protocol::decode_ping(bytes);
  if (!ping) return refuse(session);
  protocol::TimePong pong;
  pong.id = ping->id;
  pong.client_send_us = ping->client_send_us;
  pong.server_receive_us = io_.now_us();
  pong.tick = simulation_.tick();
  pong.tick_due_us = tick_due_us_;
  pongs_.emplace_back(session.peer, pong);
}

/// Sends all pending pongs together, because each flush of the transport visits every peer.
void Server::send_pongs() {
  if (pongs_.empty()) return;
  for (auto& [peer, pong] : pongs_) {
    pong.server_send_us = io_.now_us();
    if (!transport_.send(peer, net::Channel::Time, protocol::encode_pong(pong)))
      ++metrics_.sends_failed;
  }
  pongs_.clear();
  transport_.flush();
}

void Server::welcome(ClientSession& session, const protocol::Hello& hello) {
  if (hello.version_major != protocol::version_major) {
    return reject(session, protocol::RejectCode::VersionMismatch, describe_version_mismatch(hello),
                  net::DisconnectReason::VersionMismatch);
  }
  if (hello.schema_hash != protocol::schema_hash() ||
      hello.priors_hash != protocol::context::trained_priors_hash()) {
    return reject(session, protocol::RejectCode::SchemaMismatch, describe_version_mismatch(hello),
                  net::DisconnectReason::VersionMismatch);
  }
  if (auto fault = protocol::player_name_fault(hello.client_name); !fault.empty()) {
    return reject(session, protocol::RejectCode::BadHello, std::move(fault),
                  net::DisconnectReason::Refused);
  }
  const bool is_player = hello.role == protocol::Role::Player;
  if (is_player && session.granted_role == secure::Role::Spectator) {
    return reject(session, protocol::RejectCode::NotAllowed,
                  "the token is for spectators (--spectate), not for players",
                  net::DisconnectReason::Refused);
  }
  std::optional<state::PlayerId> player =
      is_player ? take_over(hello.reconnect_token) : std::nullopt;
  const bool is_back = player.has_value();
  const PlayerCounts there = player_counts();
  // Each reconnect slot also reserves a connection. Spectators cannot use reserved connections; new
  // players can (see admit_player()).
  const std::size_t kept = is_player ? 0 : places_.size();
  const bool has_room = is_back || there.members + kept < options_.max_sessions;
  if (is_player && !player && has_room) player = admit_player(there);
  if (!has_room || (is_player && !player)) {
    return reject(
        session, protocol::RejectCode::ServerFull,
        "the server is full: " + std::to_string(there.players) + " of " +
            std::to_string(options_.max_players) + " players, " + std::to_string(there.members) +
            " of " + std::to_string(options_.max_sessions) + " connections" +
            (kept == 0 ? "" : ", " + std::to_string(kept) + " reserved for reconnecting players"),
        net::DisconnectReason::ServerFull);
  }
  session.state = ClientSessionState::Joining;
  session.role = hello.role;
  session.name = hello.client_name;
  session.profile = hello.profile;
  session.rate = RateController(options_.max_client_bytes_per_second);
  if (player) {
    session.player = *player;
    session.reconnect_token = is_back ? hello.reconnect_token : new_reconnect_token();
    session.name = is_back ? player_name(simulation_, *player).value_or(session.name)
                           : free_player_name(session.name, player_names(simulation_, pending_));
    if (!is_back) pending_.emplace_back(state::JoinCommand{session.player, session.name});
  }
  protocol::Welcome message;
  message.player = session.player;
  message.tick_rate_hz = static_cast<std::uint16_t>(options_.tick_rate_hz);
  message.snapshot_interval_ticks = static_cast<std::uint16_t>(options_.snapshot_interval_ticks);
  message.tick = simulation_.tick();
  message.world_revision = simulation_.world_def().revision;
  message.server_name = options_.name;
  message.reconnect_token = session.reconnect_token;
  send_control(session, message);
  send_world(session);
  session.wants_keyframe = true;
  ++metrics_.sessions_accepted;
  log_.write(
      io_.now_us(), base::LogLevel::Info, is_back ? "client reconnected" : "client joined",
      {{"peer", session.peer.value}, {"name", session.name}, {"player", session.player.value}});
}

Server::PlayerCounts Server::player_counts() const {
  PlayerCounts there;
  for (const auto& [peer, session] : sessions_) {
    if (session.state == ClientSessionState::AwaitHello) continue;
    ++there.members;
    if (!session.player.is_null()) ++there.players;
  }
  return there;
}

/// Takes the player from a reconnect slot, or from an old session whose connection the server still
/// considers alive.
std::optional<state::PlayerId> Server::take_over(std::uint64_t reconnect_token) {
  if (const auto kept = places_.take(reconnect_token)) return kept;
  const auto old = std::find_if(sessions_.begin(), sessions_.end(), [&](const auto& entry) {
    return reconnect_token != 0 && entry.second.reconnect_token == reconnect_token;
  });
  if (old == sessions_.end()) return {};
  const net::PeerId peer = old->first;
  const state::PlayerId player = std::exchange(old->second.player, {});
  transport_.drop(peer, net::DisconnectReason::Requested);
  end_session(peer, net::DisconnectReason::Requested);
  return player;
}

std::optional<state::PlayerId> Server::admit_player(const PlayerCounts& there) {
  if (there.players >= options_.max_players) return {};
  // Connected clients have priority over reserved slots.
  if (there.players + places_.size() >= options_.max_players ||
      there.members + places_.size() >= options_.max_sessions) {
    if (const auto given_up = places_.take_oldest())
      pending_.emplace_back(state::LeaveCommand{*given_up});
  }
  return next_player_id();
}

std::uint64_t Server::new_reconnect_token() {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  io_.fill_random(bytes);
  std::uint64_t key = 0;
  for (const std::byte byte : bytes)
    key = key << 8 | static_cast<std::uint64_t>(byte);
  return std::max<std::uint64_t>(key, 1);
}

void Server::expire_reconnect_slots() {
  for (const state::PlayerId player : places_.take_expired(io_.now_us()))
    pending_.emplace_back(state::LeaveCommand{player});
}

void Server::reject(ClientSession& session, protocol::RejectCode code, std::string words,
                    net::DisconnectReason reason) {
  log_.write(io_.now_us(), base::LogLevel::Info, "client rejected",
             {{"peer", session.peer.value}, {"why", words}});
  ++metrics_.sessions_rejected;
  send_control(session, protocol::Reject{code, std::move(words)});
  transport_.disconnect(session.peer, reason);
}

void Server::refuse(ClientSession& session) {
  ++metrics_.messages_refused;
  ++session.messages_refused;
  session.refused_score += 1.0;
}

void Server::end_session(net::PeerId peer, net::DisconnectReason reason) {
  const auto it = sessions_.find(peer);
  if (it == sessions_.end()) return;
  const ClientSession& session = it->second;
  const InputCounters& inputs = session.inputs.counters();
  metrics_.inputs.accepted += inputs.accepted;
  metrics_.inputs.late += inputs.late;
  metrics_.inputs.duplicate += inputs.duplicate;
  metrics_.inputs.early += inputs.early;
  metrics_.inputs.missing += inputs.missing;
  metrics_.inputs.actions_lost += inputs.actions_lost;
  if (!session.player.is_null()) {
    const auto kept_us = static_cast<std::int64_t>(options_.reconnect_window_seconds * 1e6);
    if (reason == net::DisconnectReason::TimedOut && kept_us > 0) {
      places_.keep({session.reconnect_token, session.player, io_.now_us() + kept_us});
    } else {
      pending_.emplace_back(state::LeaveCommand{session.player});
    }
  }
  if (session.state != ClientSessionState::AwaitHello) {
    log_.write(io_.now_us(), base::LogLevel::Info, "client left",
               {{"peer", peer.value}, {"name", session.name}, {"why", net::describe(reason)}});
  }
  sessions_.erase(it);
}

void Server::drop_overdue_sessions() {
  std::vector<std::pair<net::PeerId, net::DisconnectReason>> overdue;
  const std::int64_t now_us = io_.now_us();
  for (const auto& [peer, session] : sessions_) {
    if (session.refused_score > max_refused_messages) {
      overdue.emplace_back(peer, net::DisconnectReason::Misbehaved);
    } else if (session.state == ClientSessionState::AwaitHello &&
               now_us - session.connected_us > options_.handshake_timeout_us) {
      overdue.emplace_back(peer, net::DisconnectReason::HandshakeTimeout);
    } else if (session.keyframes_unanswered >= max_unanswered_keyframes) {
      overdue.emplace_back(peer, net::DisconnectReason::TooSlow);
    }
  }
  for (const auto& [peer, reason] : overdue) {
    ++metrics_.sessions_dropped;
    log_.write(io_.now_us(), base::LogLevel::Warn, "client dropped",
               {{"peer", peer.value}, {"why", net::describe(reason)}});
    transport_.drop(peer, reason);
    end_session(peer, reason);
  }
}

state::PlayerId Server::next_player_id() {
  const auto is_taken = [&](std::uint16_t value) {
    if (value == 0) return true;
    for (const auto& [peer, session] : sessions_) {
      if (session.player.value == value) return true;
    }
    return places_.holds({value});
  };
  do {
    ++last_player_id_;
  } while (is_taken(last_player_id_));
  return {last_player_id_};
}

}  // namespace jostle::server
