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

/// State of a target set by move_kinematic: Pending until a step moves the body there, then
/// Reached. The step after that sets the velocity to zero, unless there is a new target.
enum class TargetState : std::uint8_t { None, Pending, Reached };
inline constexpr std::uint8_t target_state_count = 3;

/// Reasons why a body takes no part in the simulation: bits of Body::absence.
// removed from the simulation because its state became non-finite or out of bounds
inline constexpr std::uint8_t quarantined = 1;
inline constexpr std::uint8_t disabled = 2;  // World::set_enabled

/// State that few bodies have.
struct RareState {
  math::Pose target;  // target pose of the body's frame, as last set by move_kinematic
  bool has_centre = false, has_inertia = false;
  math::Vec3 centre;                         // centre of mass, in the body's frame
  math::Mat3 inertia = math::zero_matrix();  // inertia tensor about the centre
};

/// One body. The fields up to `ignores_force_fields` are its state; the rest is derived from them.
struct Body {
  MotionType motion = MotionType::Dynamic;
  bool is_awake = true;
  bool is_sleep_allowed = true;
  MotionLocks locks = 0;
  std::uint8_t absence = 0;
  /// forces::Integrator + 1, used while the body is free; 0: the engine's own integrator.
  std::uint8_t integrator = 0;
  bool is_reported_awake = true;  // value in the body's last SleepChange event
  TargetState target_state = TargetState::None;

  math::Position position;  // position of the centre of mass
  math::Quat rotation;
  math::Vec3 linear_velocity;
  // angular velocity, rad/s; for dynamic bodies always I⁻¹·angular_momentum
  math::Vec3 angular_velocity;
  math::Vec3 angular_momentum;  // about the centre of mass, world frame; the primary quantity
  math::Vec3 linear_rest;       // rounding error of linear_velocity, added in the next substep, m/s
  /// ω·L/L² of a dynamic body that turns freely, 1/(kg·m²); 0 if unknown. It is constant while
  /// nothing acts on the body (turn_freely in solver/kernels/turn_kernel.h).
  float turn_ratio = 0;
  math::Vec3 force, torque;  // force (N) and torque (N·m) applied by calls for the next step
  float linear_damping = 0, angular_damping = 0, gravity_scale = 1;
  float mass_override = 0;
  float sleep_time = 0;  // s, time for which the body has been slow
  // Mean motion of the last steps, m/s and rad/s, of a body that is nearly at rest; else the motion
  // of the last step (is_slow in solver/body_solver.cpp).
  math::Vec3 mean_linear, mean_angular;
  base::ClonedPtr<RareState> rare;  // seldom used fields; null if all have their defaults
  std::uint64_t user_data = 0;
  ShapeList shapes;
  float taut_factor =
      1;             // factor of the body's inertia (stabilizers/geometric_stiffness/taut_bodies.h)
  float charge = 0;  // charge of the body; saved with the force fields, as is ignores_force_fields
  bool ignores_force_fields = false;

  // The members below are derived from the shapes.
  math::Vec3 local_centre;  // centre of mass, in the body's frame
  float mass = 0, inverse_mass = 0;
  math::Mat3 inertia_local = math::zero_matrix();  // about the centre of mass, body frame
  math::Mat3 inverse_inertia_local = math::zero_matrix();
  float extent = 0;  // m, distance of the farthest point of any shape from the centre of mass
  bool is_isotropic = true;  // all principal moments equal: no gyroscopic effect

  // The members below are derived from the contacts and joints.
  bool is_listed = false;  // true if the body is in WorldState::awake_bodies
  bool is_changed = true;  // true if the next step must update its bounds
  std::uint32_t first_contact_edge = no_index;
  std::uint32_t contact_count = 0;
  std::uint32_t first_joint_edge = no_index;
  std::uint32_t awake_place = 0;   // index in WorldState::awake_bodies
  std::uint32_t solver_index = 0;  // index in the arrays of its cluster

  // This member is derived from the body's charge and the fields.
  /// Number of the body's charges and poles. If it is not 0 and the body is enabled, the body is in
  /// WorldState::bonded_bodies, once.
  std::uint32_t bonds = 0;
};

inline bool is_quarantined(const Body& body) {
  return (body.absence & quarantined) != 0;
}
inline bool is_disabled(const Body& body) {
  return (body.absence & disabled) != 0;
}
/// Returns true if the body takes part in the simulation.
inline bool is_present(const Body& body) {
  return body.absence == 0;
}

/// Returns the pose to which move_kinematic last sent the body; the identity pose if it never did.
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
      // false for −0, which must be stored
      std::bit_cast<Bits>(target) == std::bit_cast<Bits>(math::Pose{});
  if (!is_origin || body.rare) rare_state(body).target = target;
}

