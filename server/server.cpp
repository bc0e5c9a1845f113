#include "server/server.h"

#include "protocol/input_codec.h"
#include "protocol/version.h"
#include "protocol/visuals_codec.h"
#include "protocol/world_codec.h"
#include "shared/base/hash.h"
#include "shared/base/log.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace jostle::server {

Server::Server(net::Io& io, net::Transport& transport, sim::Simulation& simulation, Options options)
    : io_(io),
      transport_(transport),
      simulation_(simulation),
      options_(std::move(options)),
      sync_test_(options_.sync_test_ticks),
      paid_us_(io.now_us()) {
  if (options_.is_lockstep) lockstep_.emplace();
}

void Server::tick(std::int64_t due_us) {
  enter(Phase::Receive);
  handle_packets();
  enter(Phase::Simulate);
  apply_scene_request();
  apply_reset_request();
  const state::TickCommands commands = gather_commands();
  simulation_.step(commands);
  inject_faults();
  if (lockstep_) lockstep_->note(commands, simulation_);
  test_rollback(commands);
  tick_due_us_ = due_us;
  record(commands);
  enter(Phase::Encode);
  publish_news(commands);
  predict_baseline(commands);
  publish_world_change();
  publish_status();
  publish_snapshot();
  publish_frames();
  publish_simulation();
  publish_visuals();
  publish_debug_draws();
  publish_report();
  for (auto& [peer, session] : sessions_) {
    send_blobs(session);
    session.controls_this_tick = 0;
  }
  drop_overdue_sessions();
  expire_reconnect_slots();
  log_recording_failure();
  log_quarantine();
  enter(Phase::Send);
  transport_.flush();
  ++metrics_.ticks;
  enter(Phase::Other);
  profile_tick();
}

void Server::set_recent(record::RingRecorder* recent, const std::string& scene_file) {
  recent_ = recent;
  recent_->begin(simulation_, scene_file);
}

void Server::record(const state::TickCommands& commands) {
  if (recording_ != nullptr) recording_->add_tick(commands, simulation_, injected_faults_);
  const auto begun = std::exchange(begun_scene_file_, std::nullopt);
  if (recent_ == nullptr) return;
  if (begun) {
    recent_->begin(simulation_, *begun);
  } else {
    recent_->add_tick(commands, simulation_, injected_faults_);
  }
}

void Server::receive() {
  enter(Phase::Receive);
  handle_packets();
  enter(Phase::Other);
}

void Server::handle_packets() {
  refill_budgets();
  events_.clear();
  transport_.service(events_);
  for (const net::PeerEvent& event : events_)
    handle(event);
  send_pongs();
}

void Server::command(const state::ControlCommand& command) {
  pending_.emplace_back(command);
}

void Server::disconnect_all() {
  is_closing_ = true;
  for (const auto& [peer, session] : sessions_) {
    transport_.disconnect(peer, net::DisconnectReason::ServerShutdown);
  }
  transport_.flush();
}

state::TickCommands Server::gather_commands() {
  state::TickCommands commands;
  commands.tick = simulation_.tick() + 1;
  commands.commands = std::exchange(pending_, {});
  // Inputs are applied in the order of player ids, so that results do not depend on the order of
  // peers.
  std::vector<ClientSession*> players;
  for (auto& [peer, session] : sessions_) {
    if (!session.player.is_null()) players.push_back(&session);
  }
  std::sort(players.begin(), players.end(),
            [](const ClientSession* a, const ClientSession* b) { return a->player < b->player; });
  for (ClientSession* session : players) {
    state::PlayerInput input = session->inputs.take(commands.tick);
    const bool is_idle = input.move_x == 0.0f && input.move_z == 0.0f && input.buttons == 0 &&
                         input.actions.empty() && input.custom.empty();
    // The simulation assumes idle players by default, so leaving these inputs out keeps recordings
    // small.
    if (is_idle) continue;
    commands.commands.emplace_back(state::InputCommand{session->player, std::move(input)});
  }
  return commands;
}

