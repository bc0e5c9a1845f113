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

void show_between(const state::Snapshot& before, float fraction, float farthest,
                  state::Snapshot& now) {
  auto old = before.bodies.begin();
  for (state::BodyState& body : now.bodies) {
    while (old != before.bodies.end() && old->id < body.id)
      ++old;
    if (old == before.bodies.end() || old->id != body.id) continue;
    const math::Vec3 way = body.pose.position - old->pose.position;
    if (!(math::length_squared(way) <= farthest * farthest)) continue;
    body.pose.position = old->pose.position + way * fraction;
    // A step turns by little: along the chord, the shorter way.
    const math::Quat from = old->pose.rotation;
    const math::Quat to =
        dot(from, body.pose.rotation) < 0.0f ? negate(body.pose.rotation) : body.pose.rotation;
    const float rest = 1.0f - fraction;
    body.pose.rotation = math::normalized(
        math::Quat{from.x * rest + to.x * fraction, from.y * rest + to.y * fraction,
                   from.z * rest + to.z * fraction, from.w * rest + to.w * fraction});
  }
}

}  // namespace jostle::sim
