#include "server/snapshot_publisher.h"

#include "protocol/quantize.h"
#include "protocol/world_codec.h"
#include "shared/base/hash.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace jostle::server {
namespace {

// A client that has acknowledged nothing new for the sum of these times is stalled.
constexpr double stall_seconds = 1;
constexpr double stall_round_trips = 1.5;

}  // namespace

void SnapshotPublisher::acknowledge(ClientSession& session, const protocol::SnapshotAck& ack) {
  SnapshotState& snapshots = session.snapshots;
  const state::Tick known_before = snapshots.baselines.newest_acknowledged();
  const std::int64_t now_us = io_.now_us();
  for (const BaselineTracker::AcknowledgedParts& news :
       snapshots.baselines.acknowledge(ack, history_))
    session.budget.rate.note_acknowledged(news.tick, news.parts, now_us);
  if (snapshots.keyframe && session.state == ClientSessionState::Joining) {
    const std::int64_t behind = ack.newest - snapshots.keyframe->tick;
    const bool is_in_history =
        behind >= 1 && behind <= 32 && ((ack.history >> (behind - 1)) & 1U) != 0;
    if (behind == 0 || is_in_history) {
      snapshots.baselines.acknowledge_all(*snapshots.keyframe);
      snapshots.keyframe.reset();
      snapshots.keyframes_unanswered = 0;
      session.state = ClientSessionState::Playing;
      session.budget.bulk_window =
          std::min(session.budget.bulk_window, SendBudget::first_bulk_window_bytes);
    }
  } else if (session.state == ClientSessionState::Joining && !snapshots.wants_keyframe) {
    snapshots.wants_keyframe = true;  // the client is sending again
  }
  if (snapshots.baselines.newest_acknowledged() > known_before)
    snapshots.last_progress = simulation_.tick();
}

void SnapshotPublisher::receive_offer(ClientSession& session,
                                      const protocol::PredictionBaselineOffer& offer) {
  if (!options_.uses_prediction_baseline || !session.simulation.receives_commands) return;
  if (!predictor_) {
    predictor_.emplace(simulation_.scene(), options_.tick_rate_hz);
    scene_hash_ = simulation_.scene_hash();
  }
  session.snapshots.uses_prediction_baseline =
      offer.hash == prediction_baseline::fingerprint() && offer.scene_hash == scene_hash_;
}

void SnapshotPublisher::note_commands(const state::TickCommands& commands) {
  if (!predictor_) return;
  if (simulation_.was_reset() && simulation_.scene_hash() != scene_hash_) {
    predictor_.reset();
    for (auto& [peer, session] : clients_)
      session.snapshots.uses_prediction_baseline = false;
    return;
  }
  predictor_->note(commands);
  predictor_->set_world(simulation_.world_def());
}

void SnapshotPublisher::publish() {
  const auto interval = static_cast<std::uint32_t>(options_.snapshot_interval_ticks);
  teleports_.add(simulation_.tick(), simulation_.teleported());
  if (simulation_.tick().number % interval != 0) return;
  const state::Snapshot before = std::exchange(captured_, simulation_.capture());
  teleports_.add_jumps(before, captured_, static_cast<double>(interval) / options_.tick_rate_hz);
  newest_ = std::make_shared<const protocol::QuantizedSnapshot>(protocol::quantize(captured_));
  history_.push(newest_);
  if (hook_) hook_(*newest_);
  const std::size_t room = SnapshotEncoder::payload_room(teleports_.has_any_after({}));
  precise_frames_.begin(captured_, wanted_profiles(), options_.tick_rate_hz, room);
  sender_.begin({.now = newest_,
                 .ticks = options_.snapshot_interval_ticks,
                 .tick_seconds = 1.0 / options_.tick_rate_hz,
                 .baseline_predictor = predictor_ ? &*predictor_ : nullptr,
                 .precise = &precise_frames_,
                 .teleports = &teleports_},
                simulation_.world_def());
  for (auto& [peer, session] : clients_) {
    if (session.state != ClientSessionState::AwaitHello && !session.lockstep) send_to(session);
  }
}

