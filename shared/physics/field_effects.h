#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/math/vec3d.h"
#include "shared/physics/field.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Body;
struct WorldState;

// Fields act once per step, on dynamic bodies that are awake. What depends on the place is taken at
// the middle of the step, where the velocity alone would have carried the body by then, and stays
// for the step as `Body::force` and `Body::torque` do:
//
//   x½ = x₀ + v₀·T/2,     v₁ = v₀ + T·f(x½)/m,     x₁ = x½ + v₁·T/2
//
// which is leapfrog: of second order, reversible in time and symplectic, so that orbits and swings
// keep their energy for ever (Hairer, Lubich and Wanner, "Geometric numerical integration", 2006,
// I.1.4). Substeps follow the parabola in between. Drag becomes a rate for the step
// (shared/forces/drag.h), which the substeps solve exactly beside the body's own damping.
//
// Each body sums up its fields in the order of their slots, alone: no result depends on threads.

/// What fields do to a body in the step that runs, beside its force and torque. Not saved.
struct FieldEffect {
  std::uint32_t pass = 0;    // the step in which it was worked out (WorldState::field_pass)
  float linear_rate = 0;     // 1/s, of drag
  float angular_rate = 0;    // 1/s
  float acceleration = 0;    // m/s², of all that does not depend on the velocity
  bool is_any = false;       // a field acts on it
  bool is_balanced = false;  // gravity and all fields would leave it at rest where it is
  bool is_broken = false;    // what acts is not finite
};

/// Whether such a field may be made: it is valid, and its body is alive and of a kind that fits.
bool can_place(const WorldState& world, const FieldDef& def);

/// Before it ends to act, or after it has begun: all that it may act on wakes, with its island.
void wake_for(WorldState& world, const FieldDef& def);

/// Lists the body's charge and poles, or a change of them, among what acts through fields.
void bond(WorldState& world, std::uint32_t body, int change);
/// After the body was switched on or off, or its bonds have changed: whether it is listed.
void list_bonds(WorldState& world, std::uint32_t body);
/// What a field adds to the bonds, or takes from them: change is 1 or −1.
void bond_field(WorldState& world, const FieldDef& def, int change);
/// Before the body goes.
void remove_fields_of_body(WorldState& world, std::uint32_t body);

/// Bodies that move each other by charges and poles sleep and wake together: one that moves wakes
/// the rest.
void wake_by_fields(WorldState& world);
/// Adds the forces of this step to all bodies that are awake. What they would carry out of the
/// finite is quarantined.
void apply_fields(WorldState& world);
/// The same for what has woken since.
void apply_fields_to_woken(WorldState& world);

/// m/s² of gravity and of all that fields do where they find the bodies now, by slot; zero for what
/// is not dynamic.
std::vector<math::Vec3> field_accelerations(const WorldState& world);

/// Where a body was and how it moved before the step. Of the step that runs; not saved.
struct StepStart {
  math::Position position;  // of its centre of mass
  math::Quat rotation;
  math::Vec3 linear_velocity, angular_velocity;  // zero for what sleeps
  math::Vec3 acceleration;                       // m/s², of all that acts on it there
};
/// Notes it, by slot, for all that acts through charges and poles.
void note_bearers(WorldState& world);

/// A moment of a body's way in a step, for acceleration_at.
struct BodyMoment {
  double seconds = 0;       // since the step began
  math::Position position;  // of its centre of mass
  math::Quat rotation;
  math::Vec3d velocity;      // m/s
  math::Vec3 force;          // N, beside gravity and fields
  double most_drag = 0;      // 1/s: all drag and damping together take no more
  bool is_straight = false;  // others went straight on until then
};
/// m/s² of all that acts on the body then, drag and its damping included. Others that act on it are
/// where their velocity, and their acceleration unless they went straight on, of the step's start
/// take them by then, as note_bearers found them, whether they have moved since or not.
math::Vec3d acceleration_at(const WorldState& world, std::uint32_t body, const BodyMoment& moment);

/// What fields do to the body in this step.
const FieldEffect& field_effect(const WorldState& world, std::uint32_t body);

/// Whether the body acts on others through fields, or they on it.
bool is_bonded(const WorldState& world, const Body& body);

}  // namespace jostle::physics
