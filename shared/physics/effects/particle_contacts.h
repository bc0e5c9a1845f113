#pragma once

#include "shared/math/aabb.h"
#include "shared/math/vec3d.h"
#include "shared/physics/effects/obstacle_grid.h"
#include "shared/physics/particles.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

// Collisions of particles with bodies. A particle collides as a ball of its radius, with a minimum
// of 1 mm. The ball's centre moves in a straight line during a step. The first hit is found by
// conservative advancement: the ball advances to the plane through the nearest point of the
// obstacle, which separates the ball from the obstacle (Mirtich, "Impulse-based dynamic simulation
// of rigid body systems", 1996, 2.3.2). Particles therefore do not tunnel at any speed.
//
// A body is used in its pose after the step, with the velocity that it has then. A body that
// travels more than its thickness in a step may pass over a particle without hitting it.
//
// A bounce is Newtonian restitution with Coulomb friction at the moment of impact. Accelerations
// continue for the rest of the step, so that the height after a bounce matches the restitution.

/// A plane shape. Planes have no bounds and are tested against every particle.
struct ParticlePlane {
  math::Vec3d normal;       // unit normal
  double height = 0;        // m: normal·x on its surface
  std::uint32_t shape = 0;  // slot
};

/// The obstacles of particles in the current step.
struct ParticleObstacles {
  const WorldState* world = nullptr;
  std::vector<ParticlePlane> planes;
  math::Aabb box;  // bounds of all obstacles except planes
  bool is_any = false;
  ObstacleGrid grid;  // grid over the same obstacles
};
/// Returns the obstacles in the world. A grid is only built if there are at least 1,000
/// `particles`.
ParticleObstacles obstacles_of(const WorldState& world, std::size_t particles);

/// The motion of a particle in a step, without collisions.
struct ParticleWay {
  math::Vec3d start, start_velocity;  // m, m/s
  math::Vec3d end, end_velocity;
  float radius = 0;  // m
};

/// Replaces the end position and velocity of `way` by those after its collisions with obstacles.
void meet_obstacles(const ParticleObstacles& obstacles, const ParticleSetDef& def,
                    ParticleWay& way);

}  // namespace jostle::physics
