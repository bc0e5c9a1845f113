#pragma once

#include "shared/base/cloned_ptr.h"
#include "shared/math/aabb.h"
#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/physics/body.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/shape_list.h"
#include "shared/physics/events.h"
#include "shared/physics/handles.h"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::physics {

using state::angular_part;
using state::free_angular;
using state::free_linear;
using state::linear_part;

inline constexpr std::uint32_t no_index = 0xFFFFFFFFU;

/// What move_kinematic asked for, and whether it has been done: the velocity that led there ends
/// one step later, unless a new target follows.
enum class TargetState : std::uint8_t { None, Pending, Reached };
inline constexpr std::uint8_t target_state_count = 3;

/// Why a body takes no part in the simulation: bits of Body::absence.
inline constexpr std::uint8_t quarantined = 1;   // it turned non-finite
inline constexpr std::uint8_t switched_off = 2;  // World::set_enabled

/// What few bodies have beside the rest of their state.
struct RareState {
  math::Pose target;  // of the body's frame, where move_kinematic last sent it
  bool has_centre = false, has_inertia = false;
  math::Vec3 centre;                         // of mass, in the body's frame
  math::Mat3 inertia = math::zero_matrix();  // about it
};

/// One body. The fields up to `shapes` are its state; the rest follows from them.
struct Body {
  MotionType motion = MotionType::Dynamic;
  bool is_awake = true;
  bool is_sleep_allowed = true;
  Locks locks = 0;
  std::uint8_t absence = 0;
  std::uint8_t integrator = 0;    // while it is free: forces::Integrator + 1; 0: the engine's own
  bool is_reported_awake = true;  // what callers know from SleepChange events
  TargetState target_state = TargetState::None;

  math::Position position;  // of the centre of mass
  math::Quat rotation;
  math::Vec3 linear_velocity;
  math::Vec3 angular_velocity;  // for dynamic bodies always I⁻¹·angular_momentum
  math::Vec3 angular_momentum;  // about the centre of mass, world frame; the primary quantity
  math::Vec3 force, torque;     // for the next step
  float linear_damping = 0, angular_damping = 0, gravity_scale = 1;
  float mass_override = 0;
  float sleep_time = 0;             // s, for how long it has been slow
  base::ClonedPtr<RareState> rare;  // none: as it would be by default
  std::uint64_t user_data = 0;
  ShapeList shapes;
  float taut_factor = 1;  // of its inertia (solver/taut_bodies.h)
  float charge = 0;       // saved beside the fields, as the next is
  bool ignores_fields = false;

  // Follows from the shapes.
  math::Vec3 local_centre;  // of mass, in the body's frame
  float mass = 0, inverse_mass = 0;
  math::Mat3 inertia_local = math::zero_matrix();  // about the centre of mass, body frame
  math::Mat3 inverse_inertia_local = math::zero_matrix();
  float extent = 0;          // of the farthest point of any shape from the centre of mass
  bool is_isotropic = true;  // all principal moments equal: no gyroscopic effect

  // Follows from the contacts.
  bool is_listed = false;  // in WorldState::awake_bodies
  bool is_changed = true;  // by a call: the next step looks at its boxes anew
  std::uint32_t first_contact_edge = no_index;
  std::uint32_t first_joint_edge = no_index;
  std::uint32_t awake_place = 0;   // in WorldState::awake_bodies
  std::uint32_t solver_index = 0;  // in the arrays of its cluster

  // Follows from its charge and the fields.
  std::uint32_t bonds = 0;  // how often it is in WorldState::bonded_bodies, which holds it once,
                            // and while it is switched off not at all
};

inline bool is_quarantined(const Body& body) {
  return (body.absence & quarantined) != 0;
}
inline bool is_switched_off(const Body& body) {
  return (body.absence & switched_off) != 0;
}
/// Whether it takes part in the simulation at all.
inline bool is_present(const Body& body) {
  return body.absence == 0;
}

/// Where move_kinematic last sent the body.
inline math::Pose target_of(const Body& body) {
  return body.rare ? body.rare->target : math::Pose{};
}
inline RareState& rare_state(Body& body) {
  if (!body.rare) body.rare = std::make_unique<RareState>();
  return *body.rare;
}
inline void set_target(Body& body, const math::Pose& target) {
  using Bits = std::array<std::uint64_t, sizeof(math::Pose) / sizeof(std::uint64_t)>;
  const bool is_origin =
      std::bit_cast<Bits>(target) == std::bit_cast<Bits>(math::Pose{});  // not −0
  if (!is_origin || body.rare) rare_state(body).target = target;
}

