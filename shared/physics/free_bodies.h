#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// A body that names an integrator (BodyDef::integrator) is taken along by it in every step in which
// it is free: no joint is on it, and nothing is so near that the step gives it a contact, or looks
// for one along its way. All else of a step goes on as it does for others; then the place of its
// centre of mass and its velocity become those that the integrator finds from where the step began,
// with gravity, all fields, its damping and the forces of calls, whose turning it follows as at the
// step's beginning. How it turns is the engine's. Others that act on it by charges or poles go
// on meanwhile with the velocity with which the step found them, and where the integrator looks
// beyond the middle, with their acceleration: so two that attract each other by the same Verlet
// keep their momentum, and the order between two that move is at most three. A step in which it is
// not free is the engine's own.

/// Where a body with an integrator was before the step. Of the step that runs; not saved.
struct FreeStart {
  std::uint32_t body = 0;   // slot
  math::Position position;  // of its centre of mass
  math::Quat rotation;
  math::Vec3 velocity;
  math::Vec3 force;  // N, of calls
};

/// Notes the active bodies that name an integrator, before fields add their forces.
void note_free_starts(WorldState& world);
/// Takes those of them along that were free.
void move_free_bodies(WorldState& world);

}  // namespace jostle::physics
