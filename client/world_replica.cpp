#include "client/world_replica.h"

#include "protocol/context/body_facts.h"

#include <algorithm>
#include <utility>

namespace jostle::client {

using state::BodyId;
using state::BodyInfo;

namespace {

/// Maximum number of ids and facts that are kept for late snapshots: 32 MiB.
constexpr std::size_t max_known_ids = std::size_t{4} << 20;

/// Maximum number of removed bodies kept. It bounds the memory that a server can make a client use.
constexpr std::size_t max_departed = 16'384;

bool is_sorted_by_id(const std::vector<BodyInfo>& bodies) {
  return std::adjacent_find(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) {
           return a.id >= b.id;
         }) == bodies.end();
}

/// Returns the position of the body with this id, or the position to insert it.
template <typename Bodies>
auto place_of(Bodies& bodies, BodyId id) {
  return std::lower_bound(bodies.begin(), bodies.end(), id, [](const auto& body, BodyId wanted) {
    if constexpr (requires { body.info; }) {
      return body.info.id < wanted;
    } else {
      return body.id < wanted;
    }
  });
}

}  // namespace

WorldReplica::Outcome WorldReplica::replace(state::WorldDef world) {
  if (has_world_ && world.revision <= world_.revision) return Outcome::Ignored;
  if (!is_sorted_by_id(world.bodies)) return Outcome::Broken;

  std::vector<Resident> residents;
  residents.reserve(world.bodies.size());
  auto old = residents_.begin();
  const auto keep_departed = [&] {
    old->to_revision = std::min(old->to_revision, world.revision);
    residents.push_back(std::move(*old++));
  };
  for (const BodyInfo& info : world.bodies) {
    while (old != residents_.end() && old->info.id < info.id)
      keep_departed();
    Resident body{info, protocol::quantize(info.pose, true), world.revision};
    if (old != residents_.end() && old->info.id == info.id) {
      body.from_revision = old->from_revision;
      ++old;
    }
    residents.push_back(std::move(body));
  }
  while (old != residents_.end())
    keep_departed();

  residents_ = std::move(residents);
  world_ = std::move(world);
  has_world_ = true;
  whole_revision_ = world_.revision;
  shapes_ = 0;
  for (const BodyInfo& info : world_.bodies)
    shapes_ += info.shapes.size();
  note_revision();
  return apply_held() ? Outcome::Applied : Outcome::Broken;
}

WorldReplica::Outcome WorldReplica::change(state::WorldChange change) {
  if (has_world_ && change.revision <= world_.revision) return Outcome::Ignored;
  if (has_world_ && change.revision == world_.revision + 1) {
    return apply(change) && apply_held() ? Outcome::Applied : Outcome::Broken;
  }
  const auto place = std::lower_bound(held_.begin(), held_.end(), change.revision,
                                      [](const state::WorldChange& held, std::uint32_t revision) {
                                        return held.revision < revision;
                                      });
  if (place != held_.end() && place->revision == change.revision) return Outcome::Ignored;
  if (held_.size() >= max_held_changes) return Outcome::Broken;
  held_.insert(place, std::move(change));
  return Outcome::Held;
}

bool WorldReplica::apply_held() {
  while (!held_.empty() && held_.front().revision <= world_.revision + 1) {
    const state::WorldChange change = std::move(held_.front());
    held_.pop_front();
    if (change.revision == world_.revision + 1 && !apply(change)) return false;
  }
  return true;
}

bool WorldReplica::apply(const state::WorldChange& change) {
  for (const BodyId id : change.despawns) {
    const auto body = place_of(world_.bodies, id);
    if (body == world_.bodies.end() || body->id != id) return false;
    shapes_ -= body->shapes.size();
    world_.bodies.erase(body);
    place_of(residents_, id)->to_revision = change.revision;
  }
  for (const BodyInfo& info : change.spawns) {
    const auto resident = place_of(residents_, info.id);
    // Ids are never reused, so an id that is still remembered is an error.
    if (resident != residents_.end() && resident->info.id == info.id) return false;
    shapes_ += info.shapes.size();
    if (world_.bodies.size() >= protocol::max_bodies || shapes_ > protocol::max_body_shapes)
      return false;
    residents_.insert(resident, {info, protocol::quantize(info.pose, true), change.revision});
    world_.bodies.insert(place_of(world_.bodies, info.id), info);
  }
  // If there are too many removed bodies, forget all of them, to limit the memory. Those that are
  // still displayed disappear early.
  if (residents_.size() > world_.bodies.size() + max_departed) forget_departed(change.revision);
  world_.revision = change.revision;
  note_revision();
  return true;
}

void WorldReplica::note_revision() {
  auto ids = std::make_shared<std::vector<BodyId>>();
  for (const BodyInfo& body : world_.bodies) {
    if (body.motion != state::MotionType::Static) ids->push_back(body.id);
  }
  auto facts = std::make_shared<const std::vector<protocol::context::BodyFacts>>(
      protocol::context::facts_of(world_));
  known_.push_back({world_.revision, std::move(ids), std::move(facts)});

  known_ids_ += known_.back().ids->size();
  while (known_.size() > max_known_revisions || (known_.size() > 1 && known_ids_ > max_known_ids)) {
    known_ids_ -= known_.front().ids->size();
    known_.pop_front();
  }
}

const WorldReplica::Known* WorldReplica::known_at(std::uint32_t revision) const {
  const auto known = std::lower_bound(
      known_.begin(), known_.end(), revision,
      [](const Known& entry, std::uint32_t wanted) { return entry.revision < wanted; });
  return known != known_.end() && known->revision == revision ? &*known : nullptr;
}

MovingIds WorldReplica::moving_ids(std::uint32_t revision) const {
  const Known* known = known_at(revision);
  return known != nullptr ? known->ids : nullptr;
}

MovingFacts WorldReplica::moving_facts(std::uint32_t revision) const {
  const Known* known = known_at(revision);
  return known != nullptr ? known->facts : nullptr;
}

const protocol::QuantizedBody* WorldReplica::spawn_pose(BodyId id) const {
  const auto body = place_of(residents_, id);
  return body != residents_.end() && body->info.id == id ? &body->spawn_pose : nullptr;
}

void WorldReplica::forget_departed(std::uint32_t revision) {
  std::erase_if(residents_, [&](const Resident& body) { return body.to_revision <= revision; });
}

}  // namespace jostle::client
