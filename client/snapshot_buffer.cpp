#include "client/snapshot_buffer.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <functional>
#include <type_traits>
#include <variant>

namespace jostle::client {

using state::Tick;

namespace {

/// The number of parts is one byte, so the index of a part is at most 254 and has a bit in
/// BufferedSnapshot::decoded_parts.
static_assert(protocol::max_snapshot_parts >= 255);

constexpr std::int64_t history_bits = 32;

/// Returns the decoded parts as an acknowledgement mask. If parts share a bit, it is set only if
/// all of them are decoded.
std::uint64_t ack_mask(const BufferedSnapshot& snapshot) {
  std::uint64_t mask = 0, missing = 0;
  for (int part = 0; part < snapshot.parts; ++part) {
    const std::uint64_t bit = std::uint64_t{1} << protocol::ack_bit(part, snapshot.parts);
    (snapshot.decoded_parts[static_cast<std::size_t>(part)] ? mask : missing) |= bit;
  }
  return mask & ~missing;
}

/// Returns true if the body indices of the part are strictly ascending and within the world.
bool has_places(const SnapshotBuffer::Part& part) {
  const std::size_t size = part.ids->size();
  if (part.chosen.empty()) return part.first <= size && part.bodies.size() <= size - part.first;
  const bool is_ascending = std::adjacent_find(part.chosen.begin(), part.chosen.end(),
                                               std::greater_equal<>{}) == part.chosen.end();
  return is_ascending && part.chosen.size() == part.bodies.size() && part.chosen.back() < size;
}

/// Returns true if the part has precise states for all of its bodies and they are consecutive, or
/// has no precise states.
bool has_precise(const SnapshotBuffer::Part& part) {
  const std::size_t count = protocol::precise::size_of(part.precise);
  return count == 0 || (count == part.bodies.size() && part.chosen.empty());
}
/// Returns a list for the precise states of all bodies of the part's world, with default values.
/// Empty if the part has no precise states.
protocol::precise::Bodies room_for(const SnapshotBuffer::Part& part) {
  if (protocol::precise::size_of(part.precise) == 0) return {};
  return std::visit(
      [&](const auto& bodies) -> protocol::precise::Bodies {
        return std::remove_cvref_t<decltype(bodies)>(part.ids->size());
      },
      part.precise);
}
void put_precise(BufferedSnapshot& entry, const SnapshotBuffer::Part& part) {
  std::visit(
      [&](const auto& bodies) {
        using List = std::remove_cvref_t<decltype(bodies)>;
        if (!bodies.empty())
          std::ranges::copy(bodies, std::get<List>(entry.precise).begin() + part.first);
      },
      part.precise);
}
/// Adds the teleports of the part's bodies. Entries about other bodies are ignored.
void add_teleports(BufferedSnapshot& entry, const SnapshotBuffer::Part& part) {
  for (const protocol::Teleport& teleport : part.teleports) {
    const Tick tick = state::previous(part.tick, teleport.age_ticks);
    for (std::size_t i = 0; i < part.bodies.size(); ++i) {
      const auto index =
          static_cast<std::uint32_t>(part.chosen.empty() ? part.first + i : part.chosen[i]);
      if (teleport.index == index || teleport.index == protocol::Teleport::all_bodies)
        entry.teleports.push_back({index, tick});
    }
  }
}
/// Returns true if the part has the same profile as the snapshot, or has no bodies.
bool is_as_precise(const BufferedSnapshot& entry, const SnapshotBuffer::Part& part) {
  if (part.bodies.empty()) return true;
  const bool is_precise = protocol::precise::size_of(part.precise) > 0;
  return entry.is_precise() == is_precise &&
         (!is_precise || entry.precise.index() == part.precise.index());
}
std::size_t weight_of(const BufferedSnapshot& entry) {
  return entry.bodies.size() * (entry.is_precise() ? SnapshotBuffer::precise_share : 1);
}

}  // namespace

const protocol::QuantizedBody* BufferedSnapshot::find(state::BodyId id) const {
  const auto place = std::lower_bound(ids->begin(), ids->end(), id);
  if (place == ids->end() || *place != id) return nullptr;
  const auto index = static_cast<std::size_t>(place - ids->begin());
  return is_decoded[index] ? &bodies[index] : nullptr;
}

std::optional<state::Tick> BufferedSnapshot::teleport_of(std::size_t index) const {
  std::optional<state::Tick> last;
  for (const Teleport& teleport : teleports)
    if (teleport.index == index && (!last || teleport.tick > *last)) last = teleport.tick;
  return last;
}

math::Pose BufferedSnapshot::pose_of(std::size_t index) const {
  if (is_precise()) {
    // body_at() returns null only for values that are not finite, which the decoder refuses.
    if (const auto body = protocol::precise::body_at(precise, index)) return body->pose;
  }
  return protocol::dequantize(bodies[index]);
}

protocol::QuantizedSnapshot BufferedSnapshot::copy() const {
  return {.tick = tick, .world_revision = world_revision, .ids = *ids, .bodies = bodies};
}

SnapshotBuffer::Insert SnapshotBuffer::insert(Part part) {
  JOSTLE_ASSERT(part.ids != nullptr);
  if (part.parts == 0 || part.part >= part.parts || !has_places(part) || !has_precise(part))
    return Insert::Contradicts;
  if (!entries_.empty() && entries_.back().tick - part.tick >= std::int64_t{window_ticks}) {
    return Insert::TooOld;
  }
  BufferedSnapshot* entry = open(part);
  if (entry == nullptr) return Insert::Contradicts;
  if (entry->is_whole() || entry->decoded_parts[part.part]) return Insert::AlreadyThere;
  if (!is_as_precise(*entry, part)) return Insert::Contradicts;

  const auto place_of = [&part](std::size_t i) {
    return part.chosen.empty() ? part.first + i : std::size_t{part.chosen[i]};
  };
  for (std::size_t i = 0; i < part.bodies.size(); ++i) {
    if (entry->is_decoded[place_of(i)]) return Insert::Contradicts;
  }
  for (std::size_t i = 0; i < part.bodies.size(); ++i) {
    entry->bodies[place_of(i)] = part.bodies[i];
    entry->is_decoded[place_of(i)] = true;
  }
  put_precise(*entry, part);
  add_teleports(*entry, part);
  entry->decoded_parts.set(part.part);
  ++entry->decoded_count;
  entry->decoded_bodies += part.bodies.size();
  const bool is_complete = entry->is_complete();
  bound();
  return is_complete ? Insert::Completed : Insert::Added;
}

BufferedSnapshot* SnapshotBuffer::open(const Part& part) {
  auto place =
      std::lower_bound(entries_.begin(), entries_.end(), part.tick,
                       [](const BufferedSnapshot& entry, Tick tick) { return entry.tick < tick; });
  if (place != entries_.end() && place->tick == part.tick) {
    if (place->is_whole()) return &*place;
    if (!part.is_keyframe) {
      const bool fits = place->world_revision == part.world_revision && place->parts == part.parts;
      return fits ? &*place : nullptr;
    }
    bodies_held_ -= weight_of(*place);
    place = entries_.erase(place);
  }
  BufferedSnapshot entry{.tick = part.tick,
                         .world_revision = part.world_revision,
                         .ids = part.ids,
                         .parts = part.parts,
                         .decoded_parts = {},
                         .bodies = std::vector<protocol::QuantizedBody>(part.ids->size()),
                         .is_decoded = std::vector<bool>(part.ids->size()),
                         .precise = room_for(part),
                         .skipped = part.skipped,
                         .teleports = {}};
  bodies_held_ += weight_of(entry);
  if (!first_ && !part.is_keyframe) first_ = part.tick;
  return &*entries_.insert(place, std::move(entry));
}

void SnapshotBuffer::bound() {
  const Tick newest = entries_.back().tick;
  for (BufferedSnapshot& entry : entries_) {
    if (newest - entry.tick < std::int64_t{late_ticks}) break;
    if (!entry.was_counted && !entry.is_complete()) ++incomplete_;
    entry.was_counted = true;
  }
  while (entries_.size() > 1 && (newest - entries_.front().tick >= std::int64_t{window_ticks} ||
                                 bodies_held_ > max_bodies_held)) {
    bodies_held_ -= weight_of(entries_.front());
    entries_.pop_front();
  }
}

const BufferedSnapshot* SnapshotBuffer::at(Tick tick) const {
  const auto place = std::lower_bound(
      entries_.begin(), entries_.end(), tick,
      [](const BufferedSnapshot& entry, Tick wanted) { return entry.tick < wanted; });
  return place != entries_.end() && place->tick == tick ? &*place : nullptr;
}

std::optional<state::Snapshot> SnapshotBuffer::newest_states() const {
  const auto newest = std::find_if(
      entries_.rbegin(), entries_.rend(),
      [](const BufferedSnapshot& entry) { return entry.is_whole() && entry.is_precise(); });
  if (newest == entries_.rend()) return {};
  state::Snapshot states{newest->tick, newest->world_revision, {}};
  for (std::size_t i = 0; i < newest->bodies.size(); ++i) {
    auto body = protocol::precise::body_at(newest->precise, i);
    if (!body) return {};
    body->id = (*newest->ids)[i];
    states.bodies.push_back(*body);
  }
  return states;
}

std::optional<Tick> SnapshotBuffer::newest_complete() const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->is_complete()) return entry->tick;
  }
  return {};
}

