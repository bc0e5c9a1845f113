#include "server/baseline_tracker.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace jostle::server {
namespace {

constexpr std::uint64_t all_parts = ~std::uint64_t{0};

/// Returns a bit mask of the parts of `tick` that `ack` acknowledges. All bits are set if `ack`
/// acknowledges the whole tick; 0 if it acknowledges no part of the tick.
std::uint64_t acknowledged_parts(const protocol::SnapshotAck& ack, state::Tick tick) {
  if (ack.newest.number != 0) {
    const std::int64_t behind = ack.newest - tick;
    if (behind == 0) return all_parts;
    if (behind >= 1 && behind <= 32 && ((ack.history >> (behind - 1)) & 1U) != 0) return all_parts;
  }
  for (const protocol::PartAck& partial : ack.partial) {
    if (partial.tick == tick) return partial.parts;
  }
  return 0;
}

/// Returns true if the parts together contain all of the `bodies` bodies of a snapshot. A part with
/// an empty `chosen` contains a range of bodies, not necessarily all (see EncodedPart::chosen).
bool are_all(const std::vector<protocol::EncodedPart>& parts, std::size_t bodies) {
  std::size_t held = 0;
  for (const protocol::EncodedPart& part : parts)
    held += part.chosen.empty() ? part.count : part.chosen.size();
  return held == bodies;
}

/// Records in `known` that the client acknowledged the state of `tick`.
void note(protocol::context::BaselinePair& known, state::Tick tick) {
  if (tick > known.baseline) {
    known.previous = std::exchange(known.baseline, tick);
  } else if (tick < known.baseline && tick > known.previous) {
    known.previous = tick;
  }
}

}  // namespace

void BaselineTracker::note_sent(state::Tick tick, SharedParts parts) {
  SentTick sent;
  sent.tick = tick;
  sent.missing = parts->size();
  sent.is_acknowledged.resize(parts->size());
  sent.parts = std::move(parts);
  sent_.push_back(std::move(sent));
  if (sent_.size() > protocol::baseline_window_ticks) sent_.pop_front();
}

std::vector<BaselineTracker::AcknowledgedParts> BaselineTracker::acknowledge(
    const protocol::SnapshotAck& ack, const SnapshotHistory& history) {
  std::vector<AcknowledgedParts> news;
  for (SentTick& sent : sent_) {
    const std::uint64_t mask = sent.missing == 0 ? 0 : acknowledged_parts(ack, sent.tick);
    if (mask == 0) continue;
    const SharedSnapshot snapshot = history.find(sent.tick);
    if (!snapshot) continue;
    const std::size_t count = sent.parts->size(), missing_before = sent.missing;
    const bool is_whole = are_all(*sent.parts, snapshot->ids.size());
    if (mask == all_parts && sent.missing == count && is_whole) {
      acknowledge_all(*snapshot);
      sent.missing = 0;
      news.push_back({sent.tick, static_cast<std::uint32_t>(count)});
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const int bit = protocol::ack_bit(static_cast<int>(i), static_cast<int>(count));
      if (sent.is_acknowledged[i] || ((mask >> bit) & 1U) == 0) continue;
      sent.is_acknowledged[i] = true;
      --sent.missing;
      acknowledge_part(*snapshot, (*sent.parts)[i]);
    }
    if (sent.missing == 0 && is_whole) note_whole(sent.tick);
    if (sent.missing < missing_before)
      news.push_back({sent.tick, static_cast<std::uint32_t>(missing_before - sent.missing)});
  }
  // Drop the oldest snapshots that are fully acknowledged: they cannot change any baseline.
  while (!sent_.empty() && sent_.front().missing == 0)
    sent_.pop_front();
  return news;
}

std::span<const protocol::context::BaselinePair> BaselineTracker::acknowledged(
    const protocol::QuantizedSnapshot& now) {
  follow_bodies(now);
  distinguish();
  return references_;
}

void BaselineTracker::acknowledge_all(const protocol::QuantizedSnapshot& snapshot) {
  protocol::EncodedPart all;
  all.count = static_cast<std::uint32_t>(snapshot.ids.size());
  acknowledge_part(snapshot, all);
  note_whole(snapshot.tick);
}

bool BaselineTracker::has_acknowledged_all(state::Tick tick) const {
  return tick.number != 0 && whole_[tick.number % whole_.size()] == tick;
}