/// Sends the newest snapshot to a client, or starts a keyframe if the client needs one.
void SnapshotPublisher::send_to(ClientSession& session) {
  resync_if_stalled(session);
  if (session.snapshots.wants_keyframe) start_keyframe(session);
  if (session.state != ClientSessionState::Playing) {
    SnapshotSender::skip(session.snapshots);
    return;
  }
  const SnapshotSender::Sent sent = sender_.send(session, transport_, history_);
  Metrics& metrics = clients_.metrics();
  metrics.snapshots_sent += sent.is_none ? 0 : 1;
  metrics.snapshots_shortened += sent.is_some || sent.is_none ? 1 : 0;
  metrics.snapshot_bytes += sent.bytes;
  metrics.sends_failed += sent.failed;
  metrics.client_seconds +=
      static_cast<double>(options_.snapshot_interval_ticks) / options_.tick_rate_hz;
}

PreciseFrames::Wanted SnapshotPublisher::wanted_profiles() const {
  PreciseFrames::Wanted wanted{};
  for (const auto& [peer, session] : clients_) {
    if (session.state != ClientSessionState::AwaitHello)
      wanted[static_cast<std::size_t>(session.profile)] = true;
  }
  return wanted;
}

void SnapshotPublisher::resync_if_stalled(ClientSession& session) {
  SnapshotState& snapshots = session.snapshots;
  const double stalled_seconds =
      static_cast<double>(newest_->tick - snapshots.last_progress) / options_.tick_rate_hz;
  const double patience_seconds =
      stall_seconds + stall_round_trips * session.budget.rate.round_trip_us().value_or(0) * 1e-6;
  // A client of profile visual can decode every snapshot, because bodies whose baselines are too
  // old are encoded against their spawn poses. The other profiles need a baseline of all bodies, so
  // stop sending deltas until the client acknowledges something again.
  if (session.state == ClientSessionState::Playing &&
      session.profile != protocol::Profile::Visual && stalled_seconds > patience_seconds) {
    session.state = ClientSessionState::Joining;
  }
  // Send a new keyframe if the client could not use the last one, but not while the last one is
  // still in transit.
  if (snapshots.keyframe && session.blobs.is_idle() &&
      transport_.pending_reliable_bytes(session.peer) == 0 &&
      newest_->tick - snapshots.keyframe->tick >
          static_cast<std::int64_t>(keyframe_patience_seconds * options_.tick_rate_hz)) {
    snapshots.wants_keyframe = true;
    ++snapshots.keyframes_unanswered;
  }
}

void SnapshotPublisher::start_keyframe(ClientSession& session) {
  SnapshotState& snapshots = session.snapshots;
  snapshots.precise_keyframe = precise_frames_.newest(session.profile);
  // If there is no frame, because a number is not finite, try again with the next snapshot.
  if (session.profile != protocol::Profile::Visual && !snapshots.precise_keyframe) return;
  snapshots.wants_keyframe = false;
  session.state = ClientSessionState::Joining;
  snapshots.keyframe = newest_;
  snapshots.sent_whole = newest_;
  snapshots.priorities.end();
  Keyframe& keyframe = keyframes_[static_cast<std::size_t>(session.profile)];
  if (keyframe.tick != newest_->tick) keyframe = {newest_->tick, encode_keyframe(session.profile)};
  session.blobs.add(keyframe.blob);
  ++clients_.metrics().keyframes_sent;
}

SharedBlob SnapshotPublisher::encode_keyframe(protocol::Profile profile) {
  protocol::Blob blob;
  blob.bytes = profile == protocol::Profile::Visual ? protocol::encode_keyframe(*newest_)
                                                    : precise_frames_.keyframe(profile);
  blob.content_hash = base::hash_bytes(blob.bytes);
  return pack(protocol::BlobKind::Keyframe, std::move(blob));
}

}  // namespace jostle::server
