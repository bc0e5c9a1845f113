#include "shared/forces/force_field.h"

#include <cmath>

namespace jostle::forces {
namespace {

using math::Vec3;

// The functions below return false for NaN.
bool is_within(float x, float limit) {
  return math::abs_of(x) <= limit;
}
bool is_share(float x, float limit) {
  return x >= 0.0f && x <= limit;
}
bool is_within(Vec3 v, float limit) {
  return is_within(v.x, limit) && is_within(v.y, limit) && is_within(v.z, limit);
}
bool is_place(math::Position p) {
  return std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate &&
         std::abs(p.z) <= max_coordinate;
}

bool is_valid_region(const Region& r) {
  const Vec3 half = r.half_extents;
  if (!is_place(r.centre) || !is_within(half, max_region_size) ||
      !is_share(r.radius, max_region_size)) {
    return false;
  }
  if (r.kind == RegionKind::Box) return half.x > 0.0f && half.y > 0.0f && half.z > 0.0f;
  return r.kind == RegionKind::Everywhere || r.radius > 0.0f;
}

bool is_valid_law(const CentralLaw& law) {
  return is_within(law.strength, max_strength) && is_share(law.softening, max_region_size) &&
         is_share(law.outer, max_region_size) && law.exponent >= min_exponent &&
         law.exponent <= max_exponent;
}

bool is_valid_kind(const Attraction& f) {
  return is_place(f.centre) && is_valid_law(f.law);
}
bool is_valid_kind(const Acceleration& f) {
  return is_valid_region(f.region) && is_within(f.acceleration, max_acceleration);
}
bool is_valid_kind(const Wind& f) {
  return is_valid_region(f.region) && is_within(f.velocity, max_speed) &&
         is_share(f.density, max_density) && is_share(f.coefficient, max_rate) &&
         is_share(f.linear, max_rate);
}
bool is_valid_kind(const Drag& f) {
  return is_valid_region(f.region) && is_within(f.velocity, max_speed) &&
         is_share(f.linear, max_rate) && is_share(f.quadratic, max_rate) &&
         is_share(f.angular, max_rate);
}
bool is_valid_kind(const Pole& f) {
  return is_place(f.point) && is_valid_law(f.law);
}
bool is_valid_kind(const Charges& f) {
  return is_valid_law(f.law);
}
bool is_valid_kind(const Fluid& f) {
  return is_valid_region(f.region) && f.region.kind != RegionKind::Sphere &&
         std::abs(f.level) <= max_coordinate && is_share(f.density, max_density) &&
         is_within(f.velocity, max_speed) && is_share(f.linear, max_rate) &&
         is_share(f.quadratic, max_rate) && is_share(f.angular, max_rate);
}
bool is_valid_kind(const Thrust& f) {
  return is_within(f.force, max_force) && is_within(f.torque, max_force) &&
         is_within(f.point, max_arm);
}

}  // namespace

bool contains(const Region& region, math::Position point) {
  if (region.kind == RegionKind::Everywhere) return true;
  const double x = point.x - region.centre.x, y = point.y - region.centre.y,
               z = point.z - region.centre.z;
  if (region.kind == RegionKind::Sphere) {
    const double radius = static_cast<double>(region.radius);
    return x * x + y * y + z * z <= radius * radius;
  }
  return std::abs(x) <= static_cast<double>(region.half_extents.x) &&
         std::abs(y) <= static_cast<double>(region.half_extents.y) &&
         std::abs(z) <= static_cast<double>(region.half_extents.z);
}

bool is_valid(const ForceField& field) {
  return std::visit([](const auto& kind) { return is_valid_kind(kind); }, field);
}

ForceField field_of_kind(std::uint8_t kind) {
  switch (kind) {
    case 0:
      return Attraction{};
    case 1:
      return Acceleration{};
    case 2:
      return Wind{};
    case 3:
      return Drag{};
    case 4:
      return Pole{};
    case 5:
      return Charges{};
    case 6:
      return Fluid{};
    default:
      return Thrust{};
  }
}

bool needs_body(const ForceField& field) {
  return std::holds_alternative<Thrust>(field);
}

bool may_have_body(const ForceField& field) {
  return needs_body(field) || std::holds_alternative<Pole>(field);
}

bool is_between_bodies(const ForceField& field, bool has_body) {
  return std::holds_alternative<Charges>(field) ||
         (has_body && std::holds_alternative<Pole>(field));
}

}  // namespace jostle::forces
