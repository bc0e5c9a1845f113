#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/math/vec3d.h"
#include "shared/physics/force_field.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Body;
struct WorldState;

// Fields act once per step, on awake dynamic bodies. Forces that depend on position are evaluated
// at the middle of the step, at the position to which the velocity alone would have moved the body.
// During the step, of length T, they are constant, like `Body::force` and `Body::torque`:
//
//   x½ = x₀ + v₀·T/2,     v₁ = v₀ + T·f(x½)/m,     x₁ = x½ + v₁·T/2.
//
// This is the leapfrog method: second order, reversible in time and symplectic, so that orbits and
// oscillations conserve their energy (Hairer, Lubich and Wanner, "Geometric numerical integration",
// 2006, I.1.4). Substeps follow the parabola in between. Drag becomes a rate for the step
// (shared/forces/drag.h), which the substeps integrate exactly, together with the body's own
// damping.
//
// Each body sums its fields in the order of their slots, on one thread, so that no result depends
// on the number of threads.

/// The effects of fields on a body in the current step, besides its force and torque. Not saved.
struct FieldEffect {
  std::uint32_t pass = 0;  // number of the step of these effects (WorldState::field_pass)
  float linear_rate = 0;   // 1/s, of drag
  float angular_rate = 0;  // 1/s
  // magnitude of the acceleration by the fields' forces that do not depend on velocity, m/s²
  float acceleration = 0;
  bool is_any = false;  // true if a field acts on the body
  /// True if gravity and all fields cancel at the position of the body, to within a thousandth of
  /// the sum of their magnitudes, so that the body can rest there.
  bool is_balanced = false;
  bool is_broken = false;  // true if the sum is not finite
};

/// Returns true if the field may be created: it is valid, and its body fits its kind. A thrust
/// needs a dynamic body, a pole may have any body or none, and other fields must have none. The
/// body must be alive.
bool can_place(const WorldState& world, const ForceFieldDef& def);

/// Wakes all dynamic bodies on which the field can act, with their islands. Call it before a field
/// is removed and after one is added.
void wake_for(WorldState& world, const ForceFieldDef& def);

/// Adds `change` to the number of the body's charges and poles, and updates the list of bodies that
/// act through fields.
void bond(WorldState& world, std::uint32_t body, int change);
/// Adds the body to WorldState::bonded_bodies or removes it, after it was enabled or disabled or
/// its charges or poles have changed.
void list_bonds(WorldState& world, std::uint32_t body);
/// Counts a field through which bodies act on each other, and counts a pole among the poles of its
/// body. `change` is 1 for a new field and −1 for a removed one. Does nothing for other fields.
void bond_field(WorldState& world, const ForceFieldDef& def, int change);
/// Removes the fields of a body that is about to be destroyed.
void remove_fields_of_body(WorldState& world, std::uint32_t body);

/// Wakes all dynamic bodies with charges or poles if one of them is awake, or if a kinematic body
/// with charges or poles moves. Does nothing if no field lets bodies act on each other.
void wake_by_fields(WorldState& world);
/// Adds the forces of this step to all awake bodies. Bodies that would become non-finite are
/// quarantined.
void apply_fields(WorldState& world);
/// Adds the forces of this step to the bodies that have woken since apply_fields. If the sum for a
/// body is not finite, its forces are cleared, and the next step quarantines it.
void apply_fields_to_woken(WorldState& world);

/// Returns the acceleration by gravity and all fields, without drag, in m/s², indexed by body slot.
/// For an active body, the fields are evaluated half a step ahead, at the position extrapolated
/// from its velocity. The acceleration is zero for bodies that are not dynamic.
std::vector<math::Vec3> field_accelerations(const WorldState& world);

/// The pose and motion of a body at the start of the step. Valid during the current step; not
/// saved.
struct StepStart {
  math::Position position;  // position of the centre of mass
  math::Quat rotation;
  math::Vec3 linear_velocity, angular_velocity;  // zero if asleep
  math::Vec3 acceleration;  // total acceleration of the body at this position, m/s²
};
/// Records the StepStart of all bodies with charges or poles in WorldState::bearer_starts.
void note_bearers(WorldState& world);

/// A moment in a body's motion during a step, the input of acceleration_at.
struct BodyMoment {
  double seconds = 0;       // time since the step began
  math::Position position;  // position of the centre of mass
  math::Quat rotation;
  math::Vec3d velocity;      // m/s
  math::Vec3 force;          // N, besides gravity and fields
  double most_drag = 0;      // 1/s: limit for the total rate of drag and damping
  bool is_straight = false;  // true if other bodies are extrapolated without acceleration
};
/// Returns the total acceleration of the body at `moment`, in m/s², including drag and damping.
/// Other bodies are extrapolated from the start of the step, as note_bearers recorded them, even if
/// they have moved since. The extrapolation uses their velocity and, unless `is_straight`, their
/// acceleration.
math::Vec3d acceleration_at(const WorldState& world, std::uint32_t body, const BodyMoment& moment);

/// Returns the effects of fields on the body in this step. Without fields all effects are zero.
const FieldEffect& field_effect(const WorldState& world, std::uint32_t body);

/// Returns true if the body acts on other bodies through charges or poles, or other bodies act on
/// it through them.
bool is_bonded(const WorldState& world, const Body& body);

}  // namespace jostle::physics
