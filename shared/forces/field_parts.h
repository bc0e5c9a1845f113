#pragma once

#include "shared/forces/force_field.h"

namespace jostle::forces {

// The parts of fields, each listed once: the archive that visits them writes, reads or hashes. Each
// type is the const or the mutable form of the struct.

template <typename Archive, typename Vector>
void visit_part_vector(Archive& archive, Vector& v) {
  archive(v.x);
  archive(v.y);
  archive(v.z);
}

template <typename Archive, typename Law>
void visit_law(Archive& archive, Law& law) {
  archive(law.strength);
  archive(law.softening);
  archive(law.outer);
  archive(law.exponent);
}

template <typename Archive, typename AnyRegion>
void visit_region(Archive& archive, AnyRegion& region) {
  archive.enumerator(region.kind, region_kind_count);
  visit_part_vector(archive, region.centre);
  visit_part_vector(archive, region.half_extents);
  archive(region.radius);
}

/// Those of one kind that it has, in this order.
template <typename Archive, typename Field>
void visit_parts(Archive& archive, Field& field) {
  if constexpr (requires { field.centre; }) visit_part_vector(archive, field.centre);
  if constexpr (requires { field.law; }) visit_law(archive, field.law);
  if constexpr (requires { field.region; }) visit_region(archive, field.region);
  if constexpr (requires { field.acceleration; }) visit_part_vector(archive, field.acceleration);
  if constexpr (requires { field.force; }) visit_part_vector(archive, field.force);
  if constexpr (requires { field.torque; }) visit_part_vector(archive, field.torque);
  if constexpr (requires { field.point; }) visit_part_vector(archive, field.point);
  if constexpr (requires { field.turns_along; }) archive(field.turns_along);
  if constexpr (requires { field.level; }) archive(field.level);
  if constexpr (requires { field.velocity; }) visit_part_vector(archive, field.velocity);
  if constexpr (requires { field.density; }) archive(field.density);
  if constexpr (requires { field.coefficient; }) archive(field.coefficient);
  if constexpr (requires { field.linear; }) archive(field.linear);
  if constexpr (requires { field.quadratic; }) archive(field.quadratic);
  if constexpr (requires { field.angular; }) archive(field.angular);
}

}  // namespace jostle::forces
