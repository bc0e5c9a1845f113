#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;
struct WorldState;

/// State of a body at the end of a substep.
struct PathPoint {
  math::Vec3 offset;  // from its position at the start of the step, m
  math::Quat rotation;
  math::Vec3 linear_velocity, linear_rest;        // m/s
  math::Vec3 angular_velocity, angular_momentum;  // rad/s; kg·m²/s, of the body's true inertia
};

/// The path of an island through a step: the states of its bodies at the end of each substep.
///
/// Islands whose links may whip (refine_islands.h) keep their path. If continuous collision finds
/// that one of the bodies has passed through something, the island returns to the last substep
/// before the impact (continuous/put_back.h). The states of one substep satisfy the joints, and
/// have the energy and momentum of that time. Poses that are interpolated between the start and the
/// end of the step do not: a link that whips is far from this line.
struct IslandPath {
  std::vector<std::uint32_t> bodies;  // slots
  std::vector<PathPoint> points;      // substep by substep, parallel to `bodies`

  std::size_t substeps() const { return points.size() / bodies.size(); }
};

/// Begins the path of the cluster's island, if it keeps one. Call this before each attempt to solve
/// the step.
void begin_path(Cluster& cluster);
/// Adds the current states of the bodies to the path.
void note_path(Cluster& cluster);

/// Moves the bodies of a path to their states at the end of substep `count`, counted from 1, and
/// updates their bounds. Their contact points are forgotten.
void return_along(WorldState& world, const IslandPath& path, std::size_t count);

}  // namespace jostle::physics
