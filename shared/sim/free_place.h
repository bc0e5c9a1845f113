#pragma once

#include "shared/math/transform.h"
#include "shared/physics/queries.h"
#include "shared/physics/world.h"

#include <cstdint>
#include <vector>

namespace jostle::sim {

/// The shapes of a player's body and of the wheels of its car, in their poses at a spawn.
struct SpawnShapes {
  math::Position spawn;
  std::vector<physics::QueryShape> shapes;
  std::uint32_t mask = 0;  // categories that the shapes collide with
};

/// Returns the displacement in m from the spawn to the first free place near it, at which the
/// shapes overlap no other body. The bodies of players with the same spawn therefore do not
/// overlap. The displacement is zero if no moving body is at the spawn itself.
///
/// The places are a triangular lattice around the spawn, perpendicular to `up`, then places above
/// it. If `is_planar` is set, the lattice has only the row along x. A place of the lattice must
/// have ground about as far below as the spawn. If no place is free, the displacement is zero.
math::Vec3 free_displacement(const physics::World& world, const SpawnShapes& spawned, math::Vec3 up,
                             bool is_planar);

}  // namespace jostle::sim
