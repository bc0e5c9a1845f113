#include "server/snapshot_encoder.h"

#include "protocol/context/body_facts.h"
#include "protocol/limits.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace jostle::server {
namespace {

/// Function that looks up the baseline state of a body; returns null if the state is not stored.
/// Caches the last four snapshots and an index into each, because bodies are requested in order and
/// mostly from the same two snapshots.
class ReferenceFinder {
 public:
  ReferenceFinder(const SnapshotHistory& history, const protocol::QuantizedSnapshot& spawn_poses)
      : history_(history), spawn_poses_(spawn_poses) {}

  const protocol::QuantizedBody* operator()(state::BodyId id, state::Tick tick) {
    if (tick.number == 0) return find_body(spawn_poses_, id);
    for (Found& found : last_) {
      if (found.snapshot && found.snapshot->tick == tick) return look_up(found, id);
    }
    Found& slot = last_[oldest_++ % last_.size()];
    slot = {history_.find(tick), 0};
    return slot.snapshot ? look_up(slot, id) : nullptr;
  }

 private:
  struct Found {
    SharedSnapshot snapshot;
    std::size_t next = 0;  // likely index of the next body requested
  };
  static const protocol::QuantizedBody* look_up(Found& found, state::BodyId id) {
    const protocol::QuantizedSnapshot& snapshot = *found.snapshot;
    if (found.next >= snapshot.ids.size() || snapshot.ids[found.next] != id) {
      const auto place = std::lower_bound(snapshot.ids.begin(), snapshot.ids.end(), id);
      if (place == snapshot.ids.end() || *place != id) return nullptr;
      found.next = static_cast<std::size_t>(place - snapshot.ids.begin());
    }
    return &snapshot.bodies[found.next++];
  }

  const SnapshotHistory& history_;
  const protocol::QuantizedSnapshot& spawn_poses_;
  std::array<Found, 4> last_;
  std::size_t oldest_ = 0;
};

}  // namespace

void SnapshotEncoder::begin(SharedSnapshot now, const state::WorldDef& world, std::size_t room) {
  room_ = room;
  before_ = std::exchange(now_, std::move(now));
  codings_.clear();
  quick_codings_.clear();
  predicted_codings_.clear();
  spent_us_ = 0;
  if (world_revision_ == world.revision) return;
  world_revision_ = world.revision;
  whole_bytes_.reset();
  spawn_poses_ = spawn_poses(world);
  facts_ = protocol::context::facts_of(world);
  owners_.clear();
  for (const state::BodyInfo& body : world.bodies) {
    if (body.motion != state::MotionType::Static) owners_.push_back(body.owner);
  }
}

const EncodedSnapshot& SnapshotEncoder::whole(BaselineTracker& client,
                                              const SnapshotHistory& history,
                                              const BaselinePredictor* baseline_predictor,
                                              Effort effort) {
  Runs runs = client.runs(*now_, history);
  if (baseline_predictor != nullptr && effort == Effort::Normal) {
    if (const EncodedSnapshot* const coded = predicted(runs, history, *baseline_predictor))
      return *coded;
  }
  if (const Coding* const known = find_coding(runs, client)) return known->coded;
  if (effort == Effort::Fast) {
    if (const Coding* const known = find_same(quick_codings_, runs)) return known->coded;
  }
  const std::int64_t began_us = io_.now_us();
  EncodedSnapshot coded = code_whole(runs, history, effort);
  spent_us_ += io_.now_us() - began_us;
  if (effort == Effort::Fast) {
    quick_codings_.push_back({std::move(runs), std::move(coded)});
    return quick_codings_.back().coded;
  }
  whole_bytes_ = coded.payload_bytes;
  whole_coded_ = now_->tick;
  codings_.push_back({std::move(runs), std::move(coded)});
  return codings_.back().coded;
}

const SnapshotEncoder::Coding* SnapshotEncoder::find_same(const std::vector<Coding>& codings,
                                                          const Runs& runs) {
  const auto found = std::find_if(codings.begin(), codings.end(),
                                  [&](const Coding& coding) { return coding.runs == runs; });
  return found == codings.end() ? nullptr : &*found;
}

