#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/limits.h"
#include "api/physics/shape_geometry.h"
#include "api/physics/tables.h"
#include "shared/geometry/shape_check.h"
#include "shared/physics/detail/constants.h"

#include <jostle/physics/shapes.h>

namespace jostle::api {

static_assert(JOSTLE_COMBINE_MAXIMUM == static_cast<int>(physics::CombineRule::Maximum));

template <>
jostle_shape_def default_of() {
  const physics::ShapeDef shape;
  jostle_shape_def def = shape_def_of(shape);
  def.radius = 0.5f;
  def.half_height = 0.5f;
  def.half_extents = {0.5f, 0.5f, 0.5f};
  return def;
}

jostle_shape_def shape_def_of(const physics::ShapeDef& shape) {
  jostle_shape_def def{};
  def.size = sizeof def;
  def.kind = static_cast<jostle_shape_kind>(shape.shape.kind);
  def.radius = shape.shape.radius;
  def.half_height = shape.shape.half_segment;
  def.half_extents = to_c(shape.shape.half_extents);
  def.local = to_c(shape.local);
  const physics::Material& material = shape.material;
  def.material = {material.friction,
                  material.static_friction,
                  material.restitution,
                  material.rolling_resistance,
                  material.spinning_resistance,
                  static_cast<jostle_combine_rule>(material.friction_rule),
                  static_cast<jostle_combine_rule>(material.restitution_rule),
                  material.id.value};
  def.density = shape.density;
  def.category = shape.filter.category;
  def.mask = shape.filter.mask;
  def.group = shape.filter.group;
  def.is_sensor = to_c(shape.is_sensor);
  def.surface_velocity = to_c(shape.surface_velocity);
  return def;
}

state::Shape shape_of(const Geometry& geometry) {
  using state::ShapeKind;
  require_enumerator(geometry.kind, state::shape_kind_count, geometry.kind_name);
  const auto kind = static_cast<ShapeKind>(geometry.kind);
  if (state::has_solid(kind)) {
    const SolidPointer solid = find_solid(geometry.solid);
    state::Shape shape = state::solid(solid);
    if (shape.kind != kind) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
             "the kind of the shape is %d, but that of its solid is %d; both must be equal",
             geometry.kind, static_cast<int>(shape.kind));
    }
    return shape;
  }
  switch (kind) {
    case ShapeKind::Box:
      return state::box(to_engine(geometry.half_extents));
    case ShapeKind::Capsule:
      return state::capsule(geometry.radius, geometry.half_height);
    case ShapeKind::Cylinder:
      return state::cylinder(geometry.radius, geometry.half_height);
    case ShapeKind::Cone:
      return state::cone(geometry.radius, geometry.half_height);
    case ShapeKind::Plane:
      return state::plane();
    default:
      return state::sphere(geometry.radius);
  }
}

namespace {

physics::Material checked_material(const jostle_material& m) {
  require_range(m.friction, 0, physics::max_friction, "def->material.friction", "");
  require_range(m.restitution, 0, 1, "def->material.restitution", "");
  require_range(m.rolling_resistance, 0, physics::max_resistance,
                "def->material.rolling_resistance", "m");
  require_range(m.spinning_resistance, 0, physics::max_resistance,
                "def->material.spinning_resistance", "m");
  if (m.static_friction != 0.0f)
    require_range(m.static_friction, m.friction, physics::max_friction,
                  "def->material.static_friction", "(from friction on), or 0");
  require_enumerator(m.friction_rule, physics::combine_rule_count, "def->material.friction_rule");
  require_enumerator(m.restitution_rule, physics::combine_rule_count,
                     "def->material.restitution_rule");
  physics::Material material;
  material.friction = m.friction;
  material.restitution = m.restitution;
  material.rolling_resistance = m.rolling_resistance;
  material.spinning_resistance = m.spinning_resistance;
  material.static_friction = m.static_friction;
  material.friction_rule = static_cast<physics::CombineRule>(m.friction_rule);
  material.restitution_rule = static_cast<physics::CombineRule>(m.restitution_rule);
  material.id = {m.id};
  return material;
}

}  // namespace