/// One shape. `fat_box` is state: which pairs exist follows from it.
struct ShapeRecord {
  BodyHandle body;
  ShapeDef def;
  bool is_moved = false;      // its new fat box has not been paired yet
  bool has_left_box = false;  // fat_box is new, the tree still holds the one before
  std::uint32_t proxy = no_index;
  math::Aabb fat_box;
};

/// A shape that is a sensor, and who is inside, by handles.
struct SensorRecord {
  std::uint32_t shape = 0;  // slot
  std::vector<ShapeHandle> inside;
};

/// Where a shape is and how it moves: what the narrow phase reads of it in each step beside its
/// geometry. Follows from the shape and its body, and is written with their ShapeBounds.
struct alignas(32) ShapePlace {
  math::Mat3 axes;         // world directions of the shape's own axes
  math::Vec3 from_centre;  // from the body's centre of mass to the shape's origin, world axes
  math::Position centre;   // the body's centre of mass
  math::Vec3 travel;       // of the body's centre in the next step, if nothing stops it
  float turn_reach = 0;    // m, how far turning carries any point of the body in the next step
  float thickness = 0;     // m, what moves farther than this in a step may pass through it
};

/// What finding and dropping pairs reads of a shape, 32 bytes: most pairs of fat boxes are farther
/// apart than that they could touch within the step, and no more than this is looked at of them.
struct alignas(32) ShapeBounds {
  static constexpr std::uint32_t active = 1;   // its body is awake and not static
  static constexpr std::uint32_t sleeper = 2;  // its body is dynamic and asleep
  static constexpr std::uint32_t moved = 4;    // its fat box changed since pairs were last found
  static constexpr std::uint32_t gone = 8;     // taken out: pairs with it are over

  /// All that the shape can reach in the next step by what is known before it, rounded outward.
  math::Vec3 lower;
  std::uint32_t flags = 0;
  math::Vec3 upper;
  std::uint32_t body = 0;
};

inline bool overlaps(const ShapeBounds& a, const ShapeBounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// One point of a manifold. It lies midway between the two surfaces.
struct ManifoldPoint {
  math::Vec3 offset_a;        // from the centre of mass of body a, world axes
  math::Vec3 offset_b;        // from the centre of mass of body b
  float separation = 0;       // m, negative when overlapping
  float normal_impulse = 0;   // N·s per substep
  float step_impulse = 0;     // N·s of the last step
  std::uint32_t feature = 0;  // tells the point from the others of the pair
};

struct Manifold {
  math::Vec3 normal;            // unit, from a to b
  math::Vec3 friction_impulse;  // N·s per substep, on b, in the tangent plane
  float twist_impulse = 0;      // N·m·s per substep, on b, about the normal
  std::uint32_t point_count = 0;
  std::array<ManifoldPoint, max_manifold_points> points;
  /// m, how far the two sides have moved and turned past each other, at most, since the points were
  /// found; negative when that is not known. While it is little the points are kept, and follow.
  float moved = not_known;
  math::Vec3 resistance_impulse;  // N·m·s per substep, on b: against rolling and spinning
  bool is_held = false;           // bodies stood on it in the last substep

  static constexpr float not_known = -1;
};

/// Two shapes that touch, or could within a step. a is the shape with the smaller slot.
struct Contact {
  std::uint32_t shape_a = 0, shape_b = 0;
  bool is_touching = false;
  bool is_dead = false;   // the slot is free: not saved
  bool has_belt = false;  // a surface runs; follows from the shapes
  Manifold manifold;
  /// A mesh or a height field may push in further directions; all of these have points.
  std::vector<Manifold> more;

  // Follows from the rest.
  std::uint32_t body_a = 0, body_b = 0;
  ContactMaterial<float> material;
  /// Links of the two bodies' lists of contacts, for a and for b. Edge 2·i + side names a link.
  std::array<std::uint32_t, 2> previous{no_index, no_index}, next{no_index, no_index};
};

/// The manifolds of a contact are numbered from 0: `manifold`, then `more`.
template <typename ContactOrConst>
auto& manifold_at(ContactOrConst& contact, std::uint32_t i) {
  return i == 0 ? contact.manifold : contact.more[i - 1];
}
inline std::uint32_t manifold_count(const Contact& contact) {
  return 1 + static_cast<std::uint32_t>(contact.more.size());
}

constexpr std::uint64_t pair_key(std::uint32_t shape_a, std::uint32_t shape_b) {
  return (std::uint64_t{shape_a} << 32) | shape_b;
}

}  // namespace jostle::physics