/// Returns an encoding with codec 3; null if prediction is impossible, there is no time for it, or
/// the result has too many parts.
const EncodedSnapshot* SnapshotEncoder::predicted(const Runs& runs, const SnapshotHistory& history,
                                                  const BaselinePredictor& baseline_predictor) {
  if (const Coding* const known = find_same(predicted_codings_, runs)) return &known->coded;
  if (runs.size() != 1 || spent_us_ > own_coding_us) return nullptr;
  const std::int64_t ticks = now_->tick - runs.front().references.previous;
  if (!prediction_baseline_.allows(now_->tick, ticks, max_coding_us - spent_us_)) return nullptr;
  const std::int64_t began_us = io_.now_us();
  const auto expected = baseline_predictor.expect(runs.front().references, *now_, history);
  std::vector<protocol::EncodedPart> parts;
  if (expected) {
    ReferenceFinder finder(history, spawn_poses_);
    parts = protocol::context::encode_predicted_parts(
        {now_.get(), facts_, {}, runs},
        protocol::context::Expectation{expected->bodies, expected->inputs},
        [&](state::BodyId id, state::Tick tick) { return finder(id, tick); }, room_);
  }
  const std::int64_t took_us = io_.now_us() - began_us;
  spent_us_ += took_us;
  prediction_baseline_.note(now_->tick, ticks, took_us);
  if (!expected || parts.size() > protocol::max_snapshot_parts) return nullptr;
  predicted_codings_.push_back({runs, share(protocol::SnapshotCodec::Predicted, std::move(parts))});
  return &predicted_codings_.back().coded;
}

/// Returns the encoding against exactly the baselines in `runs`. If there is none and own_coding_us
/// is used up, returns an encoding against another baseline pair that the client has acknowledged
/// for all bodies, the newest if there are several. Returns null if there is none.
const SnapshotEncoder::Coding* SnapshotEncoder::find_coding(const Runs& runs,
                                                            const BaselineTracker& client) const {
  if (const Coding* const own = find_same(codings_, runs)) return own;
  if (spent_us_ <= own_coding_us) return nullptr;
  const Coding* best = nullptr;
  for (const Coding& coding : codings_) {
    if (coding.runs.size() != 1) continue;
    const protocol::context::BaselinePair& pair = coding.runs.front().references;
    const bool is_known =
        client.has_acknowledged_all(pair.baseline) && client.has_acknowledged_all(pair.previous);
    if (is_known && (best == nullptr || pair.baseline > best->runs.front().references.baseline))
      best = &coding;
  }
  return best;
}

EncodedSnapshot SnapshotEncoder::code_whole(const Runs& runs, const SnapshotHistory& history,
                                            Effort effort) const {
  ReferenceFinder finder(history, spawn_poses_);
  const protocol::BaselineLookup lookup = [&](state::BodyId id, state::Tick tick) {
    return finder(id, tick);
  };
  if (effort == Effort::Normal && !is_late()) {
    auto parts = protocol::context::encode_parts({now_.get(), facts_, {}, runs}, lookup, room_);
    if (parts.size() <= protocol::max_snapshot_parts)
      return share(protocol::SnapshotCodec::Context, std::move(parts));
  }
  return share(protocol::SnapshotCodec::BitPacked,
               protocol::encode_parts(*now_, baselines_of(runs, now_->tick), lookup, room_));
}

EncodedSnapshot SnapshotEncoder::some(std::span<const std::uint32_t> chosen, const Runs& runs,
                                      const SnapshotHistory& history) {
  const std::int64_t began_us = io_.now_us();
  ReferenceFinder finder(history, spawn_poses_);
  const protocol::BaselineLookup lookup = [&](state::BodyId id, state::Tick tick) {
    return finder(id, tick);
  };
  auto parts = protocol::context::encode_parts({now_.get(), facts_, chosen, runs}, lookup, room_);
  spent_us_ += io_.now_us() - began_us;
  if (parts.size() > protocol::max_snapshot_parts) parts.resize(protocol::max_snapshot_parts);
  return share(protocol::SnapshotCodec::Context, std::move(parts));
}

}  // namespace jostle::server
