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

void BaselineTracker::note_sent(state::Tick tick, const std::vector<protocol::EncodedPart>& parts) {
  SentTick sent;
  sent.tick = tick;
  for (const protocol::EncodedPart& part : parts) {
    sent.parts.push_back({part.first, part.count, false});
  }
  sent_.push_back(std::move(sent));
  if (sent_.size() > protocol::baseline_window_ticks) sent_.pop_front();
}

void BaselineTracker::acknowledge(const protocol::SnapshotAck& ack,
                                  const SnapshotHistory& history) {
  for (SentTick& sent : sent_) {
    const std::uint64_t mask = acknowledged_parts(ack, sent.tick);
    if (mask == 0) continue;
    const SharedSnapshot snapshot = history.find(sent.tick);
    if (!snapshot) continue;
    for (std::size_t i = 0; i < sent.parts.size(); ++i) {
      SentPart& part = sent.parts[i];
      const int bit = protocol::ack_bit(static_cast<int>(i), static_cast<int>(sent.parts.size()));
      if (part.is_acknowledged || ((mask >> bit) & 1U) == 0) continue;
      part.is_acknowledged = true;
      acknowledge_range(*snapshot, part.first, part.count);
    }
  }
  // What is acknowledged to the end and has all before it so too needs no further look.
  while (!sent_.empty() && std::all_of(sent_.front().parts.begin(), sent_.front().parts.end(),
                                       [](const SentPart& part) { return part.is_acknowledged; })) {
    sent_.pop_front();
  }
}

void BaselineTracker::acknowledge_whole(const protocol::QuantizedSnapshot& snapshot) {
  acknowledge_range(snapshot, 0, snapshot.ids.size());
}

void BaselineTracker::acknowledge_range(const protocol::QuantizedSnapshot& snapshot,
                                        std::size_t first, std::size_t count) {
  newest_acknowledged_ = std::max(newest_acknowledged_, snapshot.tick);
  if (snapshot.world_revision > revision_) follow_bodies(snapshot);
  const std::size_t end = std::min(first + count, snapshot.ids.size());
  if (snapshot.world_revision == revision_) {
    for (std::size_t i = first; i < end; ++i) {
      baselines_[i] = std::max(baselines_[i], snapshot.tick);
    }
    return;
  }
  // Of an older revision: find each body where it stands now, if it still does.
  for (std::size_t i = first; i < end; ++i) {
    const auto it = std::lower_bound(ids_.begin(), ids_.end(), snapshot.ids[i]);
    if (it == ids_.end() || *it != snapshot.ids[i]) continue;
    state::Tick& baseline = baselines_[static_cast<std::size_t>(it - ids_.begin())];
    baseline = std::max(baseline, snapshot.tick);
  }
}

void BaselineTracker::follow_bodies(const protocol::QuantizedSnapshot& now) {
  if (now.world_revision == revision_) return;
  std::vector<state::Tick> baselines(now.ids.size());
  std::size_t old_index = 0;
  for (std::size_t i = 0; i < now.ids.size(); ++i) {
    while (old_index < ids_.size() && ids_[old_index] < now.ids[i])
      ++old_index;
    if (old_index < ids_.size() && ids_[old_index] == now.ids[i]) {
      baselines[i] = baselines_[old_index];
    }
  }
  revision_ = now.world_revision;
  ids_ = now.ids;
  baselines_ = std::move(baselines);
}

std::vector<protocol::BaselineRun> BaselineTracker::runs(const protocol::QuantizedSnapshot& now,
                                                         const SnapshotHistory& history) {
  follow_bodies(now);
  std::vector<protocol::BaselineRun> runs;
  state::Tick checked;  // the baseline that was looked up last
  bool is_checked_usable = true;
  for (const state::Tick wanted : baselines_) {
    if (wanted != checked) {
      checked = wanted;
      is_checked_usable =
          now.tick - wanted <= max_baseline_age_ticks && history.find(wanted) != nullptr;
    }
    const state::Tick baseline = is_checked_usable ? wanted : state::Tick{0};
    if (runs.empty() || runs.back().baseline != baseline) runs.push_back({0, baseline});
    ++runs.back().count;
  }
  return runs;
}

}  // namespace jostle::server