/// One shape. `fat_box` is state, because it decides which pairs exist.
struct ShapeRecord {
  BodyHandle body;
  ShapeDef def;
  bool is_moved = false;      // true until pairs of its new fat AABB have been searched
  bool has_left_box = false;  // true while the tree still has the previous `fat_box`
  std::uint32_t proxy = no_index;
  math::Aabb fat_box;
};

/// A sensor shape, and the shapes that overlap it, sorted by handle.
struct SensorRecord {
  std::uint32_t shape = 0;  // slot
  std::vector<ShapeHandle> inside;
};

/// The placement and motion of a shape: the data that the narrow phase reads for a shape in each
/// step, besides its geometry. Derived from the shape and its body, and written together with its
/// ShapeBounds.
struct alignas(32) ShapePlace {
  math::Mat3 axes;  // world directions of the shape's axes
  // vector from the body's centre of mass to the shape's origin, world axes
  math::Vec3 from_centre;
  math::Position centre;  // the body's centre of mass
  // displacement of the body's centre of mass in the next step, if nothing stops it
  math::Vec3 travel;
  /// Maximum distance, in m, by which rotation moves the shape along any direction in the next
  /// step.
  float turn_reach = 0;
  // m, distance of the farthest point of the shape's core (Convex) from the shape's origin
  float core_radius = 0;
  float thickness = 0;  // m; a shape that moves farther than this in a step may tunnel
};

/// The data of a shape that the broad phase reads when it finds and drops pairs, in 32 bytes. Most
/// pairs with overlapping fat AABBs are too far apart to touch within the step, and cost only a
/// comparison of their two bounds.
struct alignas(32) ShapeBounds {
  static constexpr std::uint32_t active = 1;   // set if the body is awake and not static
  static constexpr std::uint32_t sleeper = 2;  // set if the body is dynamic and asleep
  // set if the fat AABB changed since pairs were last searched
  static constexpr std::uint32_t moved = 4;
  static constexpr std::uint32_t gone = 8;  // removed from the broad phase; its pairs are dropped

  /// Bounds of everything that the shape can reach in the next step according to its motion before
  /// the step, rounded outward.
  math::Vec3 lower;
  std::uint32_t flags = 0;
  math::Vec3 upper;
  std::uint32_t body = 0;
};

inline bool overlaps(const ShapeBounds& a, const ShapeBounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// One contact point of a manifold. It lies midway between the two surfaces.
struct ManifoldPoint {
  math::Vec3 offset_a;        // contact point relative to the centre of mass of body a, world axes
  math::Vec3 offset_b;        // contact point relative to the centre of mass of body b
  float separation = 0;       // m, negative when overlapping
  float normal_impulse = 0;   // N·s per substep
  float step_impulse = 0;     // N·s, sum over the last step, with restitution
  std::uint32_t feature = 0;  // feature id, which matches the point with one of the last step
};

struct Manifold {
  math::Vec3 normal;            // unit, from a to b
  math::Vec3 friction_impulse;  // N·s per substep, on b, in the tangent plane
  float twist_impulse = 0;      // N·m·s per substep, on b, about the normal
  std::uint32_t point_count = 0;
  std::array<ManifoldPoint, max_manifold_points> points;
  /// Upper bound, in m, of the relative motion of the two shapes since the points were computed;
  /// negative if unknown. While the bound is small, the points are kept and updated with the
  /// motion.
  float moved = not_known;
  math::Vec3 resistance_impulse;  // N·m·s per substep, on b: against rolling and spinning
  bool is_held = false;           // true if the stack solver used the manifold in the last substep

  static constexpr float not_known = -1;
};

/// Two shapes that touch, or could touch within the step. `shape_a` is less than `shape_b`.
struct Contact {
  std::uint32_t shape_a = 0, shape_b = 0;
  bool is_touching = false;
  bool is_dead = false;   // the slot is free; not saved
  bool has_belt = false;  // a surface velocity acts; derived from the shapes
  Manifold manifold;
  /// Further manifolds of a mesh or height field, which may push in several directions. All of them
  /// have points.
  std::vector<Manifold> more;

  // The members below are derived from the members above.
  std::uint32_t body_a = 0, body_b = 0;
  ContactMaterial<float> material;
  /// Links in the contact lists of bodies a and b: edges, 2·contact + side, or `no_index` at an end
  /// of the list (edge_list.h).
  std::array<std::uint32_t, 2> previous{no_index, no_index}, next{no_index, no_index};
};

/// Returns manifold `i` of a contact: number 0 is `manifold`, the further ones are those of `more`.
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
