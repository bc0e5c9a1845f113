#include "server/baseline_tracker.h"

#include <algorithm>
#include <utility>

namespace jostle::server {
namespace {

/// The parts of `tick` that `ack` names, as a mask; all bits for a complete tick.
std::uint64_t acknowledged_parts(const protocol::SnapshotAck& ack, state::Tick tick) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  if (ack.newest.number != 0) {
    const std::int64_t behind = ack.newest - tick;
    if (behind == 0) return all;
    if (behind >= 1 && behind <= 32 && ((ack.history >> (behind - 1)) & 1U) != 0) return all;
  }
  for (const protocol::PartAck& partial : ack.partial) {
    if (partial.tick == tick) return partial.parts;
  }
  return 0;
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

std::vector<BaselineTracker::News> BaselineTracker::acknowledge(const protocol::SnapshotAck& ack,
                                                                const SnapshotHistory& history) {
  std::vector<News> news;
  for (SentTick& sent : sent_) {
    const std::uint64_t mask = sent.missing == 0 ? 0 : acknowledged_parts(ack, sent.tick);
    if (mask == 0) continue;
    const SharedSnapshot snapshot = history.find(sent.tick);
    if (!snapshot) continue;
    const std::size_t count = sent.parts->size(), missing_before = sent.missing;
    for (std::size_t i = 0; i < count; ++i) {
      const int bit = protocol::ack_bit(static_cast<int>(i), static_cast<int>(count));
      if (sent.is_acknowledged[i] || ((mask >> bit) & 1U) == 0) continue;
      sent.is_acknowledged[i] = true;
      --sent.missing;
      acknowledge_part(*snapshot, (*sent.parts)[i]);
    }
    if (sent.missing < missing_before)
      news.push_back({sent.tick, static_cast<std::uint32_t>(missing_before - sent.missing)});
  }
  // What is acknowledged to the end and has all before it so too needs no further look.
  while (!sent_.empty() && sent_.front().missing == 0)
    sent_.pop_front();
  return news;
}

std::span<const protocol::context::ReferencePair> BaselineTracker::acknowledged(
    const protocol::QuantizedSnapshot& now) {
  follow_bodies(now);
  return references_;
}

void BaselineTracker::acknowledge_whole(const protocol::QuantizedSnapshot& snapshot) {
  protocol::EncodedPart all;
  all.count = static_cast<std::uint32_t>(snapshot.ids.size());
  acknowledge_part(snapshot, all);
}

void BaselineTracker::acknowledge_part(const protocol::QuantizedSnapshot& snapshot,
                                       const protocol::EncodedPart& part) {
  newest_acknowledged_ = std::max(newest_acknowledged_, snapshot.tick);
  if (snapshot.world_revision > revision_) follow_bodies(snapshot);
  for (const std::uint32_t index : part.chosen)
    acknowledge_body(snapshot, index);
  if (!part.chosen.empty()) return;
  const std::size_t end = std::min<std::size_t>(part.first + part.count, snapshot.ids.size());
  for (std::size_t i = part.first; i < end; ++i)
    acknowledge_body(snapshot, i);
}

void BaselineTracker::acknowledge_body(const protocol::QuantizedSnapshot& snapshot,
                                       std::size_t index) {
  if (snapshot.world_revision != revision_) {
    // Of an older revision: find the body where it stands now, if it still does.
    const auto it = std::lower_bound(ids_.begin(), ids_.end(), snapshot.ids[index]);
    if (it == ids_.end() || *it != snapshot.ids[index]) return;
    index = static_cast<std::size_t>(it - ids_.begin());
  }
  ReferencePair& known = references_[index];
  if (snapshot.tick > known.baseline) {
    known.previous = std::exchange(known.baseline, snapshot.tick);
  } else if (snapshot.tick < known.baseline && snapshot.tick > known.previous) {
    known.previous = snapshot.tick;
  }
}

void BaselineTracker::follow_bodies(const protocol::QuantizedSnapshot& now) {
  if (now.world_revision == revision_) return;
  std::vector<ReferencePair> references(now.ids.size());
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
  ReferencePair checked, usable;  // what was looked up last, and what is left of it
  const auto add = [&](const ReferencePair& wanted) {
    if (wanted != checked) {
      checked = wanted;
      usable.baseline = is_usable(wanted.baseline) ? wanted.baseline : state::Tick{0};
      const bool has_previous = usable.baseline.number != 0 && is_usable(wanted.previous);
      usable.previous = has_previous ? wanted.previous : usable.baseline;
    }
    if (runs.empty() || runs.back().references != usable) runs.push_back({0, usable});
    ++runs.back().count;
  };
  if (chosen) {
    for (const std::uint32_t index : *chosen)
      add(references_[index]);
  } else {
    for (const ReferencePair& pair : references_)
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