void BaselineTracker::acknowledge_part(const protocol::QuantizedSnapshot& snapshot,
                                       const protocol::EncodedPart& part) {
  newest_acknowledged_ = std::max(newest_acknowledged_, snapshot.tick);
  if (snapshot.world_revision > revision_) follow_bodies(snapshot);
  const bool is_everything = snapshot.world_revision == revision_ && part.chosen.empty() &&
                             part.first == 0 && part.count >= ids_.size();
  if (is_everything && common_) return note(*common_, snapshot.tick);
  distinguish();
  for (const std::uint32_t index : part.chosen)
    acknowledge_body(snapshot, index);
  if (!part.chosen.empty()) return;
  const std::size_t end = std::min<std::size_t>(part.first + part.count, snapshot.ids.size());
  for (std::size_t i = part.first; i < end; ++i)
    acknowledge_body(snapshot, i);
  const bool is_common = is_everything && !references_.empty() &&
                         std::adjacent_find(references_.begin(), references_.end(),
                                            std::not_equal_to<>{}) == references_.end();
  if (is_common) common_ = references_.front();
}

void BaselineTracker::acknowledge_body(const protocol::QuantizedSnapshot& snapshot,
                                       std::size_t index) {
  if (snapshot.world_revision != revision_) {
    // The snapshot has another world revision, so look up the body's current index. Ignore the body
    // if it was removed.
    const auto it = std::lower_bound(ids_.begin(), ids_.end(), snapshot.ids[index]);
    if (it == ids_.end() || *it != snapshot.ids[index]) return;
    index = static_cast<std::size_t>(it - ids_.begin());
  }
  note(references_[index], snapshot.tick);
}

void BaselineTracker::distinguish() {
  if (!common_) return;
  references_.assign(ids_.size(), *common_);
  common_.reset();
}

void BaselineTracker::follow_bodies(const protocol::QuantizedSnapshot& now) {
  if (now.world_revision == revision_) return;
  distinguish();
  std::vector<BaselinePair> references(now.ids.size());
  std::size_t old_index = 0;
  for (std::size_t i = 0; i < now.ids.size(); ++i) {
    while (old_index < ids_.size() && ids_[old_index] < now.ids[i])
      ++old_index;
    if (old_index < ids_.size() && ids_[old_index] == now.ids[i])
      references[i] = references_[old_index];
  }
  revision_ = now.world_revision;
  ids_ = now.ids;
  references_ = std::move(references);
}

std::vector<protocol::context::ReferenceRun> BaselineTracker::runs(
    const protocol::QuantizedSnapshot& now, const SnapshotHistory& history,
    std::optional<std::span<const std::uint32_t>> chosen) {
  follow_bodies(now);
  std::vector<protocol::context::ReferenceRun> runs;
  const auto is_usable = [&](state::Tick tick) {
    return tick.number != 0 && now.tick - tick <= max_baseline_age_ticks && history.holds(tick);
  };
  BaselinePair checked, usable;  // the last pair checked, and the usable pair that replaces it
  const auto add = [&](const BaselinePair& wanted) {
    if (wanted != checked) {
      checked = wanted;
      usable.baseline = is_usable(wanted.baseline) ? wanted.baseline : state::Tick{0};
      const bool has_previous = usable.baseline.number != 0 && is_usable(wanted.previous);
      usable.previous = has_previous ? wanted.previous : usable.baseline;
    }
    if (runs.empty() || runs.back().references != usable) runs.push_back({0, usable});
    ++runs.back().count;
  };
  if (common_) {
    add(*common_);
    runs.back().count = static_cast<std::uint32_t>(chosen ? chosen->size() : ids_.size());
    if (runs.back().count == 0) runs.clear();
  } else if (chosen) {
    for (const std::uint32_t index : *chosen)
      add(references_[index]);
  } else {
    for (const BaselinePair& pair : references_)
      add(pair);
  }
  return runs;
}

std::vector<protocol::BaselineRun> baselines_of(
    std::span<const protocol::context::ReferenceRun> runs, state::Tick now) {
  std::vector<protocol::BaselineRun> baselines;
  for (const auto& run : runs) {
    state::Tick baseline = run.references.baseline;
    if (now - baseline > std::int64_t{protocol::bit_packed_window_ticks}) baseline = {0};
    if (baselines.empty() || baselines.back().baseline != baseline)
      baselines.push_back({0, baseline});
    baselines.back().count += run.count;
  }
  return baselines;
}

}  // namespace jostle::server
