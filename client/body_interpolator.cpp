#include "client/body_interpolator.h"

#include <algorithm>
#include <utility>

namespace jostle::client {
namespace {

constexpr double fade_seconds = 0.1;

/// States of a body around a tick. `before` and `from` are at or before the tick, `to` and `after`
/// are later. A state is null if no snapshot contains it, or if it was not searched.
struct Neighbours {
  std::optional<PoseSample> before, from, to, after;
  bool is_awake = true;  // true if the body is awake in state `from`
};

/// Returns the states of the body in `place` around `moment`. `before` is searched only with
/// `with_outer` or if there is no `to`; `after` only with `with_outer`. Snapshots older than the
/// tick `floor` are not searched.
Neighbours find_neighbours(const BufferMoment& moment, const BodyPlace& place, double floor,
                           bool with_outer) {
  const auto& entries = moment.buffer.entries();
  const auto find = [&place](const BufferedSnapshot& entry) -> const protocol::QuantizedBody* {
    const bool is_there = entry.ids == place.ids && place.index < entry.ids->size() &&
                          (*entry.ids)[place.index] == place.id;
    if (!is_there) return entry.find(place.id);
    return entry.is_decoded[place.index] ? &entry.bodies[place.index] : nullptr;
  };
  const auto sample = [](const BufferedSnapshot& entry, const protocol::QuantizedBody& body) {
    const auto index = static_cast<std::size_t>(&body - entry.bodies.data());
    const auto teleport = entry.teleport_of(index);
    return PoseSample{static_cast<double>(entry.tick.number), entry.pose_of(index),
                      teleport ? static_cast<double>(teleport->number) : -1};
  };
  const auto later = entries.begin() + static_cast<std::ptrdiff_t>(moment.later);

  Neighbours found;
  for (auto entry = later; entry != entries.end(); ++entry) {
    const protocol::QuantizedBody* body = find(*entry);
    if (body == nullptr) continue;
    if (!found.to) {
      found.to = sample(*entry, *body);
      if (!with_outer) break;
    } else {
      found.after = sample(*entry, *body);
      break;
    }
  }
  // Without a later state, the pose is extrapolated from the last two states.
  const bool needs_before = with_outer || !found.to;
  for (auto entry = later; entry != entries.begin();) {
    --entry;
    if (static_cast<double>(entry->tick.number) < floor) break;
    const protocol::QuantizedBody* body = find(*entry);
    if (body == nullptr) continue;
    if (!found.from) {
      found.from = sample(*entry, *body);
      found.is_awake = body->is_awake;
      if (!needs_before) break;
    } else {
      found.before = sample(*entry, *body);
      break;
    }
  }
  return found;
}

}  // namespace

BufferMoment::BufferMoment(const SnapshotBuffer& snapshots, double at)
    : buffer(snapshots), tick(at) {
  const auto& entries = buffer.entries();
  later = static_cast<std::size_t>(
      std::upper_bound(entries.begin(), entries.end(), tick,
                       [](double moment, const BufferedSnapshot& entry) {
                         return moment < static_cast<double>(entry.tick.number);
                       }) -
      entries.begin());
}

BodyInterpolator::BodyInterpolator(int tick_rate_hz, std::uint32_t snapshot_interval_ticks)
    : mode_(interpolation_mode(static_cast<double>(tick_rate_hz) / snapshot_interval_ticks)),
      fade_ticks_(fade_seconds * tick_rate_hz) {}

void BodyInterpolator::show(double tick, const SnapshotBuffer& buffer, const WorldReplica& world) {
  bodies_.clear();
  next_memories_.clear();
  const auto& entries = buffer.entries();
  if (entries.empty() || world.is_empty()) return;

  // The displayed revision is that of the last snapshot at or before `tick`, or of the oldest
  // snapshot.
  revision_ = entries.front().world_revision;
  for (const BufferedSnapshot& entry : entries) {
    if (static_cast<double>(entry.tick.number) > tick) break;
    revision_ = entry.world_revision;
  }

  teleported_.clear();
  for (const BufferedSnapshot& entry : entries) {
    for (const BufferedSnapshot::Teleport& teleport : entry.teleports)
      if (teleport.tick.number > tick - 2 * fade_ticks_)
        teleported_.push_back((*entry.ids)[teleport.index]);
  }
  std::sort(teleported_.begin(), teleported_.end());

  const BufferMoment now(buffer, tick), last(buffer, last_tick_);
  BodyPlace at{{}, entries.back().ids, 0};
  auto memory = memories_.begin();
  world.for_each_at(revision_, [&](const WorldReplica::Resident& body) {
    if (body.info.motion == state::MotionType::Static) {
      bodies_.push_back({&body.info, body.info.pose, false});
      return;
    }
    while (memory != memories_.end() && memory->id < body.info.id)
      ++memory;
    const bool is_known = memory != memories_.end() && memory->id == body.info.id;
    Memory next = is_known ? *memory : Memory{.id = body.info.id};
    at.id = body.info.id;
    while (at.index < at.ids->size() && (*at.ids)[at.index] < at.id)
      ++at.index;
    const Placed placed = place(next, body, at, now);
    if (placed.from && (!next.from || placed.from->tick > next.from->tick)) {
      next.before = placed.before;
      next.from = placed.from;
      next.is_awake = placed.is_awake;
    }
    next.shown = fade(next, body, at, placed, tick, last);
    next.uncorrected = placed.pose;
    next.was_extrapolated = placed.is_extrapolated;
    next.extrapolated_from = placed.from ? placed.from->tick : tick;
    bodies_.push_back({&body.info, next.shown, placed.is_awake});
    next_memories_.push_back(next);
  });
  std::swap(memories_, next_memories_);
  last_tick_ = tick;
}

BodyInterpolator::Placed BodyInterpolator::place(const Memory& memory,
                                                 const WorldReplica::Resident& body,
                                                 const BodyPlace& at,
                                                 const BufferMoment& moment) const {
  const double tick = moment.tick;
  // `memory` holds the last known states, because their snapshots may have left the buffer. With
  // these states, the search may stop `late_ticks` before the last displayed tick, because older
  // snapshots should receive no more parts. Searching the whole buffer would be slow for sleeping
  // bodies, which are sent rarely.
  const bool remembers = memory.from && memory.from->tick <= tick;
  const double floor = remembers ? std::min(tick, last_tick_) - SnapshotBuffer::late_ticks : 0;
  Neighbours near = find_neighbours(moment, at, floor, mode_ == InterpolationMode::Hermite);
  if (remembers && (!near.from || near.from->tick < memory.from->tick)) {
    near.before = memory.before;
    near.from = memory.from;
    near.is_awake = memory.is_awake;
  } else if (remembers && !near.before && near.from->tick > memory.from->tick) {
    near.before = memory.from;
  }
  // If no snapshot part with the body has arrived yet, use the spawn pose.
  if (!near.from) return {body.info.pose, true, true, -1, {}, {}};
  if (!near.to) {
    const bool moves = near.is_awake && tick > near.from->tick;
    return {moves ? extrapolate(near.before, *near.from, tick) : near.from->pose,
            near.is_awake,
            moves,
            near.from->teleport,
            near.before,
            near.from};
  }
  const bool is_behind = near.to->is_apart_from(*near.from) && tick >= near.to->teleport;
  return {interpolate({near.before, *near.from, *near.to, near.after}, tick, mode_),
          near.is_awake,
          false,
          is_behind ? near.to->teleport : near.from->teleport,
          near.before,
          near.from};
}

math::Pose BodyInterpolator::fade(Memory& memory, const WorldReplica::Resident& body,
                                  const BodyPlace& at, const Placed& placed, double tick,
                                  const BufferMoment& last) const {
  if (memory.was_extrapolated && tick >= last_tick_) {
    // Recompute the pose at the last displayed tick, with the snapshots that have arrived since. If
    // it differs from the pose that was extrapolated then, the difference is faded out.
    const Placed then = place(memory, body, at, last);
    if (then.pose != memory.uncorrected && !(then.teleport > memory.extrapolated_from)) {
      memory.correction = correction_between(then.pose, memory.shown);
      memory.correction_since = last_tick_;
      memory.is_corrected = true;
    }
  }
  // A body that was set elsewhere is there at once.
  if (placed.teleport > memory.correction_since) memory.is_corrected = false;
  if (!memory.is_corrected) return placed.pose;
  const double weight = 1 - (tick - memory.correction_since) / fade_ticks_;
  if (weight <= 0 || weight > 1) {
    memory.is_corrected = false;
    return placed.pose;
  }
  return corrected(placed.pose, memory.correction, weight);
}

}  // namespace jostle::client
