#include "shared/physics/stabilizers/adaptive_substeps/island_paths.h"

#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/world/body_state.h"

#include <algorithm>

namespace jostle::physics {

namespace {

/// Locked bodies and kinematic bodies move on paths of their own.
bool may_return(const Body& body) {
  return is_dynamic(body) && body.locks == 0;
}

PathPoint point_of(const Cluster& cluster, std::size_t index) {
  const SolverArrays& solver = cluster.solver;
  const BodyBlock& block = solver.body_blocks[index / lane_count];
  const std::size_t lane = index % lane_count;
  const Body& body = cluster.world.bodies[solver.bodies[index].body];
  const SolverVelocity& velocity = solver.velocities[index];
  return {solver.motions[index].offset,
          rotation_of(block.rotation, lane),
          velocity.linear,
          vector_of(block.linear_rest, lane),
          velocity.angular,
          momentum_of(block, lane, velocity.angular) * (1.0f / body.taut_factor)};
}

void return_to(WorldState& world, std::uint32_t index, const PathPoint& point) {
  Body& body = world.bodies[index];
  body.position = world.starts[body.awake_place].position + point.offset;
  body.rotation = point.rotation;
  body.linear_velocity = point.linear_velocity;
  body.linear_rest = point.linear_rest;
  body.turn_ratio = 0;
  if (body.is_isotropic) {
    body.angular_velocity = point.angular_velocity;
    body.angular_momentum = body.angular_velocity * body.inertia_local.cx.x;
  } else {
    body.angular_momentum = point.angular_momentum;
    update_angular_velocity(body);
  }
  limit_speeds(world.options, body);
  refresh_proxies(world, index);
  forget_points_of_body(world, index);
}

}  // namespace

void begin_path(Cluster& cluster) {
  if (!cluster.may_be_refined) return;
  if (cluster.refinement == 1) {
    const auto is_simple = [&](std::uint32_t body) {
      return may_return(cluster.world.bodies[body]);
    };
    cluster.keeps_path = std::ranges::all_of(cluster.bodies, is_simple);
    if (!cluster.keeps_path) return;
    cluster.paths.push_back({{cluster.bodies.begin(), cluster.bodies.end()}, {}});
  }
  if (cluster.keeps_path) cluster.paths.back().points.clear();
}

void note_path(Cluster& cluster) {
  if (!cluster.keeps_path) return;
  for (std::size_t i = 1; i <= cluster.bodies.size(); ++i)
    cluster.paths.back().points.push_back(point_of(cluster, i));
}

void return_along(WorldState& world, const IslandPath& path, std::size_t count) {
  const std::size_t first = (count - 1) * path.bodies.size();
  for (std::size_t i = 0; i < path.bodies.size(); ++i)
    if (is_present(world.bodies[path.bodies[i]]))
      return_to(world, path.bodies[i], path.points[first + i]);
}

}  // namespace jostle::physics