void Server::publish_world_change() {
  const auto& change = simulation_.last_change();
  if (!change) return;
  const bool is_whole_world_cheaper =
      simulation_.was_reset() || !protocol::fits_control_message(*change);
  for (auto& [peer, session] : sessions_) {
    if (session.state == ClientSessionState::AwaitHello) continue;
    if (is_whole_world_cheaper) {
      send_world(session);
      session.wants_keyframe = true;
    } else {
      send_control(session, *change);
    }
  }
}

/// Sends the commands of the tick to clients that run the simulation themselves. The commands must
/// arrive before the world change, because clients compare the change with their own result.
void Server::publish_news(const state::TickCommands& commands) {
  const bool is_anyone_told =
      std::any_of(sessions_.begin(), sessions_.end(),
                  [](const auto& entry) { return entry.second.receives_commands; });
  if (!is_anyone_told) return;
  const auto messages = simulation_feed_.commands_of(commands);
  for (auto& [peer, session] : sessions_) {
    if (!session.receives_commands) continue;
    session.wants_simulation |= simulation_.was_reset();
    for (const std::vector<std::byte>& message : messages) {
      if (transport_.send(peer, net::Channel::Control, message)) continue;
      ++metrics_.sends_failed;
      session.wants_simulation = true;
    }
  }
}

/// Sends the full simulation state to every client that requested it. Rate-limited so that encoding
/// takes at most 2 % of the time.
void Server::publish_simulation() {
  const bool is_anyone_waiting =
      std::any_of(sessions_.begin(), sessions_.end(),
                  [](const auto& entry) { return entry.second.wants_simulation; });
  const std::int64_t began_us = io_.now_us();
  if (!is_anyone_waiting || !simulation_rest_.is_over(began_us)) return;
  const SharedBlob whole = simulation_feed_.whole(simulation_);
  simulation_rest_.note(began_us, io_.now_us());
  for (auto& [peer, session] : sessions_) {
    if (!std::exchange(session.wants_simulation, false)) continue;
    if (whole == nullptr && session.lockstep) {
      reject(session, protocol::RejectCode::NotAllowed,
             "this world cannot be played in lockstep: it is too large, or not loaded from a file",
             net::DisconnectReason::Refused);
      continue;
    }
    if (session.lockstep) {
      session.lockstep = LockstepPeer{.begins_after = simulation_.tick(), .is_sent = true};
    } else {
      session.receives_commands = whole != nullptr;
    }
    if (whole != nullptr) {
      session.blobs.add(whole);
    } else {
      send_control(session, protocol::Notice{"this world cannot be predicted: it is too large, or "
                                             "not loaded from a file"});
    }
  }
}

/// Stores the tick's inputs for predicted snapshots. If another scene was loaded, stops predicting
/// until clients offer it for that scene.
void Server::predict_baseline(const state::TickCommands& commands) {
  if (!baseline_predictor_) return;
  if (simulation_.was_reset() && scene::hash(simulation_.scene()) != scene_hash_) {
    baseline_predictor_.reset();
    for (auto& [peer, session] : sessions_)
      session.uses_prediction_baseline = false;
    return;
  }
  baseline_predictor_->note(commands);
  baseline_predictor_->set_world(simulation_.world_def());
}

