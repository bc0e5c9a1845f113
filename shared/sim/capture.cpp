#include "shared/sim/capture.h"

namespace jostle::sim {

state::Snapshot capture(const physics::World& world, const BodyRegistry& bodies, state::Tick tick) {
  const state::WorldDef& def = bodies.world_def();
  state::Snapshot snapshot;
  snapshot.tick = tick;
  snapshot.world_revision = def.revision;
  snapshot.bodies.reserve(def.bodies.size());
  for (std::size_t i = 0; i < def.bodies.size(); ++i) {
    if (def.bodies[i].motion == state::MotionType::Static) continue;
    const physics::BodyHandle body = bodies.handles()[i];
    snapshot.bodies.push_back({def.bodies[i].id, world.pose(body), world.linear_velocity(body),
                               world.angular_velocity(body), world.is_awake(body)});
  }
  return snapshot;
}

}  // namespace jostle::sim
