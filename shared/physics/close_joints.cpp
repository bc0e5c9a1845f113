#include "shared/physics/close_joints.h"

#include "shared/physics/body_state.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/tree_closing.h"

#include <vector>

namespace jostle::physics {
namespace {

constexpr std::size_t mechanisms_per_range = 4;

/// Those that are awake, in order of their first joints.
std::vector<std::uint32_t> awake_mechanisms(const WorldState& world) {
  const Mechanisms& all = world.mechanisms;
  std::vector<std::uint32_t> mechanisms;
  for (const std::uint32_t joint : world.awake_joints) {
    const std::uint32_t mechanism = world.joints[joint].mechanism;
    if (mechanism == Mechanisms::none) continue;
    if (all.edges[all.trees[mechanism].first_edge].joint == joint) mechanisms.push_back(mechanism);
  }
  return mechanisms;
}

/// Its spin turns with it, and has the energy that it had.
void put(WorldState& world, const PlacedBody& placed) {
  Body& body = world.bodies[placed.body];
  if (body.rotation != placed.place.rotation && body.locks == 0) {
    const math::Quat turn = placed.place.rotation * conjugate(body.rotation);
    body.angular_momentum = rotate(turn, body.angular_momentum);
  }
  body.position = placed.place.position;
  body.rotation = placed.place.rotation;
  if (body.locks == 0) update_angular_velocity(body);
  refresh_proxies(world, placed.body);
}

}  // namespace

void close_joints(WorldState& world) {
  if (world.mechanisms.trees.empty() || world.awake_joints.empty()) return;
  const std::vector<std::uint32_t> mechanisms = awake_mechanisms(world);
  std::vector<std::vector<PlacedBody>> places(mechanisms.size());
  for_each_range(*world.runtime.workers, mechanisms.size(), mechanisms_per_range, [&](Range range) {
    TreeClosing closing(world);
    for (std::size_t i = range.first; i < range.last; ++i)
      if (closing.run(mechanisms[i])) places[i] = closing.places();
  });
  for (const std::vector<PlacedBody>& of_mechanism : places) {
    for (const PlacedBody& placed : of_mechanism)
      put(world, placed);
  }
}

}  // namespace jostle::physics
