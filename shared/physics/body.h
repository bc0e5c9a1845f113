#pragma once

#include "shared/forces/integrators.h"
#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/material.h"
#include "shared/state/motion_locks.h"
#include "shared/state/shape.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>

namespace jostle::physics {

using state::MotionLocks;
using state::MotionType;

/// The collision filter of a shape. Two shapes may collide if the category of each has a bit in
/// common with the mask of the other. If both have the same non-zero group, the group alone
/// decides: shapes of a positive group always collide, those of a negative group never do.
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

/// The definition of a body. All values must be finite, rotations must have unit length, and
/// damping must not be negative.
struct BodyDef {
  MotionType motion = MotionType::Dynamic;
  math::Pose pose;
  math::Vec3 linear_velocity;   // m/s
  math::Vec3 angular_velocity;  // rad/s, world frame
  float linear_damping = 0;     // 1/s: c in dv/dt = −c·v
  float angular_damping = 0;    // 1/s
  float gravity_scale = 1;
  /// Mass. If it is 0, the mass is computed from the volumes and densities of the shapes, or is 1
  /// kg if these have no mass. Otherwise the inertia of the shapes is scaled in proportion to this
  /// mass.
  float mass = 0;  // kg, 0 or 1e-6..1e12
  /// Mass properties that replace those computed from the shapes; they require `mass`. Both are in
  /// the body's frame. The inertia is about the centre of mass and must pass geometry::is_inertia.
  /// If only the centre is given, the inertia is that of the shapes about their centre of mass.
  std::optional<math::Vec3> centre_of_mass;  // m
  std::optional<math::Mat3> inertia;         // kg·m²
  bool is_sleep_allowed = true;
  bool is_awake = true;
  bool is_enabled = true;  // see World::set_enabled
  /// Locked axes of a dynamic body. The velocities along and about locked axes are zero, whatever
  /// acts on the body. Coordinates of the centre of mass along locked axes keep their exact bits.
  /// Only set_pose, and an added shape that moves the centre of mass, change them. If all rotation
  /// is locked, the rotation keeps its exact bits. If the body turns about one axis only, and its
  /// initial rotation is about that axis, the zeros of its quaternion stay zero.
  MotionLocks locks = 0;
  std::uint64_t user_data = 0;
  /// Charge, on which poles and other charges act (forces::Pole, forces::Charges), within
  /// ±forces::max_charge.
  float charge = 0;
  /// Integrator of a dynamic body in steps in which no joint and no contact acts on it
  /// (free_bodies.h). Without a value, and in all other steps, the engine's own integrator is used.
  std::optional<forces::Integrator> integrator;
  /// True if no field except thrusts acts on the body. Its charge and poles still act on other
  /// bodies, as if it were immovable.
  bool ignores_force_fields = false;
};

/// The definition of a shape. The shape must pass geometry::check_shape. Planes, meshes and height
/// fields need a static body.
struct ShapeDef {
  state::Shape shape;
  math::Transform local;  // pose in the body's frame
  Material material;
  float density = 1000;  // kg/m³, 0 or 1e-6..1e9
  Filter filter;
  /// True for a sensor, which collides with nothing and records the shapes that overlap it
  /// (World::sensor_overlaps). It adds mass unless its density is 0. Planes, meshes and height
  /// fields cannot be sensors. Sensors do not detect each other, and sensors on static bodies do
  /// not detect static bodies.
  bool is_sensor = false;
  /// Surface velocity in m/s, in the frame of the shape, for example that of a conveyor belt.
  /// Friction drives touching bodies towards its component tangential to the contact.
  math::Vec3 surface_velocity;

  bool operator==(const ShapeDef&) const = default;
};

}  // namespace jostle::physics