void Server::publish_snapshot() {
  const auto interval = static_cast<std::uint32_t>(options_.snapshot_interval_ticks);
  if (simulation_.tick().number % interval != 0) return;
  const state::Snapshot captured = simulation_.capture();
  newest_snapshot_ =
      std::make_shared<const protocol::QuantizedSnapshot>(protocol::quantize(captured));
  history_.push(newest_snapshot_);
  if (snapshot_hook_) snapshot_hook_(*newest_snapshot_);
  precise_frames_.begin(captured, wanted_profiles(), options_.tick_rate_hz);
  snapshot_sender_.begin(newest_snapshot_, simulation_.world_def(),
                         options_.snapshot_interval_ticks, 1.0 / options_.tick_rate_hz,
                         baseline_predictor_ ? &*baseline_predictor_ : nullptr, &precise_frames_);
  for (auto& [peer, session] : sessions_) {
    if (session.state == ClientSessionState::AwaitHello || session.lockstep) continue;
    resync_if_stalled(session);
    if (session.wants_keyframe) start_keyframe(session);
    if (session.state != ClientSessionState::Playing) {
      SnapshotSender::skip(session);
      continue;
    }
    const SnapshotSender::Sent sent = snapshot_sender_.send(session, transport_, history_);
    metrics_.snapshots_sent += sent.is_none ? 0 : 1;
    metrics_.snapshots_shortened += sent.is_some || sent.is_none ? 1 : 0;
    metrics_.snapshot_bytes += sent.bytes;
    metrics_.sends_failed += sent.failed;
    session.snapshot_bytes += sent.bytes;
    metrics_.client_seconds += static_cast<double>(interval) / options_.tick_rate_hz;
  }
}

PreciseFrames::Wanted Server::wanted_profiles() const {
  PreciseFrames::Wanted wanted{};
  for (const auto& [peer, session] : sessions_) {
    if (session.state != ClientSessionState::AwaitHello)
      wanted[static_cast<std::size_t>(session.profile)] = true;
  }
  return wanted;
}

bool Server::is_due(double per_second) const {
  const double interval = static_cast<double>(options_.tick_rate_hz) / per_second;
  return simulation_.tick().number % static_cast<std::uint32_t>(std::max(interval, 1.0)) == 0;
}

/// Sends the scene status to every client to which a different status was sent last.
void Server::publish_status() {
  const protocol::SceneStatus status{
      .is_paused = simulation_.is_paused(),
      .is_gravity_off = simulation_.is_gravity_off(),
      .shoot_on_click = simulation_.scene().player.shoot_on_click,
      .rate_percent = static_cast<std::uint16_t>(simulation_.rate_percent())};
  for (auto& [peer, session] : sessions_) {
    if (session.state == ClientSessionState::AwaitHello || session.sent_status == status) continue;
    session.sent_status = status;
    send_control(session, status);
  }
}

void Server::publish_visuals() {
  if (simulation_.was_reset()) has_ropes_ = false;
  if (!simulation_.scene().particles.empty() && is_due(particle_frames_per_second)) {
    for (const auto& part : protocol::encode_particles(simulation_.capture_particles()))
      send_to_players(part);
  }
  if (!simulation_.scene().labels.empty() && is_due(labels_per_second))
    send_to_players(protocol::encode_labels(simulation_.read_out()));
  if (is_due(rope_messages_per_second)) publish_ropes();
}

/// Sends the next batch of ropes, up to the size of one message, in rotation. After the last rope
/// has been removed, it sends empty lists until the scene is restarted.
void Server::publish_ropes() {
  const std::vector<state::Rope> all = simulation_.ropes();
  has_ropes_ |= !all.empty();
  if (!has_ropes_) return;
  if (next_rope_ >= all.size()) next_rope_ = 0;
  state::Ropes message;
  message.tick = simulation_.tick();
  message.world_revision = simulation_.world_def().revision;
  message.first = static_cast<std::uint16_t>(next_rope_);
  message.total = static_cast<std::uint16_t>(all.size());
  const std::size_t last = std::min(all.size(), next_rope_ + protocol::max_message_ropes);
  for (; next_rope_ < last; ++next_rope_)
    message.ropes.push_back(all[next_rope_]);
  send_to_players(protocol::encode_ropes(message));
}

/// Sends a message on the State channel to all clients that are playing.
void Server::send_to_players(const std::vector<std::byte>& message) {
  for (auto& [peer, session] : sessions_) {
    if (session.state != ClientSessionState::Playing) continue;
    // Skip clients whose budget is used up: snapshots have priority on slow links.
    if (session.budget_bytes < static_cast<double>(message.size())) continue;
    send_auxiliary(session, message);
  }
}