physics::ShapeDef checked_shape(const jostle_shape_def& def) {
  require_integer(def.reserved, 0, 0, "def->reserved");
  physics::ShapeDef shape;
  shape.shape =
      shape_of({def.kind, def.radius, def.half_height, def.half_extents, def.solid, "def->kind"});
  if (const auto error = geometry::check_shape(shape.shape)) {
    const std::string_view text = describe(*error);
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "the shape %.*s; accepted: sizes from %g to %g m",
           static_cast<int>(text.size()), text.data(),
           static_cast<double>(geometry::min_shape_size),
           static_cast<double>(geometry::max_shape_size));
  }
  require_finite(def.local.offset, "def->local.offset");
  require_unit(def.local.rotation, "def->local.rotation");
  shape.local = to_engine(def.local);
  require_range(length(shape.local.offset), 0, physics::max_local_offset,
                "the length of def->local.offset", "m");
  shape.material = checked_material(def.material);
  if (def.density != 0.0f)
    require_range(def.density, physics::min_density, physics::max_density, "def->density",
                  "kg/m³, or 0");
  shape.density = def.density;
  shape.filter = {def.category, def.mask, def.group};
  shape.is_sensor = require_bool(def.is_sensor, "def->is_sensor");
  require_speed(def.surface_velocity, "def->surface_velocity");
  shape.surface_velocity = to_engine(def.surface_velocity);
  return shape;
}

void require_place(physics::MotionType motion, const physics::ShapeDef& shape) {
  if (!state::is_static_only(shape.shape.kind)) return;
  if (motion != physics::MotionType::Static)
    refuse_text(JOSTLE_ERROR_WRONG_STATE,
                "body is not static; accepted for planes, meshes and height fields: static bodies");
  if (shape.is_sensor)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->is_sensor is 1; planes, meshes and height fields cannot be sensors");
}

}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_shape_def_init(jostle_shape_def* def, size_t size) {
  return write_default(__func__, def, size);
}

jostle_result jostle_shape_create(jostle_world world, jostle_body body, const jostle_shape_def* def,
                                  jostle_shape* shape) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    const physics::BodyHandle handle = require_alive(found, body, "body");
    const physics::ShapeDef checked = checked_shape(read_struct(def, "def"));
    require_place(found.motion_type(handle), checked);
    const jostle_shape created = to_c(found.add_shape(handle, checked));
    if (shape != nullptr) *shape = created;
  });
}
jostle_bool jostle_shape_is_alive(jostle_world world, jostle_shape shape) {
  return is_alive_in(world, to_engine(shape));
}
jostle_result jostle_shape_get_def(jostle_world world, jostle_shape shape, jostle_shape_def* def) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, shape, "shape");
    require_output(def, "def");
    write_struct(def, shape_def_of(found.shape_def(handle)));
  });
}
jostle_result jostle_shape_get_solid(jostle_world world, jostle_shape shape, jostle_solid* solid) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, shape, "shape");
    require_pointer(solid, "solid");
    SolidPointer pointer = found.shape_def(handle).shape.solid;
    if (!pointer)
      refuse_text(JOSTLE_ERROR_WRONG_STATE,
                  "shape has no solid; accepted: hulls, meshes and height fields");
    *solid = create_solid(std::move(pointer));
  });
}
jostle_result jostle_shape_get_body(jostle_world world, jostle_shape shape, jostle_body* body) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, shape, "shape");
    require_pointer(body, "body");
    *body = to_c(found.body_of(handle));
  });
}
jostle_result jostle_shape_set_surface_velocity(jostle_world world, jostle_shape shape,
                                                jostle_vec3 velocity) {
  return change_world(__func__, world, [&](physics::World& found) {
    const auto handle = require_alive(found, shape, "shape");
    require_speed(velocity, "velocity");
    found.set_surface_velocity(handle, to_engine(velocity));
  });
}
jostle_result jostle_shape_get_overlaps(jostle_world world, jostle_shape sensor,
                                        jostle_shape* shapes, size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, sensor, "sensor");
    const auto output = list_output(shapes, 0, capacity, count);
    if (!found.shape_def(handle).is_sensor)
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "shape is not a sensor; accepted: sensors");
    const auto list = found.sensor_overlaps(handle);
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}
