#pragma once

#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::physics {

struct WorldOptions;
struct WorldState;
struct Body;

/// Mass, centre and inertia of a body from its shapes, and nothing else.
void derive_mass(const WorldState& world, Body& body);
/// The same for a body whose shapes have changed: its frame stays where it is, and position and
/// velocity become those of the new centre.
void update_mass(WorldState& world, std::uint32_t body);

// Where turning is locked about some axes of the world, the locks bring whatever moments about
// these keep ω zero there. With P for the other axes, what the body does is that of the inertia
// P·R·I·Rᵀ·P, and I⁻¹ is the inverse of that among them: I⁻¹·L is not cut, as a body that is pushed
// off an axis of its own leans on its locks.

/// P·R·I·Rᵀ·P, world axes.
math::Mat3 free_inertia(const Body& body);
/// Its inverse among the free axes, zero along the others.
math::Mat3 inverse_free_inertia(const math::Mat3& free);
/// That of the body as it stands, locked or not; world axes.
math::Mat3 inverse_inertia(const Body& body);

/// ω = R·I⁻¹·Rᵀ·L
void update_angular_velocity(Body& body);
/// L = R·I·Rᵀ·ω
void update_angular_momentum(Body& body);
/// Adds N·s at the centre of mass and N·m·s about it to a dynamic body.
void change_momentum(Body& body, math::Vec3 impulse, math::Vec3 angular_impulse);

struct Velocities {
  math::Vec3 linear;   // m/s
  math::Vec3 angular;  // rad/s, world frame
};
/// With which a step of dt seconds takes a kinematic body from where it is to `target`.
Velocities velocities_to(const Body& body, const math::Pose& target, float dt);

/// Takes a body that turned non-finite out of the simulation: it stands still where it last was,
/// touches nothing and is counted.
void quarantine(WorldState& world, std::uint32_t body);
/// Lists the active bodies to which calls have done something since the last step, and those that
/// are faster than they may be.
void find_changed_bodies(WorldState& world);
/// What calls have set since the last step: speeds are cut to their limits, and bodies that would
/// carry the solver out of the finite are quarantined.
void check_inputs(WorldState& world);

/// `v`, or the vector of length `max_length` along it where it is longer.
math::Vec3 limited(math::Vec3 v, float max_length);
/// Makes the body no faster than the options allow; whether it was.
bool limit_speeds(const WorldOptions& options, Body& body);

}  // namespace jostle::physics
