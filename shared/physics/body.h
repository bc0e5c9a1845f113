#pragma once

#include "shared/forces/integrators.h"
#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/material.h"
#include "shared/state/locks.h"
#include "shared/state/shape.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>

namespace jostle::physics {

using state::Locks;
using state::MotionType;

/// Which pairs may touch: both masks must hold the other's category. A shared negative group never
/// collides, a shared positive group always does, whatever the masks say.
struct Filter {
  std::uint32_t category = 1;
  std::uint32_t mask = 0xFFFFFFFFU;
  std::int32_t group = 0;

  bool operator==(const Filter&) const = default;
};

constexpr bool may_collide(const Filter& a, const Filter& b) {
  if (a.group == b.group && a.group != 0) return a.group > 0;
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/// Everything must be finite, rotations of unit length, damping not negative.
struct BodyDef {
  MotionType motion = MotionType::Dynamic;
  math::Pose pose;
  math::Vec3 linear_velocity;   // m/s
  math::Vec3 angular_velocity;  // rad/s, world frame
  float linear_damping = 0;     // 1/s: c in dv/dt = −c·v
  float angular_damping = 0;    // 1/s
  float gravity_scale = 1;
  /// 0: from the shapes' volumes and densities. Otherwise the inertia is scaled along.
  float mass = 0;  // kg, else 1e-6..1e12
  /// In place of what follows from the shapes; `mass` must be given as well. In the body's frame,
  /// the inertia about the centre of mass: geometry::is_inertia. Where only the centre is given,
  /// the inertia about it is that of the shapes about theirs.
  std::optional<math::Vec3> centre_of_mass;  // m
  std::optional<math::Mat3> inertia;         // kg·m²
  bool is_sleep_allowed = true;
  bool is_awake = true;
  bool is_enabled = true;  // World::set_enabled
  /// Of a dynamic body. Its velocities along and about locked axes are zero, whatever is done to
  /// it, and the coordinates of its centre of mass along them keep their bits; only set_pose moves
  /// it there. A body that cannot turn keeps the bits of its rotation; one that turns about one
  /// axis alone, and started turned about that alone, keeps the zeros of its quaternion.
  Locks locks = 0;
  std::uint64_t user_data = 0;
  /// What poles and other charges act on (forces::Pole, forces::Charges): within
  /// ±forces::max_charge.
  float charge = 0;
  /// Of a dynamic body: what takes it along in each step in which no joint and no contact is on it
  /// (free_bodies.h); none: the engine's own step, as in all others.
  std::optional<forces::Integrator> integrator;
  /// Whether fields leave it alone, but for thrusts. It acts on others as if it were fixed.
  bool ignores_fields = false;
};

/// The shape must pass geometry::check_shape; planes, meshes and height fields stand on
/// static bodies only.
struct ShapeDef {
  state::Shape shape;
  math::Transform local;  // pose in the body's frame
  Material material;
  float density = 1000;  // kg/m³, 0 or 1e-6..1e9
  Filter filter;
  /// Touches nothing, and knows what overlaps it (World::sensor_overlaps). Without a density it
  /// weighs nothing. Not a plane, a mesh or a height field. Sensors do not see each other, nor does
  /// one of a static body see static ones.
  bool is_sensor = false;
  /// m/s, in the shape's own frame: how the surface runs over the shape, as a conveyor does.
  /// Friction pulls towards it, along the contact.
  math::Vec3 surface_velocity;

  bool operator==(const ShapeDef&) const = default;
};

}  // namespace jostle::physics
