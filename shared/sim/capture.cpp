#include "shared/sim/capture.h"

namespace jostle::sim {

namespace {

state::BodyState state_of(const physics::World& world, state::BodyId id, physics::BodyHandle body) {
  if (!world.is_enabled(body)) return {id, world.pose(body), {}, {}, false};
  return {id, world.pose(body), world.linear_velocity(body), world.angular_velocity(body),
          world.is_awake(body)};
}

}  // namespace

std::vector<state::BodyState> capture_awake(const physics::World& world,
                                            const BodyRegistry& bodies) {
  const state::WorldDef& def = bodies.world_def();
  std::vector<state::BodyState> awake;
  for (std::size_t i = 0; i < def.bodies.size(); ++i) {
    const physics::BodyHandle body = bodies.handles()[i];
    if (def.bodies[i].motion == state::MotionType::Static || !world.is_awake(body)) continue;
    awake.push_back(state_of(world, def.bodies[i].id, body));
  }
  return awake;
}

state::Snapshot capture(const physics::World& world, const BodyRegistry& bodies, state::Tick tick) {
  const state::WorldDef& def = bodies.world_def();
  state::Snapshot snapshot;
  snapshot.tick = tick;
  snapshot.world_revision = def.revision;
  snapshot.bodies.reserve(def.bodies.size());
  for (std::size_t i = 0; i < def.bodies.size(); ++i) {
    if (def.bodies[i].motion == state::MotionType::Static) continue;
    snapshot.bodies.push_back(state_of(world, def.bodies[i].id, bodies.handles()[i]));
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
    // Interpolates linearly, along the shorter arc, because a body turns little in one step.
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
