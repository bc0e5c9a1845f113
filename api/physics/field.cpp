#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/region.h"
#include "api/physics/tables.h"
#include "shared/forces/explosion.h"
#include "shared/forces/force_field.h"

#include <jostle/physics/fields.h>

#include <variant>

namespace jostle::api {

static_assert(JOSTLE_FIELD_THRUST + 1 == forces::field_kind_count);
static_assert(JOSTLE_REGION_SPHERE == static_cast<int>(forces::RegionKind::Sphere));

forces::Region checked_region(const jostle_region& region, const char* kind_name) {
  require_enumerator(region.kind, forces::region_kind_count, kind_name);
  forces::Region checked;
  checked.kind = static_cast<forces::RegionKind>(region.kind);
  for (const double x : {region.centre.x, region.centre.y, region.centre.z})
    require_range(x, -forces::max_coordinate, forces::max_coordinate, "region.centre", "m");
  checked.centre = to_engine(region.centre);
  // Sizes of other kinds must be zero for the engine.
  if (checked.kind == forces::RegionKind::Box) {
    require_range(region.half_extents, 0, forces::max_region_size, "region.half_extents", "m");
    checked.half_extents = to_engine(region.half_extents);
  }
  if (checked.kind == forces::RegionKind::Sphere) {
    require_range(region.radius, 0, forces::max_region_size, "region.radius", "m");
    checked.radius = region.radius;
  }
  return checked;
}
jostle_region to_c(const forces::Region& region) {
  return {static_cast<jostle_region_kind>(region.kind), region.radius, to_c(region.centre),
          to_c(region.half_extents)};
}

namespace {

// The fields of jostle_field_def that each kind has, to and from the structs of the engine.

forces::CentralLaw law_of(const jostle_field_def& def) {
  return {def.strength, def.softening, def.outer, def.exponent};
}
void write_law(const forces::CentralLaw& law, jostle_field_def& def) {
  def.strength = law.strength;
  def.softening = law.softening;
  def.outer = law.outer;
  def.exponent = law.exponent;
}

void write_kind(const forces::Attraction& field, jostle_field_def& def) {
  def.point = to_c(field.centre);
  write_law(field.law, def);
}
void write_kind(const forces::Acceleration& field, jostle_field_def& def) {
  def.region = to_c(field.region);
  def.vector = to_c(field.acceleration);
}
void write_kind(const forces::Wind& field, jostle_field_def& def) {
  def.region = to_c(field.region);
  def.vector = to_c(field.velocity);
  def.density = field.density;
  def.coefficient = field.coefficient;
  def.linear = field.linear;
}
void write_kind(const forces::Drag& field, jostle_field_def& def) {
  def.region = to_c(field.region);
  def.vector = to_c(field.velocity);
  def.linear = field.linear;
  def.quadratic = field.quadratic;
  def.angular = field.angular;
}
void write_kind(const forces::Pole& field, jostle_field_def& def) {
  def.point = to_c(field.point);
  write_law(field.law, def);
}
void write_kind(const forces::Charges& field, jostle_field_def& def) {
  write_law(field.law, def);
}
void write_kind(const forces::Fluid& field, jostle_field_def& def) {
  def.region = to_c(field.region);
  def.level = field.level;
  def.density = field.density;
  def.vector = to_c(field.velocity);
  def.linear = field.linear;
  def.quadratic = field.quadratic;
  def.angular = field.angular;
}
void write_kind(const forces::Thrust& field, jostle_field_def& def) {
  def.vector = to_c(field.force);
  def.torque = to_c(field.torque);
  def.point = to_c(math::to_position(field.point));
  def.in_body_frame = to_c(field.in_body_frame);
}

jostle_field_def field_def_of(const forces::ForceField& field, jostle_body body) {
  jostle_field_def def{};
  def.size = sizeof def;
  def.kind = static_cast<jostle_field_kind>(field.index());
  def.body = body;
  def.exponent = forces::CentralLaw{}.exponent;
  std::visit([&](const auto& kind) { write_kind(kind, def); }, field);
  return def;
}

forces::ForceField checked_field(const jostle_field_def& def) {
  const auto region = [&] { return checked_region(def.region, "def->region.kind"); };
  const math::Vec3 vector = to_engine(def.vector);
  switch (def.kind) {
    case JOSTLE_FIELD_ATTRACTION:
      return forces::Attraction{to_engine(def.point), law_of(def)};
    case JOSTLE_FIELD_ACCELERATION:
      return forces::Acceleration{region(), vector};
    case JOSTLE_FIELD_WIND:
      return forces::Wind{region(), vector, def.density, def.coefficient, def.linear};
    case JOSTLE_FIELD_DRAG:
      return forces::Drag{region(), vector, def.linear, def.quadratic, def.angular};
    case JOSTLE_FIELD_POLE:
      return forces::Pole{to_engine(def.point), law_of(def)};
    case JOSTLE_FIELD_CHARGES:
      return forces::Charges{law_of(def)};
    case JOSTLE_FIELD_FLUID:
      return forces::Fluid{region(),   def.level,     def.density, vector,
                           def.linear, def.quadratic, def.angular};
    default:
      for (const double x : {def.point.x, def.point.y, def.point.z})
        require_range(x, -forces::max_arm, forces::max_arm, "def->point", "m");
      return forces::Thrust{vector, to_engine(def.torque), math::to_vec3(to_engine(def.point)),
                            require_bool(def.in_body_frame, "def->in_body_frame")};
  }
}

/// Checks the ranges of single values, so that messages can name them.
void check_numbers(const jostle_field_def& def) {
  require_enumerator(def.kind, forces::field_kind_count, "def->kind");
  for (const double x : {def.point.x, def.point.y, def.point.z})
    require_range(x, -forces::max_coordinate, forces::max_coordinate, "def->point", "m");
  require_range(def.strength, -forces::max_strength, forces::max_strength, "def->strength", "");
  require_range(def.softening, 0, forces::max_region_size, "def->softening", "m");
  require_range(def.outer, 0, forces::max_region_size, "def->outer", "m");
  require_integer(def.exponent, forces::min_exponent, forces::max_exponent, "def->exponent");
  require_finite(def.vector, "def->vector");
  require_range(def.torque, -forces::max_force, forces::max_force, "def->torque", "N·m");
  require_range(def.density, 0, forces::max_density, "def->density", "kg/m³");
  require_range(def.coefficient, 0, forces::max_rate, "def->coefficient", "");
  require_range(def.linear, 0, forces::max_rate, "def->linear", "");
  require_range(def.quadratic, 0, forces::max_rate, "def->quadratic", "1/m");
  require_range(def.angular, 0, forces::max_rate, "def->angular", "1/s");
  require_range(def.level, -forces::max_coordinate, forces::max_coordinate, "def->level", "m");
}

/// Returns the definition for the engine, of a field that the world accepts.
physics::ForceFieldDef checked_field_def(const physics::World& world, const jostle_field_def& def) {
  check_numbers(def);
  physics::ForceFieldDef checked{checked_field(def), {}};
  if (!forces::is_valid(checked.field)) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "the field is invalid; accepted: accelerations up to 1e6 m/s², speeds up to 1e5 "
                "m/s, forces up to 1e18 N; boxes and spheres of a size above 0; no spheres of "
                "fluid");
  }
  if (def.body.index == 0) {
    if (needs_body(checked.field))
      refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, "def->body is null; a thrust needs a body");
    return checked;
  }
  if (!may_have_body(checked.field))
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->body is set; only poles and thrusts may have a body");
  checked.body = require_alive(world, def.body, "def->body");
  if (needs_body(checked.field)) {
    if (world.motion_type(checked.body) != physics::MotionType::Dynamic)
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "the body of a thrust must be dynamic");
    return checked;
  }
  const math::Vec3 arm = to_vec3(std::get<forces::Pole>(checked.field).point);
  require_range(length(arm), 0, forces::max_arm, "the length of def->point", "m");
  return checked;
}

}  // namespace

