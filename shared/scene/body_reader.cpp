#include "shared/scene/detail/body_reader.h"

#include "shared/geometry/mass_properties.h"
#include "shared/math/trig.h"
#include "shared/scene/detail/json_lexer.h"
#include "shared/scene/detail/limits.h"
#include "shared/scene/detail/spelling.h"

#include <algorithm>
#include <array>

namespace jostle::scene::detail {
namespace {

BodyDraft inherited_draft(ValueReader& reader, const wire::Body& table, const Path& path,
                          const Templates& templates) {
  if (table.template_() == nullptr) return {};
  const std::string_view like = table.template_()->string_view();
  const auto found = templates.find(like);
  if (found != templates.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [name, unused] : templates)
    known.push_back(name);
  reader.fail(path.field("template"),
              "no earlier template is named \"" + printable(like) + "\"" + name_hint(like, known));
  return {};
}

void read_shapes(ValueReader& reader, const wire::Body& table, const Path& path,
                 const Materials& materials, BodyDraft& draft) {
  if (table.shape() != nullptr && table.shapes() != nullptr)
    reader.fail(path.field("shapes"), "cannot be combined with shape; give one of them");
  if (table.shape() != nullptr)
    draft.shapes = read_shape(reader, *table.shape(), path.field("shape"), materials);
  if (table.shapes() == nullptr) return;

  const Path list = path.field("shapes");
  if (table.shapes()->size() > max_body_shapes) {
    reader.fail(list, "may have at most " + std::to_string(max_body_shapes) + " shapes, has " +
                          std::to_string(table.shapes()->size()));
    return;
  }
  draft.shapes.clear();
  for (flatbuffers::uoffset_t i = 0; i < table.shapes()->size() && !reader.has_failed(); ++i) {
    const auto more = read_shape(reader, *table.shapes()->Get(i), list.entry(i), materials);
    draft.shapes.insert(draft.shapes.end(), more.begin(), more.end());
  }
  if (draft.shapes.size() > max_body_shapes) {
    reader.fail(list, "may have at most " + std::to_string(max_body_shapes) + " shapes, has " +
                          std::to_string(draft.shapes.size()) +
                          " including the hulls of decomposed meshes");
  }
}

/// Reads a velocity. Fails the reader if its magnitude exceeds `max_speed`, the world's limit.
math::Vec3 read_velocity(ValueReader& reader, const Numbers* numbers, const Path& path,
                         float max_speed, math::Vec3 fallback) {
  const math::Vec3 velocity = reader.vector(numbers, path, velocity_range, fallback);
  if (length_squared(velocity) > max_speed * max_speed) {
    reader.fail(path, "exceeds the world's limit of " + shown(max_speed));
  }
  return velocity;
}

state::KinematicMotion read_kinematic_motion(ValueReader& reader,
                                             const wire::KinematicMotion& table, const Path& path,
                                             const SceneWorld& world) {
  state::KinematicMotion kinematic_motion;
  kinematic_motion.amplitude =
      reader.vector(table.amplitude(), path.field("amplitude"), local_offset_range, {});
  kinematic_motion.period = reader.number(table.period(), path.field("period"),
                                          positive(0.001, 1e6), kinematic_motion.period);
  kinematic_motion.phase =
      reader.number(table.phase(), path.field("phase"), within(1e3), kinematic_motion.phase);
  kinematic_motion.spin =
      read_velocity(reader, table.angular_velocity(), path.field("angular_velocity"),
                    world.max_angular_speed, {});
  const float top_speed =
      2.0f * math::pi * length(kinematic_motion.amplitude) / kinematic_motion.period;
  if (top_speed > world.max_linear_speed)
    reader.fail(path.field("period"), "is too short: the body would exceed the world's limit of " +
                                          shown(world.max_linear_speed) + " m/s");
  return kinematic_motion;
}

void read_motion(ValueReader& reader, const wire::Body& table, const Path& path,
                 const SceneWorld& world, SceneBody& body) {
  static_assert(static_cast<int>(wire::Motion::dynamic) ==
                static_cast<int>(state::MotionType::Dynamic));
  static_assert(static_cast<int>(wire::Motion::MAX) + 1 == state::motion_type_count);
  if (table.motion_type()) body.motion = static_cast<state::MotionType>(*table.motion_type());
  body.pose.position =
      reader.position(table.position(), path.field("position"), body.pose.position);
  body.pose.rotation =
      reader.rotation(table.rotation(), table.rotation_degrees(), path, body.pose.rotation);
  body.linear_velocity =
      read_velocity(reader, table.linear_velocity(), path.field("linear_velocity"),
                    world.max_linear_speed, body.linear_velocity);
  body.angular_velocity =
      read_velocity(reader, table.angular_velocity(), path.field("angular_velocity"),
                    world.max_angular_speed, body.angular_velocity);
  if (table.kinematic_motion() != nullptr)
    body.kinematic_motion = read_kinematic_motion(reader, *table.kinematic_motion(),
                                                  path.field("kinematic_motion"), world);
}

void check_shapes(ValueReader& reader, const SceneBody& body, const Path& path) {
  if (body.shapes.empty()) reader.fail(path.field("shape"), "is missing");
  if (body.motion == state::MotionType::Static) return;
  for (const SceneShape& shape : body.shapes) {
    if (state::is_static_only(shape.shape.kind))
      reader.fail(path.field("shape"),
                  "only a static body can be a plane, a mesh or a height field");
    const auto size = static_cast<double>(largest_half_size(shape.shape));
    if (size > max_moving_size) {
      reader.fail(path.field("shape"), "a moving body may be at most " +
                                           shown(2 * max_moving_size) + " m long, is " +
                                           shown(2 * size));
    }
  }
}

/// Checks a mass that is computed from the volume. A stated mass was checked when it was read.
void check_mass(ValueReader& reader, const SceneBody& body, const Path& path) {
  if (body.motion != state::MotionType::Dynamic || body.mass != 0.0f) return;
  double mass = 0;
  for (const SceneShape& shape : body.shapes)
    mass += static_cast<double>(shape.density) * static_cast<double>(geometry::volume(shape.shape));
  if (mass >= min_mass && mass <= mass_range.high) return;
  reader.fail(path.field("density"), "must give a mass of " + shown(min_mass) + " to " +
                                         shown(mass_range.high) + " kg, gives " + shown(mass) +
                                         " kg");
}

constexpr std::array<std::string_view, 6> lock_names{"linear_x",  "linear_y",  "linear_z",
                                                     "angular_x", "angular_y", "angular_z"};

state::MotionLocks read_locks(ValueReader& reader, const wire::Body& table, const Path& path,
                              state::MotionLocks locks) {
  if (table.motion_locks() != nullptr) {
    locks = 0;
    const Path list = path.field("motion_locks");
    for (flatbuffers::uoffset_t i = 0; i < table.motion_locks()->size() && !reader.has_failed();
         ++i) {
      const std::string_view name = table.motion_locks()->Get(i)->string_view();
      const auto known = std::find(lock_names.begin(), lock_names.end(), name);
      if (known == lock_names.end()) {
        reader.fail(list.entry(i),
                    "\"" + printable(name) +
                        "\" is not a degree of freedom; accepted are linear_x, linear_y, "
                        "linear_z, angular_x, angular_y and angular_z" +
                        spelling_hint(name, lock_names));
      } else {
        locks |= static_cast<state::MotionLocks>(1U << (known - lock_names.begin()));
      }
    }
  }
  const auto set = [&](flatbuffers::Optional<bool> is_locked, state::MotionLocks all) {
    if (!is_locked) return;
    const auto others = static_cast<state::MotionLocks>(locks & ~all);
    locks = *is_locked ? static_cast<state::MotionLocks>(locks | all) : others;
  };
  set(table.lock_rotation(), state::lock_rotation);
  set(table.planar(), state::lock_planar);
  return locks;
}

SceneEntry read_entry(ValueReader& reader, const wire::Entry& table, const Path& path) {
  SceneEntry entry;
  if ((table.teleport_to() != nullptr) == table.destroy().value_or(false))
    reader.fail(path, "must have either teleport_to (a position) or \"destroy\": true");
  if (table.teleport_to() != nullptr)
    entry.move_to = reader.position(table.teleport_to(), path.field("teleport_to"), {});
  return entry;
}

/// Reads an inertia tensor: three moments, or xx, yy, zz, xy, xz, yz.
math::Mat3 read_inertia(ValueReader& reader, const Numbers& numbers, const Path& path) {
  constexpr Range range = within(1e20);  // kg·m²
  if (numbers.size() != 3 && numbers.size() != 6) {
    reader.fail(path, "must have 3 moments or 6 numbers (xx, yy, zz, xy, xz, yz), has " +
                          std::to_string(numbers.size()));
    return {};
  }
  std::array<float, 6> m{};
  for (flatbuffers::uoffset_t i = 0; i < numbers.size(); ++i)
    m[i] = reader.number(numbers.Get(i), path.entry(i), range, 0.0f);
  const math::Mat3 inertia{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
  if (!geometry::is_inertia(inertia)) {
    reader.fail(path,
                "is not a valid inertia tensor: principal moments must be above 0, at most a "
                "million times each other, and none larger than the sum of the other two");
  }
  return inertia;
}

/// Checks the fields that override the mass properties of the shapes, and the locks.
void check_mass_properties(ValueReader& reader, const SceneBody& body, const Path& path) {
  const auto check = [&](std::string_view name, bool is_stated) {
    if (!is_stated) return;
    if (body.motion != state::MotionType::Dynamic)
      reader.fail(path.field(name), "is only allowed for a dynamic body");
    if (body.mass == 0.0f) reader.fail(path.field(name), "requires mass");
  };
  check("inertia", body.inertia.has_value());
  check("centre_of_mass", body.centre_of_mass.has_value());
  if (body.locks != 0 && body.motion != state::MotionType::Dynamic)
    reader.fail(path.field("motion_locks"),
                "motion_locks, lock_rotation and planar are only allowed for a dynamic body");
}

/// Sets mass, centre of mass and inertia of a body with decomposed meshes to those of the solids,
/// unless they are stated. The sums over the hulls would differ, because hulls overlap each other
/// and extend beyond the solid.
void set_mass_of_solids(const BodyDraft& draft, SceneBody& body) {
  const auto has_solid = [](const ShapeDraft& shape) { return shape.solid.has_value(); };
  if (body.motion != state::MotionType::Dynamic || body.inertia || body.centre_of_mass ||
      std::ranges::none_of(draft.shapes, has_solid))
    return;
  geometry::MassProperties sum;
  for (std::size_t i = 0; i < draft.shapes.size(); ++i) {
    const ShapeDraft& part = draft.shapes[i];
    const SceneShape& shape = body.shapes[i];
    if (part.is_of_solid && !part.solid) continue;
    geometry::MassProperties own = geometry::mass_properties(shape.shape, shape.density);
    if (part.solid) {
      const float density = shape.density / part.density_share;
      own = {part.solid->mass * density, part.solid->centre, part.solid->inertia * density};
    }
    if (own.mass > 0.0f) sum = combined(sum, transformed(own, shape.local));
  }
  if (!(sum.mass > 0.0f)) return;
  const float share = body.mass > 0.0f ? body.mass / sum.mass : 1.0f;
  // The rotations of shapes leave rounding errors that are not symmetric.
  const math::Mat3 inertia = (sum.inertia + transpose(sum.inertia)) * (0.5f * share);
  if (!geometry::is_inertia(inertia)) return;
  body.mass = sum.mass * share;
  body.centre_of_mass = sum.centre;
  body.inertia = inertia;
}

}  // namespace

BodyDraft read_body(ValueReader& reader, const wire::Body& table, const Path& path,
                    const BodyContext& context) {
  BodyDraft draft = inherited_draft(reader, table, path, context.templates);
  SceneBody& body = draft.body;
  body.name = reader.name(table.name(), path.field("name"));
  read_motion(reader, table, path, context.world, body);
  read_shapes(reader, table, path, context.materials, draft);
  draft.surface = read_surface(reader, table, path, context.materials, draft.surface);
  if (table.filter() != nullptr)
    draft.filter = read_filter(reader, table.filter(), path.field("filter"));
  body.mass = reader.number(table.mass(), path.field("mass"), mass_range, body.mass);
  body.linear_damping = reader.number(table.linear_damping(), path.field("linear_damping"),
                                      damping_range, body.linear_damping);
  body.angular_damping = reader.number(table.angular_damping(), path.field("angular_damping"),
                                       damping_range, body.angular_damping);
  body.gravity_scale = reader.number(table.gravity_scale(), path.field("gravity_scale"),
                                     gravity_scale_range, body.gravity_scale);
  body.charge = reader.number(table.charge(), path.field("charge"), charge_range, body.charge);
  body.ignores_force_fields = table.ignores_force_fields().value_or(body.ignores_force_fields);
  body.is_sleep_allowed = table.allow_sleep().value_or(body.is_sleep_allowed);
  body.is_awake = table.awake().value_or(body.is_awake);
  body.is_enabled = table.enabled().value_or(body.is_enabled);
  body.locks = read_locks(reader, table, path, body.locks);
  if (table.inertia() != nullptr)
    body.inertia = read_inertia(reader, *table.inertia(), path.field("inertia"));
  if (table.centre_of_mass() != nullptr) {
    body.centre_of_mass =
        reader.vector(table.centre_of_mass(), path.field("centre_of_mass"), local_offset_range, {});
  }
  body.is_grabbable = table.grabbable().value_or(body.is_grabbable);
  if (table.on_enter() != nullptr)
    body.on_enter = read_entry(reader, *table.on_enter(), path.field("on_enter"));
  if (table.integrator()) body.integrator = static_cast<forces::Integrator>(*table.integrator());
  if (table.colour() != nullptr)
    body.colour = read_colour(reader, *table.colour(), path.field("colour"));
  return draft;
}

SceneBody finish_body(ValueReader& reader, const BodyDraft& draft, const Path& path) {
  SceneBody body = draft.body;
  for (const ShapeDraft& shape : draft.shapes)
    body.shapes.push_back(finish_shape(shape, draft.surface, draft.filter));
  check_shapes(reader, body, path);
  check_mass(reader, body, path);
  check_mass_properties(reader, body, path);
  if (!reader.has_failed()) set_mass_of_solids(draft, body);

  const bool has_velocity =
      body.linear_velocity != math::Vec3{} || body.angular_velocity != math::Vec3{};
  if (body.motion == state::MotionType::Static && has_velocity)
    reader.fail(path.field("linear_velocity"), "is not allowed for a static body");
  if (body.integrator && body.motion != state::MotionType::Dynamic)
    reader.fail(path.field("integrator"), "is only allowed for a dynamic body");
  if (body.kinematic_motion && body.motion != state::MotionType::Kinematic)
    reader.fail(path.field("kinematic_motion"), "is only allowed for a kinematic body");
  const auto is_sensor = [](const SceneShape& shape) { return shape.is_sensor; };
  if (body.on_enter && std::none_of(body.shapes.begin(), body.shapes.end(), is_sensor))
    reader.fail(path.field("on_enter"), "requires a shape with \"sensor\": true");
  if (body.kinematic_motion && has_velocity)
    reader.fail(path.field("linear_velocity"),
                "cannot be combined with kinematic_motion, which determines the velocity");
  return body;
}

void read_templates(ValueReader& reader, const Tables<wire::Body>* tables, BodyContext& context) {
  if (tables == nullptr) return;
  const Path root;
  const Path all = root.field("templates");
  if (tables->size() > max_scene_templates)
    reader.fail(all, "may have at most " + std::to_string(max_scene_templates) + " entries, has " +
                         std::to_string(tables->size()));
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::Body& table = *tables->Get(i);
    const Path path = all.entry(i);
    if (table.name() == nullptr) reader.fail(path.field("name"), "is missing");
    if (table.position() != nullptr)
      reader.fail(path.field("position"), "is not allowed in a template; give it in the bodies");
    BodyDraft draft = read_body(reader, table, path, context);
    if (!context.templates.emplace(draft.body.name, draft).second)
      reader.fail(path.field("name"), "is already the name of another template");
  }
}

}  // namespace jostle::scene::detail
