#pragma once

#include "shared/base/field_name.h"
#include "shared/forces/force_field.h"

namespace jostle::forces {

// The members of each kind of field, listed once. An archive visits the members to write them to a
// save, to read them from one, or to hash them. The visited struct is const unless the archive
// changes it.

template <typename Archive, typename Vector>
void visit_part_vector(Archive& archive, const char* name, Vector& v) {
  archive({name, "x"}, v.x);
  archive({name, "y"}, v.y);
  archive({name, "z"}, v.z);
}

template <typename Archive, typename Law>
void visit_law(Archive& archive, Law& law) {
  archive("strength", law.strength);
  archive("softening", law.softening);
  archive("outer", law.outer);
  archive("exponent", law.exponent);
}

template <typename Archive, typename AnyRegion>
void visit_region(Archive& archive, AnyRegion& region) {
  archive.enumerator("region", region.kind, region_kind_count);
  visit_part_vector(archive, "centre", region.centre);
  visit_part_vector(archive, "half_extents", region.half_extents);
  archive("radius", region.radius);
}

/// Visits the members that a field of this kind has, in a fixed order.
template <typename Archive, typename Field>
void visit_parts(Archive& archive, Field& field) {
  if constexpr (requires { field.centre; }) visit_part_vector(archive, "centre", field.centre);
  if constexpr (requires { field.law; }) visit_law(archive, field.law);
  if constexpr (requires { field.region; }) visit_region(archive, field.region);
  if constexpr (requires { field.acceleration; })
    visit_part_vector(archive, "acceleration", field.acceleration);
  if constexpr (requires { field.force; }) visit_part_vector(archive, "force", field.force);
  if constexpr (requires { field.torque; }) visit_part_vector(archive, "torque", field.torque);
  if constexpr (requires { field.point; }) visit_part_vector(archive, "point", field.point);
  if constexpr (requires { field.in_body_frame; }) archive("turns_along", field.in_body_frame);
  if constexpr (requires { field.level; }) archive("level", field.level);
  if constexpr (requires { field.velocity; })
    visit_part_vector(archive, "velocity", field.velocity);
  if constexpr (requires { field.density; }) archive("density", field.density);
  if constexpr (requires { field.coefficient; }) archive("coefficient", field.coefficient);
  if constexpr (requires { field.linear; }) archive("linear", field.linear);
  if constexpr (requires { field.quadratic; }) archive("quadratic", field.quadratic);
  if constexpr (requires { field.angular; }) archive("angular", field.angular);
}

}  // namespace jostle::forces
