#pragma once

#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::physics {

struct WorldOptions;
struct WorldState;
struct Body;

/// Computes the mass, centre of mass, inertia and extent of a body from its shapes and from the
/// mass properties in its BodyDef. Does not change its pose or velocity.
void derive_mass(const WorldState& world, Body& body);
/// Updates the mass, centre of mass and inertia of a body whose shapes have changed. The pose of
/// the body's frame stays the same; position and velocity become those of the new centre of mass.
void update_mass(WorldState& world, std::uint32_t body);

// Locked rotation. If rotation about some world axes is locked, the locks exert the moments that
// keep ω zero about these axes. Let P be the projection onto the other axes. The body then responds
// with the inertia P·R·I·Rᵀ·P, and I⁻¹ is the inverse of this matrix on the free axes. It differs
// from the projected inverse P·R·I⁻¹·Rᵀ·P, which leaves out the moments of the locks.

/// Returns P·R·I·Rᵀ·P in world axes.
math::Mat3 free_inertia(const Body& body);
/// Returns the inverse of `free`, a result of free_inertia, on the free axes. Rows and columns of
/// the locked axes are zero.
math::Mat3 inverse_free_inertia(const math::Mat3& free);
/// Returns the inverse inertia of the body in its current rotation, with locks applied, in world
/// axes.
math::Mat3 inverse_inertia(const Body& body);

/// Sets ω = R·I⁻¹·Rᵀ·L, or ω = I⁻¹·L with the inverse described above if rotation is locked.
void update_angular_velocity(Body& body);
/// Sets L = R·I·Rᵀ·ω, or L = P·R·I·Rᵀ·P·ω if rotation is locked.
void update_angular_momentum(Body& body);
/// Applies an impulse (N·s) at the centre of mass and an angular impulse (N·m·s) to a dynamic body.
/// Components along and about locked axes have no effect.
void change_momentum(Body& body, math::Vec3 impulse, math::Vec3 angular_impulse);

struct Velocities {
  math::Vec3 linear;   // m/s
  math::Vec3 angular;  // rad/s, world frame
};
/// Returns the velocities that take a kinematic body to `target` within a step of `dt` seconds.
Velocities velocities_to(const Body& body, const math::Pose& target, float dt);

/// Removes a body whose state is not finite or out of bounds from the simulation. The body stays
/// at its last pose without contacts, and is counted in StepStats. Its joints break (JointBreak).
void quarantine(WorldState& world, std::uint32_t body);
/// Fills WorldState::changed_bodies with the active bodies that calls have changed or that woke
/// since the last step, those with a target of move_kinematic, and those above the speed limits.
/// After a change of gravity it lists all active bodies.
void find_changed_bodies(WorldState& world);
/// Validates the bodies in WorldState::changed_bodies. Speeds are clamped to their limits, and
/// bodies with non-finite values are quarantined.
void check_inputs(WorldState& world);

/// Returns `v`, shortened to `max_length` if it is longer.
math::Vec3 limited(math::Vec3 v, float max_length);
/// Clamps the speeds of a body to the limits of the options. Returns true if a speed was above its
/// limit.
bool limit_speeds(const WorldOptions& options, Body& body);

}  // namespace jostle::physics
