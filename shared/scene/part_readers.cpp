#include "shared/scene/detail/part_readers.h"

#include "shared/math/trig.h"
#include "shared/scene/detail/builder_reader.h"
#include "shared/scene/detail/limits.h"

#include <cmath>
#include <string>
#include <string_view>

namespace jostle::scene::detail {
namespace {

constexpr double max_substeps = 64;
constexpr double max_shots_alive = 10'000;

/// A reader of the number fields of one table, by name.
class FieldReader {
 public:
  FieldReader(ValueReader& reader, const Path& path) : reader_(reader), path_(path) {}

  void number(float& to, std::optional<double> from, std::string_view name, Range range) const {
    to = reader_.number(from, path_.field(name), range, to);
  }

 private:
  ValueReader& reader_;
  const Path& path_;
};

SceneField read_field(ValueReader& reader, const wire::Field* table, const Path& path) {
  SceneField field;
  if (table == nullptr) return field;
  const FieldReader fields(reader, path);
  fields.number(field.inner, table->inner(), "inner", between(0, 1e4));
  fields.number(field.outer, table->outer(), "outer", between(0, 1e4));
  fields.number(field.strength, table->strength(), "strength", within(1e9));
  fields.number(field.limit, table->limit(), "limit", between(0, 1e6));
  if (field.outer <= field.inner) {
    reader.fail(path.field("outer"),
                "must be above inner (" + shown(field.inner) + "), is " + shown(field.outer));
  }
  return field;
}

void read_player_skills(ValueReader& reader, const wire::Player& table, const Path& path,
                        ScenePlayer& player) {
  const FieldReader fields(reader, path);
  player.may_push = table.may_push().value_or(player.may_push);
  player.may_shoot = table.may_shoot().value_or(player.may_shoot);
  player.may_grab = table.may_grab().value_or(player.may_grab);
  fields.number(player.max_push_impulse, table.max_push_impulse(), "max_push_impulse",
                between(0, 1e9));
  fields.number(player.shot_radius, table.shot_radius(), "shot_radius", between(0.01, 100));
  fields.number(player.shot_mass, table.shot_mass(), "shot_mass", positive(min_mass, 1e6));
  fields.number(player.max_shot_speed, table.max_shot_speed(), "max_shot_speed", speed_range);
  player.max_shots_alive = static_cast<std::uint32_t>(
      reader.whole_number(table.max_shots_alive(), path.field("max_shots_alive"),
                          between(1, max_shots_alive), player.max_shots_alive));
  player.shoot_on_click = table.shoot_on_click().value_or(player.shoot_on_click);
  fields.number(player.grab_hertz, table.grab_hertz(), "grab_hertz", positive(0.01, 60));
  fields.number(player.max_grab_force, table.max_grab_force(), "max_grab_force", between(0, 1e9));
  player.push_field = read_field(reader, table.push_field(), path.field("push_field"));
  player.pull_field = read_field(reader, table.pull_field(), path.field("pull_field"));
}

/// Fails the reader if the field `name` is stated, because only players of kind `kind` use it.
void refuse(ValueReader& reader, const Path& path, std::string_view name, bool is_stated,
            std::string_view kind) {
  if (is_stated)
    reader.fail(path.field(name), "is only used by a player of kind \"" + std::string(kind) + "\"");
}

void refuse_walk(ValueReader& reader, const wire::Player& table, const Path& path) {
  const auto check = [&](std::string_view name, bool is_stated) {
    refuse(reader, path, name, is_stated, "character");
  };
  check("max_slope_angle", table.max_slope_angle().has_value());
  check("step_height", table.step_height().has_value());
  check("floor_snap_length", table.floor_snap_length().has_value());
  check("skin_width", table.skin_width().has_value());
  check("air_acceleration", table.air_acceleration().has_value());
  check("max_push_force", table.max_push_force().has_value());
}

void refuse_forces(ValueReader& reader, const wire::Player& table, const Path& path) {
  const auto check = [&](std::string_view name, bool is_stated) {
    refuse(reader, path, name, is_stated, "body");
  };
  check("linear_damping", table.linear_damping().has_value());
  check("angular_damping", table.angular_damping().has_value());
  check("lock_rotation", table.lock_rotation().has_value());
  check("move_force", table.move_force().has_value());
  check("reverse_force_factor", table.reverse_force_factor().has_value());
}

/// Fails the reader if body fields are given for a car, whose body is described by the field `car`.
void refuse_body(ValueReader& reader, const wire::Player& table, const Path& path) {
  const auto check = [&](std::string_view name, bool is_stated) {
    refuse(reader, path, name, is_stated, "body");
  };
  refuse_forces(reader, table, path);
  check("shape", table.shape() != nullptr);
  check("mass", table.mass().has_value());
  check("max_speed", table.max_speed().has_value());
  check("jump_speed", table.jump_speed().has_value());
}

/// Reads the walking parameters, within the limits of character::are_valid.
void read_walk(ValueReader& reader, const wire::Player& table, const Path& path,
               ScenePlayer& player) {
  refuse_forces(reader, table, path);
  const state::Shape& shape = player.shape.shape;
  const float height = standing_height(shape);
  if (shape.kind != state::ShapeKind::Capsule || player.shape.local != math::Transform{}) {
    reader.fail(path.field("shape"),
                "must be a capsule at the origin of its frame for a character");
  } else if (shape.radius < 0.05f || shape.radius > 10.0f || height > 100.0f) {
    reader.fail(
        path.field("shape"),
        "must have a radius of 0.05 m to 10 m and a height of at most 100 m for a character, has " +
            shown(shape.radius) + " m and " + shown(height) + " m");
  }
  const FieldReader fields(reader, path);
  constexpr double max_degrees = 85;
  if (table.max_slope_angle()) {
    fields.number(player.walk.max_slope, table.max_slope_angle(), "max_slope_angle",
                  between(0, max_degrees));
    player.walk.max_slope *= radians_per_degree;
  }
  const auto step = [&](float& to, std::optional<double> from, std::string_view name) {
    to = math::min_of(to, 0.5f * height);
    fields.number(to, from, name, between(0, 100));
    if (to > 0.5f * height)
      reader.fail(path.field(name), "must be at most half the character's height, " +
                                        shown(0.5f * height) + ", is " + shown(to));
  };
  step(player.walk.step_height, table.step_height(), "step_height");
  step(player.walk.step_down, table.floor_snap_length(), "floor_snap_length");
  fields.number(player.walk.skin, table.skin_width(), "skin_width", between(0.002, 10));
  const float thickest = 0.25f * shape.radius;
  if (player.walk.skin > thickest)
    reader.fail(path.field("skin_width"), "must be at most a quarter of the radius, " +
                                              shown(thickest) + ", is " + shown(player.walk.skin));
  fields.number(player.walk.air_acceleration, table.air_acceleration(), "air_acceleration",
                between(0, 1e6));
  fields.number(player.walk.push_force, table.max_push_force(), "max_push_force", between(0, 1e9));
}

}  // namespace

SceneWorld read_world(ValueReader& reader, const wire::World* table, const Path& path) {
  SceneWorld world;
  if (table == nullptr) return world;
  const FieldReader fields(reader, path);
  world.gravity =
      reader.vector(table->gravity(), path.field("gravity"), gravity_range, world.gravity);
  world.substeps = static_cast<int>(
      reader.whole_number(table->substeps(), path.field("substeps"), between(1, max_substeps),
                          static_cast<std::uint64_t>(world.substeps)));
  world.is_sleeping_enabled = table->sleep_enabled().value_or(world.is_sleeping_enabled);
  fields.number(world.sleep_linear_speed, table->sleep_linear_speed(), "sleep_linear_speed",
                between(0, 100));
  fields.number(world.sleep_angular_speed, table->sleep_angular_speed(), "sleep_angular_speed",
                between(0, 100));
  fields.number(world.sleep_seconds, table->time_before_sleep(), "time_before_sleep",
                between(0, 3600));
  fields.number(world.restitution_threshold, table->restitution_threshold(),
                "restitution_threshold", between(0, 1000));
  fields.number(world.max_linear_speed, table->max_linear_speed(), "max_linear_speed", speed_range);
  fields.number(world.max_angular_speed, table->max_angular_speed(), "max_angular_speed",
                speed_range);
  float scale = 1;
  fields.number(scale, table->time_scale(), "time_scale", between(0.01, 10));
  world.time_percent = static_cast<int>(std::lround(100.0f * scale));
  if (std::abs(100.0f * scale - static_cast<float>(world.time_percent)) > 1e-3f)
    reader.fail(path.field("time_scale"), "must be a multiple of 0.01, is " + shown(scale));
  world.is_planar = table->planar().value_or(world.is_planar);
  return world;
}

state::Camera read_camera(ValueReader& reader, const wire::Camera* table, const Path& path) {
  state::Camera camera;
  if (table == nullptr) return camera;
  camera.eye = reader.position(table->eye(), path.field("eye"), camera.eye);
  camera.target = reader.position(table->target(), path.field("target"), camera.target);
  if (camera.eye == camera.target) reader.fail(path.field("target"), "must differ from eye");
  return camera;
}

ScenePlayer read_player(ValueReader& reader, const wire::Player* table, const Path& path,
                        const Materials& materials) {
  static_assert(static_cast<int>(wire::PlayerKind::car) == static_cast<int>(PlayerKind::Car));
  ScenePlayer player;
  player.shape.shape = state::sphere(0.5f);
  if (table == nullptr) return player;
  if (table->kind()) player.kind = static_cast<PlayerKind>(*table->kind());
  const bool is_character = player.kind == PlayerKind::Character;
  if (is_character) player.shape.shape = state::capsule(0.3f, 0.6f);
  const bool is_car = player.kind == PlayerKind::Car;
  refuse(reader, path, "car", table->car() != nullptr && !is_car, "car");
  if (is_car) {
    refuse_body(reader, *table, path);
    player.car = read_car(reader, table->car(), path.field("car"));
    player.mass = player.car.mass;
  }
  if (table->shape() != nullptr) {
    const Path own = path.field("shape");
    const auto shapes = read_shape(reader, *table->shape(), own, materials);
    if (shapes.size() > 1)
      reader.fail(own, "must be a single shape for a player, is " + std::to_string(shapes.size()) +
                           " hulls");
    player.shape = finish_shape(shapes[0], {}, {});
    if (player.shape.is_sensor)
      reader.fail(own.field("sensor"), "is not allowed for a player's shape");
    if (state::is_static_only(player.shape.shape.kind))
      reader.fail(own, "only a static body can be a plane, a mesh or a height field");
    if (static_cast<double>(largest_half_size(player.shape.shape)) > max_moving_size)
      reader.fail(own, "is too large: a moving body may be at most 2000 m long");
  }
  const FieldReader fields(reader, path);
  fields.number(player.mass, table->mass(), "mass", mass_range);
  fields.number(player.linear_damping, table->linear_damping(), "linear_damping", damping_range);
  fields.number(player.angular_damping, table->angular_damping(), "angular_damping", damping_range);
  player.is_rotation_locked = table->lock_rotation().value_or(player.is_rotation_locked);
  fields.number(player.move_force, table->move_force(), "move_force", between(0, 1e9));
  fields.number(player.max_speed, table->max_speed(), "max_speed", between(0, 1e4));
  fields.number(player.turn_factor, table->reverse_force_factor(), "reverse_force_factor",
                between(0, 100));
  fields.number(player.jump_speed, table->jump_speed(), "jump_speed", between(0, 1000));
  if (is_character) {
    read_walk(reader, *table, path, player);
  } else {
    refuse_walk(reader, *table, path);
  }
  read_player_skills(reader, *table, path, player);
  return player;
}

std::vector<math::Pose> read_spawns(ValueReader& reader, const Tables<wire::Spawn>* tables,
                                    const Path& path) {
  std::vector<math::Pose> spawns;
  if (tables == nullptr || tables->size() == 0) {
    reader.fail(path,
                "must have at least one entry, a pose where players spawn, such as \"spawns\": [{ "
                "\"position\": [0, 1, 0] }]");
    return spawns;
  }
  if (tables->size() > max_scene_spawns) {
    reader.fail(path, "may have at most " + std::to_string(max_scene_spawns) + " entries, has " +
                          std::to_string(tables->size()));
    return spawns;
  }
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i) {
    const wire::Spawn& table = *tables->Get(i);
    const Path own = path.entry(i);
    if (table.position() == nullptr) reader.fail(own.field("position"), "is missing");
    spawns.push_back({reader.position(table.position(), own.field("position"), {}),
                      reader.rotation(table.rotation(), table.rotation_degrees(), own, {})});
  }
  return spawns;
}

}  // namespace jostle::scene::detail