protocol::SnapshotAck SnapshotBuffer::ack() const {
  protocol::SnapshotAck ack;
  const std::optional<Tick> newest = newest_complete();
  if (newest) ack.newest = *newest;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->is_complete()) {
      const std::int64_t back = ack.newest - entry->tick - 1;
      if (back >= 0 && back < history_bits) ack.history |= std::uint32_t{1} << back;
    } else if (ack.partial.size() < protocol::max_partial_acks) {
      if (const std::uint64_t mask = ack_mask(*entry)) ack.partial.push_back({entry->tick, mask});
    }
  }
  std::reverse(ack.partial.begin(), ack.partial.end());
  return ack;
}

double SnapshotBuffer::loss(std::uint32_t interval_ticks) const {
  JOSTLE_ASSERT(interval_ticks > 0);
  if (entries_.empty() || !first_) return 0;
  const Tick newest = entries_.back().tick;
  const Tick end = state::previous(newest, late_ticks);
  const Tick begin = std::max(*first_, state::previous(newest, loss_ticks - 1));
  // The number of parts of a fully lost snapshot is unknown. The mean of the received snapshots is
  // assumed.
  double snapshots = 0, parts = 0, decoded = 0, skipped = 0;
  for (const BufferedSnapshot& entry : entries_) {
    const std::uint32_t left_out = entry.skipped * interval_ticks;
    const Tick from = std::max(begin, state::previous(entry.tick, left_out));
    const Tick to = std::min(end, entry.tick);
    if (from < to) skipped += static_cast<double>((to - from) / interval_ticks);
    if (entry.tick < begin || entry.tick >= end) continue;
    ++snapshots;
    parts += entry.parts;
    decoded += entry.decoded_count;
  }
  if (snapshots == 0) return 0;
  const std::int64_t intervals = (end - begin) / interval_ticks;
  const double expected = std::max(static_cast<double>(intervals) - skipped, snapshots);
  return std::clamp(1 - decoded / (parts / snapshots * expected), 0.0, 1.0);
}

}  // namespace jostle::client