void Server::send_auxiliary(ClientSession& session, const std::vector<std::byte>& message) {
  session.spend(static_cast<double>(message.size() + net::unreliable_datagram_bytes));
  if (!transport_.send(session.peer, net::Channel::State, message)) ++metrics_.sends_failed;
  metrics_.snapshot_bytes += message.size();
  session.snapshot_bytes += message.size();
}

void Server::resync_if_stalled(ClientSession& session) {
  const double stalled_seconds =
      static_cast<double>(newest_snapshot_->tick - session.last_progress) / options_.tick_rate_hz;
  if (session.state == ClientSessionState::Playing && stalled_seconds > 1.0) {
    // Stop sending deltas until the client acknowledges something again.
    session.state = ClientSessionState::Joining;
  }
  // Send a new keyframe if the client could not use the last one, but not while the last one is
  // still in transit.
  if (session.keyframe && session.blobs.is_idle() &&
      transport_.pending_reliable_bytes(session.peer) == 0 &&
      newest_snapshot_->tick - session.keyframe->tick >
          static_cast<std::int64_t>(keyframe_patience_seconds * options_.tick_rate_hz)) {
    session.wants_keyframe = true;
    ++session.keyframes_unanswered;
  }
}

void Server::start_keyframe(ClientSession& session) {
  const bool is_visual = session.profile == protocol::Profile::Visual;
  session.precise_keyframe = precise_frames_.newest(session.profile);
  // Without a frame, because a number is not finite, try again with the next snapshot.
  if (!is_visual && !session.precise_keyframe) return;
  session.wants_keyframe = false;
  session.state = ClientSessionState::Joining;
  session.keyframe = newest_snapshot_;
  session.sent_whole = newest_snapshot_;
  session.priorities.end();
  Keyframe& keyframe = keyframes_[static_cast<std::size_t>(session.profile)];
  if (keyframe.tick != newest_snapshot_->tick) {
    protocol::Blob blob;
    blob.bytes = is_visual ? protocol::encode_keyframe(*newest_snapshot_)
                           : precise_frames_.keyframe(session.profile);
    blob.content_hash = base::hash_bytes(blob.bytes);
    keyframe = {newest_snapshot_->tick, pack(protocol::BlobKind::Keyframe, std::move(blob))};
  }
  session.blobs.add(keyframe.blob);
  ++metrics_.keyframes_sent;
}

void Server::send_world(ClientSession& session) {
  const state::WorldDef& world = simulation_.world_def();
  if (world_blobs_.empty() || world_blobs_revision_ != world.revision) {
    protocol::EncodedWorld encoded = protocol::encode_world(world);
    world_blobs_.clear();
    for (protocol::Blob& shape : encoded.shapes) {
      world_blobs_.push_back(pack(protocol::BlobKind::Shape, std::move(shape)));
    }
    world_blobs_.push_back(pack(protocol::BlobKind::WorldDef, std::move(encoded.world)));
    world_blobs_revision_ = world.revision;
  }
  for (const SharedBlob& blob : world_blobs_)
    session.blobs.add(blob);
}

/// Refills the blob budget of a rate-limited client: at its full rate until it plays, afterwards at
/// a fraction of the rate of its snapshots.
void Server::pay_bulk(ClientSession& session) const {
  const double limit = session.most_bytes_per_second(options_.max_client_bytes_per_second);
  const double rate = session.state == ClientSessionState::Playing
                          ? bulk_share * std::min(limit, session.rate.bytes_per_second())
                          : limit;
  const double chunk =
      static_cast<double>(protocol::max_blob_chunk_bytes + net::unreliable_datagram_bytes);
  session.bulk_budget_bytes = std::min(session.bulk_budget_bytes + rate / options_.tick_rate_hz,
                                       std::max(chunk, rate / 10));
}

