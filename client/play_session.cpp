#include "client/play_session.h"

#include "protocol/control_codec.h"
#include "protocol/lockstep_codec.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <utility>

namespace jostle::client {
namespace {

/// Time after the last packet at which a client without inputs repeats its acknowledgement.
/// Normally the client sends earlier: as soon as a snapshot is complete, so that the server's
/// baseline is as recent as possible.
constexpr double acknowledgement_repeat_ticks = 1.25;

/// Time without a new snapshot after which the client reconnects. Before that, the server has sent
/// a new keyframe, because the client has acknowledged nothing for a second.
constexpr double max_stall_seconds = 5;
/// Maximum stall time counted per call. If this process was suspended, it did not receive anything.
constexpr double max_stall_per_advance_seconds = 0.25;
/// Silence of the server from which on time does not count as a stall.
constexpr double stall_silence_seconds = 0.5;
/// Time without a new snapshot that counts as an outage, and not as a gap that may occur again.
constexpr double outage_seconds = 0.5;
/// Time constant with which the longest gap decays.
constexpr double gap_memory_seconds = 20;
/// Ticks that are predicted beyond the expected ones at least, for jitter.
constexpr double least_spare_ticks = 3;

}  // namespace

bool PlaySession::is_acceptable(const protocol::Welcome& welcome) {
  return welcome.tick_rate_hz >= state::min_tick_rate_hz &&
         welcome.tick_rate_hz <= state::max_tick_rate_hz && welcome.snapshot_interval_ticks >= 1 &&
         welcome.snapshot_interval_ticks <= welcome.tick_rate_hz;
}

PlaySession::PlaySession(const protocol::Welcome& welcome,
                         SnapshotReceiver::CompleteHook on_complete, protocol::Profile profile,
                         Predictor* predictor, LockstepEngine* engine)
    : welcome_(welcome),
      receiver_(
          [this, hook = std::move(on_complete)](const BufferedSnapshot& snapshot,
                                                bool is_keyframe) {
            // Snapshots that waited while this process stood still, or for a world revision, say
            // nothing about the link.
            if (!is_keyframe && clock_.is_set() && !hitches_.has_just_ended() && !is_retrying_)
              view_.add_age(age_at_arrival(snapshot.tick));
            if (!is_keyframe) gaps_.add(snapshot);
            is_acknowledgement_due_ = true;
            hook(snapshot, is_keyframe);
          },
          {profile, welcome.tick_rate_hz}, welcome.player.is_null() ? nullptr : predictor),
      clock_(welcome.tick_rate_hz),
      view_(welcome.tick_rate_hz, welcome.snapshot_interval_ticks),
      inputs_(welcome.tick_rate_hz),
      interpolator_(welcome.tick_rate_hz, welcome.snapshot_interval_ticks),
      newest_interpolator_(welcome.tick_rate_hz, welcome.snapshot_interval_ticks),
      predictor_(welcome.player.is_null() ? nullptr : predictor),
      engine_(engine) {
  JOSTLE_ASSERT(is_acceptable(welcome));
  JOSTLE_ASSERT(predictor == nullptr || engine == nullptr);
  if (engine_ != nullptr) engine_->begin();
  if (predictor_ != nullptr) predictor_->begin(welcome.player);
}

bool PlaySession::handle_announcement(const protocol::BlobAnnounce& announcement) {
  return use(loader_.announce(announcement));
}

bool PlaySession::handle_change(state::WorldChange change) {
  return use(loader_.change(std::move(change)));
}

bool PlaySession::handle_chunk(std::span<const std::byte> bytes) {
  const auto chunk = protocol::decode_chunk(bytes);
  return chunk && use(loader_.take(*chunk));
}

bool PlaySession::handle_commands(state::TickCommands commands) {
  // The server sends commands only to clients that requested them. For other clients the message is
  // invalid.
  if (engine_ != nullptr) {
    engine_->handle_frames({std::move(commands)});
    return true;
  }
  if (predictor_ == nullptr) return false;
  predictor_->handle_commands(std::move(commands));
  return true;
}

bool PlaySession::use(WorldLoader::Outcome outcome) {
  switch (outcome) {
    case WorldLoader::Outcome::Broken:
      return false;
    case WorldLoader::Outcome::Nothing:
      return true;
    case WorldLoader::Outcome::WorldChanged:
      is_retrying_ = true;
      receiver_.retry_held(loader_.replica());
      is_retrying_ = false;
      if (labels_.world_revision < loader_.replica().whole_revision()) labels_.lines.clear();
      if (ropes_.world_revision < loader_.replica().whole_revision()) ropes_.ropes.clear();
      break;
    case WorldLoader::Outcome::Simulation:
      if (simulation_request_) simulation_request_->is_answered = true;
      if (predictor_ != nullptr) predictor_->handle_simulation(loader_.take_simulation());
      if (engine_ != nullptr) engine_->handle_simulation(loader_.take_simulation());
      break;
    case WorldLoader::Outcome::Keyframe:
      receiver_.handle_keyframe(loader_.take_keyframe(), loader_.replica());
      break;
  }
  return true;
}

void PlaySession::handle_state(std::span<const std::byte> bytes, std::int64_t now_us) {
  is_heard_ = true;
  switch (protocol::kind_of_state_message(bytes)) {
    case protocol::StateMessage::Snapshot:
      return handle_snapshot(bytes, now_us);
    case protocol::StateMessage::Frames:
      return handle_frames(bytes, now_us);
    case protocol::StateMessage::Particles:
      return handle_particles(bytes);
    case protocol::StateMessage::Labels:
      return handle_labels(bytes);
    case protocol::StateMessage::Values:
      return handle_values(bytes);
    case protocol::StateMessage::Ropes:
      return handle_ropes(bytes);
    case protocol::StateMessage::DebugDraw:
      return handle_debug_draw(bytes);
    case protocol::StateMessage::Statistics:
      return handle_statistics(bytes);
    case protocol::StateMessage::BodyReport:
      return handle_body_report(bytes);
  }
}

void PlaySession::handle_frames(std::span<const std::byte> bytes, std::int64_t now_us) {
  auto message = protocol::decode_frames(bytes);
  if (!message || engine_ == nullptr) {
    ++frames_refused_;
    return;
  }
  if (!clock_.add_arrival(message->server_send_us, now_us)) ++times_refused_;
  frames_.add(message->frames.back().tick);
  inputs_.report(message->frames.back().tick, message->input_ack, message->input_margin_ticks);
  engine_->handle_frames(std::move(message->frames));
}

/// Simulates the ticks whose inputs have arrived, at most 8 per update. A client that lags behind
/// catches up over several updates.
void PlaySession::make_ticks() {
  constexpr int most_ticks = 8;
  if (engine_ == nullptr) return;
  for (int i = 0; i < most_ticks; ++i) {
    auto made = engine_->step();
    if (!made) break;
    receiver_.handle_own({*std::move(made), engine_->teleported()}, loader_.replica());
    is_acknowledgement_due_ = true;
  }
}

std::optional<protocol::LockstepRequest> PlaySession::next_lockstep_request() {
  if (engine_ == nullptr || std::exchange(is_lockstep_requested_, true)) return {};
  return protocol::LockstepRequest{engine_->engine_hash()};
}

std::optional<protocol::DesyncAnswer> PlaySession::answer(
    const protocol::DesyncQuestion& question) {
  if (engine_ == nullptr) return {};
  return engine_->answer(question);
}

bool PlaySession::handle_report(const protocol::DesyncReport& report) {
  if (engine_ == nullptr) return false;
  engine_->handle_report(report);
  return true;
}

std::string PlaySession::why_no_lockstep() const {
  if (engine_ == nullptr || engine_->figures().is_running) return {};
  return engine_->figures().text;
}

void PlaySession::handle_particles(std::span<const std::byte> bytes) {
  auto part = protocol::decode_particles(bytes);
  if (!part || !particles_.insert(std::move(*part))) ++shows_refused_;
}

void PlaySession::handle_labels(std::span<const std::byte> bytes) {
  auto labels = protocol::decode_labels(bytes);
  if (!labels) {
    ++shows_refused_;
  } else if (labels->tick >= labels_.tick &&
             labels->world_revision >= loader_.replica().whole_revision()) {
    labels_ = std::move(*labels);
  }
}

/// Processes a message with some of the ropes. The other ropes keep their last state: the server
/// sends all ropes in rotation.
void PlaySession::handle_values(std::span<const std::byte> bytes) {
  auto values = protocol::decode_values(bytes);
  if (!values) {
    ++shows_refused_;
  } else if (values->tick >= values_.tick) {
    values_ = std::move(*values);
  }
}

void PlaySession::handle_ropes(std::span<const std::byte> bytes) {
  auto received = protocol::decode_ropes(bytes);
  if (!received) {
    ++shows_refused_;
    return;
  }
  if (received->tick < ropes_.tick || received->world_revision < loader_.replica().whole_revision())
    return;
  ropes_.tick = received->tick;
  ropes_.world_revision = received->world_revision;
  ropes_.ropes.resize(received->total);
  std::ranges::copy(received->ropes, ropes_.ropes.begin() + received->first);
}

void PlaySession::handle_debug_draw(std::span<const std::byte> bytes) {
  auto part = protocol::decode_debug_draw(bytes);
  if (!part || !debug_draws_.insert(*std::move(part))) ++shows_refused_;
}

void PlaySession::handle_statistics(std::span<const std::byte> bytes) {
  const auto received = protocol::decode_statistics(bytes);
  if (!received) {
    ++shows_refused_;
  } else if (!statistics_ || received->tick >= statistics_->tick) {
    statistics_ = *received;
  }
}

void PlaySession::handle_body_report(std::span<const std::byte> bytes) {
  const auto received = protocol::decode_body_report(bytes);
  if (!received) {
    ++shows_refused_;
  } else if (!body_report_ || received->tick >= body_report_->tick) {
    body_report_ = *received;
  }
}

const std::vector<ShownBody>& PlaySession::newest_bodies() const {
  static const std::vector<ShownBody> none;
  return is_newest_wanted_ ? newest_interpolator_.bodies() : none;
}

/// Returns the age of snapshot `tick` at its arrival, in ticks. If the client updates rarely,
/// because it draws slowly, the snapshot may have waited in the socket since the last update. The
/// wait beyond one snapshot interval is subtracted; the interpolation delay contains one interval
/// anyway. The subtraction does not reduce the age below ServerClock::bare_way_us().
double PlaySession::age_at_arrival(state::Tick tick) const {
  const double age = clock_.tick() - static_cast<double>(tick.number);
  const double waited = std::max(elapsed_ticks_ - welcome_.snapshot_interval_ticks, 0.0);
  const double soonest = clock_.bare_way_us() * 1e-3 / period_ms();
  return std::min(age, std::max(age - waited, soonest));
}

void PlaySession::handle_snapshot(std::span<const std::byte> bytes, std::int64_t now_us) {
  const auto header = receiver_.take(bytes, loader_.replica());
  if (!header) return;
  if (!clock_.add_arrival(header->server_send_us, now_us)) ++times_refused_;
  inputs_.report(header->tick, header->input_ack, header->input_margin_ticks);
}

void PlaySession::handle_pong(std::span<const std::byte> bytes, std::int64_t now_us) {
  const auto pong = protocol::decode_pong(bytes);
  if (!pong) {
    ++times_refused_;
    return;
  }
  is_heard_ = true;
  durable_tick_ = std::max(durable_tick_, pong->durable_tick);
  // Without an id, the message announces that the server has skipped ticks.
  if (pong->id == 0 && !clock_.set_tick(pong->tick, pong->tick_due_us)) ++times_refused_;
  // The send time is taken from the client's own record, not from the server's echo. Each ping
  // counts once.
  Ping& ping = pings_[pong->id % pings_.size()];
  if (pong->id == 0 || ping.id != pong->id) return;
  const TimeExchange exchange{.client_send_us = ping.sent_us,
                              .server_receive_us = pong->server_receive_us,
                              .server_send_us = pong->server_send_us,
                              .client_receive_us = now_us};
  ping = {};
  bool is_possible = true;
  if (!hitches_.has_stood_still_since(exchange.client_send_us)) {
    is_possible = clock_.add_exchange(exchange);
    if (is_possible && welcome_.player.is_null())
      uplink_.add_delay(now_us, exchange.client_send_us, clock_.queue_up_us(),
                        clock_.round_trip_us());
  }
  if (!is_possible || !clock_.set_tick(pong->tick, pong->tick_due_us)) ++times_refused_;
}

void PlaySession::advance_clock(std::int64_t now_us) {
  const std::int64_t elapsed_us = now_us_ ? std::max<std::int64_t>(now_us - *now_us_, 0) : 0;
  now_us_ = now_us;
  if (hitches_.advance(now_us)) {
    inputs_.note_hitch();
    uplink_.note_hitch();
  }
  elapsed_ticks_ = static_cast<double>(elapsed_us) * 1e-6 * welcome_.tick_rate_hz;
  clock_.advance(now_us);
}

void PlaySession::advance_play() {
  const double shift = clock_.take_shift_ticks();
  if (shift != 0) {
    view_.shift(shift);
    inputs_.shift(shift);
    uplink_.note_hitch();
  }
  make_ticks();
  const SnapshotBuffer& buffer = receiver_.buffer();
  if (!is_playing_ && !loader_.replica().is_empty() && buffer.newest_complete()) is_playing_ = true;
  // Before playing, report this peer's progress: the server sends frames only to peers that have
  // reported.
  if (!is_playing_ && engine_ != nullptr && engine_->report()) pace_packets(false, true);
  if (!is_playing_) return;
  silent_ticks_ = std::exchange(is_heard_, false) ? 0 : silent_ticks_ + elapsed_ticks_;
  if (silent_ticks_ < stall_silence_seconds * welcome_.tick_rate_hz)
    stalled_ticks_ +=
        std::min(elapsed_ticks_, max_stall_per_advance_seconds * welcome_.tick_rate_hz);
  note_gap(buffer.entries().back().tick);

  const double loss = buffer.loss(welcome_.snapshot_interval_ticks);
  if (clock_.is_set() && !welcome_.player.is_null()) {
    const double period_us = period_ms() * 1e3;
    uplink_.note_round_trip(clock_.round_trip_us());
    // Over a narrow link, the queue varies with this client's own packets. InputSender sees the
    // effect.
    const bool is_narrow = uplink_.is_limited() && !uplink_.is_starting();
    const double jitter_us = is_narrow ? 0 : clock_.jitter_up_us();
    const int made = inputs_.advance({.server_tick = clock_.tick(),
                                      .delay_ticks = clock_.round_trip_us() / 2 / period_us,
                                      .jitter_ticks = jitter_us / period_us,
                                      .loss = loss},
                                     elapsed_ticks_);
    pace_packets(made > 0, false);
    if (const auto delay = inputs_.take_delay()) {
      const double age_us = (clock_.tick() - delay->made_at_tick) * period_us;
      const bool was_starting = uplink_.is_starting();
      uplink_.add_delay(*now_us_, *now_us_ - static_cast<std::int64_t>(age_us),
                        delay->ticks * period_us, clock_.round_trip_us());
      // The pauses between packets at the start are over.
      if (was_starting && !uplink_.is_limited()) inputs_.forget_bursts();
    }
  } else {
    pace_packets(false, true);
  }

  // Display the newest snapshot until the clock is set and the age of a snapshot is known.
  shown_tick_ = static_cast<double>(buffer.entries().back().tick.number);
  if (clock_.is_set() && view_.has_ages()) {
    view_.set_loss(loss);
    view_.set_gap(gaps_.usual_ticks());
    view_.advance(clock_.tick(), elapsed_ticks_);
    shown_tick_ = view_.tick();
  }
  show_bodies();
  particles_.show(shown_tick_, welcome_.tick_rate_hz, shown_revisions());
}

/// Records the time between two new snapshots.
void PlaySession::note_gap(state::Tick newest) {
  gap_ticks_ += elapsed_ticks_;
  longest_gap_ticks_ *=
      std::max(1 - elapsed_ticks_ / (gap_memory_seconds * welcome_.tick_rate_hz), 0.0);
  if (newest <= newest_seen_) return;
  newest_seen_ = newest;
  stalled_ticks_ = 0;
  const double gap = std::exchange(gap_ticks_, 0.0);
  if (gap < outage_seconds * welcome_.tick_rate_hz)
    longest_gap_ticks_ = std::max(longest_gap_ticks_, gap);
}

/// Returns how many ticks may be predicted beyond the newest snapshot: the lead of the inputs, the
/// usual delay of the snapshots, and the longest usual gap between two of them.
double PlaySession::most_ticks_ahead() const {
  if (!clock_.is_set()) return 0;
  const double lead = std::max(inputs_.tick() - clock_.tick(), 0.0);
  return lead + view_.wanted_delay_ticks() + std::max(longest_gap_ticks_, least_spare_ticks);
}

/// Schedules a packet: when inputs were made, when a snapshot has become complete if
/// `follows_snapshots`, and at the latest 1.25 ticks after the previous packet.
void PlaySession::pace_packets(bool has_inputs, bool follows_snapshots) {
  ticks_to_packet_ -= elapsed_ticks_;
  const bool is_due = has_inputs || (follows_snapshots && is_acknowledgement_due_);
  if (!is_due && ticks_to_packet_ > 0) return;
  is_packet_due_ = true;
  ticks_to_packet_ = acknowledgement_repeat_ticks;
}

void PlaySession::show_bodies() {
  // Forget removed bodies before the interpolator runs. Forgetting moves bodies in memory, and the
  // interpolator's results point to them.
  loader_.replica().forget_departed(interpolator_.revision());
  interpolator_.show(shown_tick_, receiver_.buffer(), loader_.replica());
  if (is_newest_wanted_) {
    const double newest = receiver_.buffer().newest_complete().value_or(state::Tick{}).number;
    newest_interpolator_.show(newest, receiver_.buffer(), loader_.replica());
  }
  if (predictor_ == nullptr) return;
  predictor_->advance({.client_tick = inputs_.tick(),
                       .newest = inputs_.newest(),
                       .inputs = inputs_.unacknowledged(),
                       .snapshots = &receiver_.buffer(),
                       .most_ticks_ahead = most_ticks_ahead()});
  blend_.show(interpolator_.bodies(), predictor_->bodies(), static_cast<double>(*now_us_) * 1e-6,
              interpolator_.teleported());
}

/// Returns the revisions of the displayed scene: of the old one until a scene change is displayed.
Revisions PlaySession::shown_revisions() const {
  const std::uint32_t whole = loader_.replica().whole_revision();
  if (interpolator_.revision() < whole) return {0, whole};
  return {.first = whole};
}

bool PlaySession::is_stalled() const {
  return stalled_ticks_ > max_stall_seconds * welcome_.tick_rate_hz;
}

double PlaySession::snapshot_age_ms() const {
  const auto& entries = receiver_.buffer().entries();
  if (!clock_.is_set() || entries.empty()) return 0;
  return (clock_.tick() - static_cast<double>(entries.back().tick.number)) * period_ms();
}

/// Returns the mean time from a key press now until a display that is at `shown_tick` now reaches
/// the tick of the input; 0 without inputs. A key press becomes part of the input of the next
/// client tick, which begins half a tick later on average.
double PlaySession::input_latency_ms(double shown_tick) const {
  constexpr double mean_wait_ticks = 0.5;
  return inputs_.newest() ? (inputs_.tick() + mean_wait_ticks - shown_tick) * period_ms() : 0;
}

}  // namespace jostle::client