// The default of fields that the kind does not determine.
template <>
jostle_field_def default_of() {
  return field_def_of(forces::Attraction{}, jostle_body{});
}

}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_field_def_init(jostle_field_kind kind, jostle_field_def* def, size_t size) {
  return guard(__func__, [&] {
    require_enumerator(kind, forces::field_kind_count, "kind");
    require_pointer(def, "def");
    require_size<jostle_field_def>(size, "def");
    def->size = size;
    write_struct(
        def, field_def_of(forces::field_of_kind(static_cast<std::uint8_t>(kind)), jostle_body{}));
  });
}
jostle_result jostle_field_create(jostle_world world, const jostle_field_def* def,
                                  jostle_field* field) {
  return change_world(__func__, world, [&](physics::World& found) {
    const jostle_field created =
        to_c(found.create_force_field(checked_field_def(found, read_struct(def, "def"))));
    if (field != nullptr) *field = created;
  });
}
jostle_result jostle_field_destroy(jostle_world world, jostle_field field) {
  return change_world(__func__, world, [&](physics::World& found) {
    found.destroy_force_field(require_alive(found, field, "field"));
  });
}
jostle_bool jostle_field_is_alive(jostle_world world, jostle_field field) {
  return is_alive_in(world, to_engine(field));
}
jostle_result jostle_field_get_def(jostle_world world, jostle_field field, jostle_field_def* def) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, field, "field");
    require_output(def, "def");
    const physics::ForceFieldDef& now = found.force_field_def(handle);
    write_struct(def, field_def_of(now.field, to_c(now.body)));
  });
}
jostle_result jostle_field_set_def(jostle_world world, jostle_field field,
                                   const jostle_field_def* def) {
  return change_world(__func__, world, [&](physics::World& found) {
    const auto handle = require_alive(found, field, "field");
    found.set_force_field(handle, checked_field_def(found, read_struct(def, "def")));
  });
}
jostle_result jostle_world_get_fields(jostle_world world, jostle_field* fields, size_t capacity,
                                      size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(fields, 0, capacity, count);
    const auto list = found.force_fields();
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}

jostle_result jostle_world_explode(jostle_world world, jostle_position centre, float radius,
                                   float impulse) {
  return change_world(__func__, world, [&](physics::World& found) {
    require_finite(centre, "centre");
    require_range(radius, 0, forces::max_blast_radius, "radius", "m");
    require_range(impulse, 0, forces::max_blast_impulse, "impulse", "N·s/m²");
    const forces::Explosion explosion{to_engine(centre), radius, impulse};
    if (!forces::is_valid(explosion))
      refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, "centre, radius or impulse is out of range");
    found.explode(explosion);
  });
}