void Server::send_blobs(ClientSession& session) {
  if (session.blobs.is_idle()) return;
  const bool is_limited =
      std::isfinite(session.most_bytes_per_second(options_.max_client_bytes_per_second));
  if (is_limited) pay_bulk(session);
  for (int i = 0; i < chunks_per_tick && !session.blobs.is_idle(); ++i) {
    // A keyframe is never delayed by the budget. If it took longer than the snapshot history
    // reaches, it could not serve as a baseline.
    const bool can_wait = session.blobs.next_kind() != protocol::BlobKind::Keyframe;
    if (is_limited && can_wait && session.bulk_budget_bytes <= 0) return;
    if (transport_.pending_reliable_bytes(session.peer) > max_pending_bulk_bytes) return;
    if (const auto announcement = session.blobs.take_announcement()) {
      send_control(session, *announcement);
    }
    const protocol::BlobChunk chunk = session.blobs.take_chunk();
    const std::vector<std::byte> message = protocol::encode_chunk(chunk);
    if (!transport_.send(session.peer, net::Channel::Bulk, message)) ++metrics_.sends_failed;
    if (!is_limited) continue;
    const auto wire_bytes = static_cast<double>(message.size() + net::unreliable_datagram_bytes);
    session.bulk_budget_bytes -= wire_bytes;
    if (session.state == ClientSessionState::Playing) session.spend(wire_bytes);
  }
}

void Server::send_control(const ClientSession& session, const protocol::ControlMessage& message) {
  if (!transport_.send(session.peer, net::Channel::Control, protocol::encode_control(message))) {
    ++metrics_.sends_failed;
  }
}

/// Refills the message budgets of sessions, by time instead of ticks, because clients continue to
/// send while an overloaded server skips ticks. Messages received during a stall all arrive at
/// once, so the burst grows by the length of the stall.
void Server::refill_budgets() {
  const std::int64_t now_us = io_.now_us();
  const double seconds = static_cast<double>(now_us - std::exchange(paid_us_, now_us)) * 1e-6;
  const double per_second = messages_per_second_of(options_.tick_rate_hz);
  const double most = (message_burst_seconds + std::max(seconds, 0.0)) * per_second;
  for (auto& [peer, session] : sessions_) {
    session.message_budget = std::min(session.message_budget + seconds * per_second, most);
    session.refused_score = std::max(session.refused_score - seconds, 0.0);
  }
}

/// Logs bodies that the engine has quarantined because their motion became infinite or NaN. A
/// quarantined body stays at its last pose and no longer takes part in the simulation.
void Server::log_quarantine() {
  const physics::World& world = simulation_.world();
  const std::uint32_t count = world.stats().quarantined_bodies;
  if (count < quarantined_.size()) quarantined_.clear();  // another world was loaded
  if (count == quarantined_.size()) return;
  for (const physics::BodyHandle body : world.bodies()) {
    if (!world.is_quarantined(body)) continue;
    const state::BodyId id = sim::BodyRegistry::id_of(world, body);
    if (std::find(quarantined_.begin(), quarantined_.end(), id) != quarantined_.end()) continue;
    quarantined_.push_back(id);
    const auto& infos = simulation_.world_def().bodies;
    const auto info = std::find_if(infos.begin(), infos.end(),
                                   [&](const state::BodyInfo& entry) { return entry.id == id; });
    log_.write(io_.now_us(), base::LogLevel::Warn, "body quarantined",
               {{"tick", simulation_.tick().number},
                {"body", id.value},
                {"name", info == infos.end() ? std::string() : info->name},
                {"why", "its position or velocity is no longer finite"}});
  }
}

void Server::log_recording_failure() {
  if (recording_ == nullptr || recording_->is_healthy() || has_logged_recording_failure_) return;
  has_logged_recording_failure_ = true;
  base::error("recording failed", {{"tick", simulation_.tick().number}});
}

}  // namespace jostle::server
