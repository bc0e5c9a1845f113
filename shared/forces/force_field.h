#pragma once

#include "shared/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <variant>

namespace jostle::forces {

// Force generators as data: what acts on bodies, and on particles, without touching them. Each is a
// plain struct; the functions of this room say what it does at a place. Nothing here depends on
// time: a field stays as it is until somebody changes it.

enum class RegionKind : std::uint8_t { Everywhere, Box, Sphere };
inline constexpr std::uint8_t region_kind_count = 3;

/// Where a field acts. What lies on the border is inside.
struct Region {
  RegionKind kind = RegionKind::Everywhere;
  math::Position centre;
  math::Vec3 half_extents;  // Box, along the world's axes; m
  float radius = 0;         // Sphere; m

  bool operator==(const Region&) const = default;
};

bool contains(const Region& region, math::Position point);

/// How a central force falls with the distance r:
///
///   f = strength · r⃗ / (r² + softening²)^((exponent + 1)/2)
///
/// so that far from the centre it goes as 1/r^exponent: 2 for gravity and charges, −1 for a linear
/// spring. With a softening it has no pole (Plummer, "On the problem of distribution in globular
/// star clusters", 1911). Beyond `outer` there is none; 0: it reaches everywhere.
struct CentralLaw {
  float strength = 0;
  float softening = 0;  // m
  float outer = 0;      // m
  std::int32_t exponent = 2;

  bool operator==(const CentralLaw&) const = default;
};
inline constexpr std::int32_t min_exponent = -1, max_exponent = 4;

/// Accelerates all bodies alike towards `centre`, by strength/r^exponent in m/s² (strength = G·M
/// for exponent 2); away from it where the strength is negative.
struct Attraction {
  math::Position centre;
  CentralLaw law;

  bool operator==(const Attraction&) const = default;
};

/// Accelerates what has its centre of mass in the region.
struct Acceleration {
  Region region;
  math::Vec3 acceleration;  // m/s²

  bool operator==(const Acceleration&) const = default;
};

/// Air that moves. It drags a body of facing area A (facing_area.h) that moves at u past it by
///
///   F = −(linear + density·coefficient/2·|u|) · A · u
///
/// at the centre of mass.
struct Wind {
  Region region;
  math::Vec3 velocity;    // m/s, of the air
  float density = 1.2f;   // kg/m³
  float coefficient = 1;  // of drag
  float linear = 0;       // N·s/m³

  bool operator==(const Wind&) const = default;
};

/// A medium that drags whatever is in it alike: v̇ = −(linear + quadratic·|u|)·u with u the velocity
/// past the medium, and ω̇ = −angular·ω.
struct Drag {
  Region region;
  math::Vec3 velocity;  // m/s, of the medium
  float linear = 0;     // 1/s
  float quadratic = 0;  // 1/m
  float angular = 0;    // 1/s

  bool operator==(const Drag&) const = default;
};

/// A magnetic pole, or a point charge: repels charges of its sign by strength·charge/r^exponent, in
/// N. It stands at `point` in the world, or in the frame of a body, which feels the reaction.
struct Pole {
  math::Position point;
  CentralLaw law;

  bool operator==(const Pole&) const = default;
};

/// Bodies with charges act on each other: those of one sign repel each other with
/// strength·q₁·q₂/r^exponent, in N. With masses for charges and strength −G this is gravity.
struct Charges {
  CentralLaw law;

  bool operator==(const Charges&) const = default;
};

/// A liquid at rest or in even flow: all of `region`, a box or everywhere, that lies below the
/// height `level`. Pushes against gravity by the weight of what is displaced, at the middle of
/// that. Drag is per displaced mass: a body of mass m that displaces the mass m' of the liquid gets
///
///   v̇ = −(linear + quadratic·|u|)·u·m'/m,     ω̇ = −angular·ω·m'/m
///
/// with u the velocity of its centre of mass past the liquid.
struct Fluid {
  Region region;
  double level = 0;      // m, along y
  float density = 1000;  // kg/m³
  math::Vec3 velocity;   // m/s, of the flow
  float linear = 0;      // 1/s
  float quadratic = 0;   // 1/m
  float angular = 0;     // 1/s

  bool operator==(const Fluid&) const = default;
};

/// A constant force and torque on one body, at a point of its frame. Along its axes, or along the
/// world's.
struct Thrust {
  math::Vec3 force;   // N
  math::Vec3 torque;  // N·m
  math::Vec3 point;   // m, in the body's frame
  bool turns_along = false;

  bool operator==(const Thrust&) const = default;
};

/// The kinds in the order in which saves number them.
using ForceField = std::variant<Attraction, Acceleration, Wind, Drag, Pole, Charges, Fluid, Thrust>;
inline constexpr std::uint8_t field_kind_count = std::variant_size_v<ForceField>;

// What a caller, a scene or a save may set.
inline constexpr double max_coordinate = 1e9;   // m
inline constexpr float max_region_size = 1e9f;  // m
inline constexpr float max_strength = 1e24f;
inline constexpr float max_acceleration = 1e6f;  // m/s²
inline constexpr float max_speed = 1e5f;         // m/s, of air and liquids
inline constexpr float max_density = 1e6f;       // kg/m³
inline constexpr float max_rate = 1e6f;          // 1/s, 1/m, N·s/m³
inline constexpr float max_force = 1e18f;        // N, N·m
inline constexpr float max_charge = 1e12f;
inline constexpr float max_arm = 1e6f;  // m, of a thrust's point in its body

/// Whether all is finite and within the limits, boxes and balls have a size, rates and densities
/// are not negative, and a fluid's region has level faces.
bool is_valid(const ForceField& field);

/// A field of the kind with this number, below field_kind_count.
ForceField field_of_kind(std::uint8_t kind);

/// Whether the kind lies on a body: a thrust must, a pole may, the others do not.
bool needs_body(const ForceField& field);
bool may_have_body(const ForceField& field);

/// Whether bodies move each other through it, by their charges or by a pole that moves along.
bool is_between_bodies(const ForceField& field, bool has_body);

}  // namespace jostle::forces
