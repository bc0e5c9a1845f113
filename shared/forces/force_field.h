#pragma once

#include "shared/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <variant>

namespace jostle::forces {

// Force fields as plain data: they act on bodies and particles at a distance. The functions of
// shared/forces compute their effect at a point. No field depends on time; a field stays the same
// until a caller changes it.

enum class RegionKind : std::uint8_t { Everywhere, Box, Sphere };
inline constexpr std::uint8_t region_kind_count = 3;

/// The region in which a field acts, including its border.
struct Region {
  RegionKind kind = RegionKind::Everywhere;
  math::Position centre;
  math::Vec3 half_extents;  // Box, along the world's axes, m
  float radius = 0;         // Sphere, m

  bool operator==(const Region&) const = default;
};

bool contains(const Region& region, math::Position point);

/// The law by which a central force falls off with the distance r. With r⃗ the vector from the
/// centre to the point,
///
///   f = strength · r⃗ / (r² + softening²)^((exponent + 1)/2)
///
/// Far from the centre the force falls as 1/r^exponent: the exponent is 2 for gravity and charges,
/// and −1 for a linear spring. Softening removes the singularity at the centre (Plummer, "On the
/// problem of distribution in globular star clusters", 1911). Beyond the distance `outer` the force
/// is zero; `outer` = 0 means no limit.
struct CentralLaw {
  float strength = 0;
  float softening = 0;  // m
  float outer = 0;      // m
  std::int32_t exponent = 2;

  bool operator==(const CentralLaw&) const = default;
};
inline constexpr std::int32_t min_exponent = -1, max_exponent = 4;

/// An attraction of all bodies and particles towards `centre`, with the acceleration
/// strength/r^exponent in m/s². For gravity (exponent 2) strength = G·M. A negative strength
/// repels.
struct Attraction {
  math::Position centre;
  CentralLaw law;

  bool operator==(const Attraction&) const = default;
};

/// A uniform acceleration of the bodies and particles whose centre of mass is in the region.
struct Acceleration {
  Region region;
  math::Vec3 acceleration;  // m/s²

  bool operator==(const Acceleration&) const = default;
};

/// Moving air. It drags a body that moves at velocity u relative to the air and has the facing area
/// A (facing_area.h) by
///
///   F = −(linear + density·coefficient/2·|u|) · A · u
///
/// at the centre of mass.
struct Wind {
  Region region;
  math::Vec3 velocity;    // velocity of the air, m/s
  float density = 1.2f;   // kg/m³
  float coefficient = 1;  // drag coefficient
  float linear = 0;       // N·s/m³

  bool operator==(const Wind&) const = default;
};

/// A medium that drags everything in it equally: v̇ = −(linear + quadratic·|u|)·u with u the
/// velocity relative to the medium, and ω̇ = −angular·ω.
struct Drag {
  Region region;
  math::Vec3 velocity;  // velocity of the medium, m/s
  float linear = 0;     // 1/s
  float quadratic = 0;  // 1/m
  float angular = 0;    // 1/s

  bool operator==(const Drag&) const = default;
};

/// A magnetic pole or a point charge. Its force on a charged body or particle is
/// strength·charge/r^exponent, in N: a repulsion if positive, else an attraction. `point` is fixed
/// in the world, or in the frame of a body, which then receives the reaction.
struct Pole {
  math::Position point;
  CentralLaw law;

  bool operator==(const Pole&) const = default;
};

/// Forces between charged bodies: charges of the same sign repel each other by
/// strength·q₁·q₂/r^exponent, in N. With masses as charges and strength −G this is gravity.
struct Charges {
  CentralLaw law;

  bool operator==(const Charges&) const = default;
};

/// A liquid at rest or in uniform flow. It fills the part of `region` (a box or everywhere) below
/// the height `level`. Buoyancy equals the weight of the displaced liquid and acts against gravity,
/// at the centre of the displaced volume. Drag is proportional to the displaced mass: a body of
/// mass m that displaces the mass m' gets
///
///   v̇ = −(linear + quadratic·|u|)·u·m'/m,     ω̇ = −angular·ω·m'/m
///
/// with u the velocity of its centre of mass relative to the liquid.
struct Fluid {
  Region region;
  double level = 0;      // height of the surface (y), m
  float density = 1000;  // kg/m³
  math::Vec3 velocity;   // velocity of the flow, m/s
  float linear = 0;      // 1/s
  float quadratic = 0;   // 1/m
  float angular = 0;     // 1/s

  bool operator==(const Fluid&) const = default;
};

/// A constant force and torque on one body, at a point of its frame. They are directed along the
/// body's axes if `in_body_frame` is set, otherwise along the world's.
struct Thrust {
  math::Vec3 force;   // N
  math::Vec3 torque;  // N·m
  math::Vec3 point;   // point in the body's frame, m
  bool in_body_frame = false;

  bool operator==(const Thrust&) const = default;
};

/// The kinds of fields, in the order in which save files number them.
using ForceField = std::variant<Attraction, Acceleration, Wind, Drag, Pole, Charges, Fluid, Thrust>;
inline constexpr std::uint8_t field_kind_count = std::variant_size_v<ForceField>;

// Limits of the values that a caller, a scene or a save file may set.
inline constexpr double max_coordinate = 1e9;   // m
inline constexpr float max_region_size = 1e9f;  // m
inline constexpr float max_strength = 1e24f;
inline constexpr float max_acceleration = 1e6f;  // m/s²
inline constexpr float max_speed = 1e5f;         // speed of air and liquids, m/s
inline constexpr float max_density = 1e6f;       // kg/m³
inline constexpr float max_rate = 1e6f;          // 1/s, 1/m, N·s/m³; drag coefficients: no unit
inline constexpr float max_force = 1e18f;        // N, N·m
inline constexpr float max_charge = 1e12f;
inline constexpr float max_arm = 1e6f;  // distance of a thrust's point from the body's origin, m

/// Returns true if all values are finite and within the limits, boxes and spheres have a positive
/// size, and a fluid's region is not a sphere. Rates, densities, drag coefficients, softening and
/// outer radius must not be negative.
bool is_valid(const ForceField& field);

/// Returns a field of the kind with this number, which must be below field_kind_count.
ForceField field_of_kind(std::uint8_t kind);

/// Returns true for a thrust, which must be attached to a body.
bool needs_body(const ForceField& field);
/// Returns true for fields that may be attached to a body: a thrust or a pole.
bool may_have_body(const ForceField& field);

/// Returns true if bodies exert forces on each other through the field: by their charges, or by a
/// pole attached to a body.
bool is_between_bodies(const ForceField& field, bool has_body);

}  // namespace jostle::forces
