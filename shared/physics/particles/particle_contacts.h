#pragma once

#include "shared/math/aabb.h"
#include "shared/math/vec3d.h"
#include "shared/physics/particles.h"
#include "shared/physics/particles/obstacle_grid.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

// How a particle meets bodies. It is a ball of its radius, and at least of a millimetre, whose
// middle goes straight through a step; what it meets first is found by advancing it to the plane
// that parts it from the nearest point (conservative advancement: Mirtich, "Impulse-based dynamic
// simulation of rigid body systems", 1996, 2.3.2), so that no speed takes it through anything. A
// body counts where the step has left it, with the way that it came in the step for a motion of
// its own: one that travels more than its own thickness in a step may pass over a particle.
//
// A bounce is Newton's with Coulomb's friction, at the moment of the impact; what acts goes on for
// the rest of the step, so that height comes back as restitution has it.

/// Planes, which have no bounds: looked at for each particle.
struct ParticlePlane {
  math::Vec3d normal;       // unit
  double height = 0;        // m: normal·x on its surface
  std::uint32_t shape = 0;  // slot
};

/// What particles may meet in this step.
struct ParticleObstacles {
  const WorldState* world = nullptr;
  std::vector<ParticlePlane> planes;
  math::Aabb box;  // around all others
  bool is_any = false;
  ObstacleGrid grid;  // of them
};
/// For so many particles; a grid is worth while for many.
ParticleObstacles obstacles_of(const WorldState& world, std::size_t particles);

/// The way of one particle in a step, as it would be with nothing in its way.
struct ParticleWay {
  math::Vec3d start, start_velocity;  // m, m/s
  math::Vec3d end, end_velocity;
  float radius = 0;  // m
};

/// Bends the end of the way to where the particle comes to after it has met what is there.
void meet_obstacles(const ParticleObstacles& obstacles, const ParticleSetDef& def,
                    ParticleWay& way);

}  // namespace jostle::physics
