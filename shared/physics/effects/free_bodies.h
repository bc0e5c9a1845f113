#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// A body with an integrator (BodyDef::integrator) is moved by this integrator in every step in
// which the body is free: it has no joint and no contact, and the step does not search for a
// contact along its path. In all other steps the engine's own integrator is used.
//
// The rest of the step runs as usual. Then the position of the centre of mass and the velocity are
// replaced by those that the integrator computes from the start of the step. It uses gravity, all
// fields, the body's damping and the applied forces, with the rotation at the start of the step.
// The rotation itself is that of the engine's own integrator.
//
// Other bodies that act on the body by charges or poles are extrapolated from their velocity at the
// start of the step. Integrators that evaluate forces after the middle of the step also use the
// acceleration of these bodies. The extrapolated positions then equal those that a Verlet
// integrator computes for these bodies. Two bodies that attract each other under the same Verlet
// integrator therefore exert opposite forces, and conserve their momentum. The order of convergence
// between two moving bodies is at most three.

/// The state of a body with an integrator at the start of the step. Valid during the current step;
/// not saved.
struct FreeStart {
  std::uint32_t body = 0;   // slot
  math::Position position;  // position of the centre of mass
  math::Quat rotation;
  math::Vec3 velocity;
  math::Vec3 force;  // sum of the forces applied through the API, N
};

/// Records the active bodies that have an integrator in WorldState::free_starts, before fields add
/// their forces.
void note_free_starts(WorldState& world);
/// Moves those of the recorded bodies that were free in this step.
void move_free_bodies(WorldState& world);

}  // namespace jostle::physics
