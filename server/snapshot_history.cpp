#include "server/snapshot_history.h"

#include <algorithm>
#include <utility>

namespace jostle::server {

void SnapshotHistory::push(SharedSnapshot snapshot) {
  SharedSnapshot& slot = ring_[snapshot->tick.number % ring_.size()];
  slot = std::move(snapshot);
}

SharedSnapshot SnapshotHistory::find(state::Tick tick) const {
  const SharedSnapshot& slot = ring_[tick.number % ring_.size()];
  return slot && slot->tick == tick ? slot : nullptr;
}

bool SnapshotHistory::holds(state::Tick tick) const {
  const SharedSnapshot& slot = ring_[tick.number % ring_.size()];
  return slot && slot->tick == tick;
}

const protocol::QuantizedBody* find_body(const protocol::QuantizedSnapshot& snapshot,
                                         state::BodyId id) {
  const auto it = std::lower_bound(snapshot.ids.begin(), snapshot.ids.end(), id);
  if (it == snapshot.ids.end() || *it != id) return nullptr;
  return &snapshot.bodies[static_cast<std::size_t>(it - snapshot.ids.begin())];
}

protocol::QuantizedSnapshot spawn_poses(const state::WorldDef& world) {
  protocol::QuantizedSnapshot poses;
  poses.world_revision = world.revision;
  for (const state::BodyInfo& body : world.bodies) {
    if (body.motion == state::MotionType::Static) continue;
    poses.ids.push_back(body.id);
    poses.bodies.push_back(protocol::quantize(body.pose, true));
  }
  return poses;
}

}  // namespace jostle::server
