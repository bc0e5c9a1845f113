#include "shared/physics/effects/free_bodies.h"

#include "shared/forces/integrators.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/solver/locked_bodies.h"
#include "shared/physics/world/body_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jostle::physics {

using math::Position;
using math::Vec3;
using math::Vec3d;

namespace {

/// Returns the slots of all bodies for which the step searched for contacts along the path, sorted.
std::vector<std::uint32_t> fast_bodies(const WorldState& world) {
  std::vector<std::uint32_t> bodies;
  for (const FastPair& pair : world.fast_pairs) {
    for (const std::uint32_t shape : {pair.shape_a, pair.shape_b})
      bodies.push_back(world.shapes[shape].body.index);
  }
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

bool is_free(const WorldState& world, std::uint32_t index, const std::vector<std::uint32_t>& fast) {
  const Body& body = world.bodies[index];
  if (!is_dynamic(body) || !is_active(body)) return false;
  if (body.first_contact_edge != no_index || body.first_joint_edge != no_index) return false;
  return !std::binary_search(fast.begin(), fast.end(), index);
}

bool is_within_floats(Vec3d v) {
  constexpr double largest = std::numeric_limits<float>::max();
  return std::abs(v.x) <= largest && std::abs(v.y) <= largest && std::abs(v.z) <= largest;
}

void move(WorldState& world, const FreeStart& start) {
  Body& body = world.bodies[start.body];
  const auto integrator = static_cast<forces::Integrator>(body.integrator - 1);
  const auto seconds = static_cast<double>(world.options.step_seconds);
  // PositionVerlet and Midpoint evaluate no forces after the middle of the step. If the other body
  // is extrapolated without acceleration, two bodies with the same integrator compute the same
  // distance in the middle of the step, and so opposite forces.
  const bool is_straight = integrator == forces::Integrator::PositionVerlet ||
                           integrator == forces::Integrator::Midpoint;
  const double most_drag = integrator == forces::Integrator::BackwardEuler
                               ? std::numeric_limits<double>::infinity()
                               : 1 / seconds;
  // Positions are relative to the start of the step, because floats are coarse far from the origin.
  const forces::MotionState<Vec3d> before{{}, math::widened(start.velocity)};
  const auto acceleration = [&](Vec3d way, Vec3d velocity, double since) {
    const Position place{start.position.x + way.x, start.position.y + way.y,
                         start.position.z + way.z};
    return acceleration_at(
        world, start.body,
        {since, place, start.rotation, velocity, start.force, most_drag, is_straight});
  };
  const forces::MotionState<Vec3d> after =
      forces::advanced(integrator, before, 0.0, seconds, acceleration);
  // If the result is beyond the range of floats, the result of the engine's own integrator is kept.
  if (!is_within_floats(after.velocity) || !is_within_floats(after.position)) return;
  const Vec3 velocity = limited(narrowed(after.velocity), world.options.max_linear_speed);
  const Position place{start.position.x + after.position.x, start.position.y + after.position.y,
                       start.position.z + after.position.z};
  body.linear_velocity = free_linear(body.locks, velocity);
  body.linear_rest = {};
  body.position = locked_position(body.locks, start.position, place);
  refresh_proxies(world, start.body);
}

}  // namespace

void note_free_starts(WorldState& world) {
  world.free_starts.clear();
  if (!world.has_integrators) return;
  for (const std::uint32_t index : world.awake_bodies) {
    const Body& body = world.bodies[index];
    if (body.integrator != 0)
      world.free_starts.push_back(
          {index, body.position, body.rotation, body.linear_velocity, body.force});
  }
  if (!world.free_starts.empty()) note_bearers(world);
}

void move_free_bodies(WorldState& world) {
  if (world.free_starts.empty()) return;
  const std::vector<std::uint32_t> fast = fast_bodies(world);
  for (const FreeStart& start : world.free_starts) {
    if (is_free(world, start.body, fast)) move(world, start);
  }
}

}  // namespace jostle::physics
