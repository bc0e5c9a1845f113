#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/body_def.h"
#include "api/physics/convert.h"
#include "api/physics/shape_geometry.h"
#include "api/server/game.h"
#include "protocol/limits.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace jostle::api {

template <>
jostle_look default_of() {
  const state::Colour colour;
  return {sizeof(jostle_look), nullptr, colour.red, colour.green, colour.blue, 1, 0};
}

namespace {

constexpr std::size_t max_spawn_shapes = 256;
/// Number of moving bodies that stay free for players and their shots.
constexpr std::size_t reserved_bodies = 1'024;

scene::SceneShape scene_shape(const physics::ShapeDef& from) {
  scene::SceneShape shape;
  shape.shape = from.shape;
  shape.local = from.local;
  shape.density = from.density;
  shape.is_sensor = from.is_sensor;
  shape.surface_velocity = from.surface_velocity;
  scene::SceneMaterial& material = shape.material;
  material.friction = from.material.friction;
  material.restitution = from.material.restitution;
  material.rolling_resistance = from.material.rolling_resistance;
  material.spinning_resistance = from.material.spinning_resistance;
  material.static_friction = from.material.static_friction;
  material.friction_rule = static_cast<scene::CombineRule>(from.material.friction_rule);
  material.restitution_rule = static_cast<scene::CombineRule>(from.material.restitution_rule);
  material.id = from.material.id.value;
  shape.filter = {from.filter.category, from.filter.mask, from.filter.group};
  return shape;
}

scene::SceneBody scene_body(const physics::BodyDef& from) {
  scene::SceneBody body;
  body.motion = from.motion;
  body.pose = from.pose;
  body.linear_velocity = from.linear_velocity;
  body.angular_velocity = from.angular_velocity;
  body.mass = from.mass;
  body.linear_damping = from.linear_damping;
  body.angular_damping = from.angular_damping;
  body.gravity_scale = from.gravity_scale;
  body.is_sleep_allowed = from.is_sleep_allowed;
  body.is_awake = from.is_awake;
  body.is_enabled = from.is_enabled;
  body.locks = from.locks;
  body.inertia = from.inertia;
  body.centre_of_mass = from.centre_of_mass;
  body.charge = from.charge;
  body.ignores_force_fields = from.ignores_force_fields;
  body.integrator = from.integrator;
  return body;
}

void read_look(const jostle_look& look, scene::SceneBody& body) {
  require_integer(look.is_grabbable, 0, 1, "look->is_grabbable");
  require_integer(look.reserved, 0, 0, "look->reserved");
  body.colour = {look.red, look.green, look.blue};
  body.is_grabbable = look.is_grabbable == 1;
  if (look.name == nullptr) return;
  const std::size_t length = strnlen(look.name, protocol::max_name_bytes + 1);
  if (length > protocol::max_name_bytes) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "look->name is longer than %zu bytes",
           protocol::max_name_bytes);
  }
  body.name.assign(look.name, length);
}

/// Requires a position that the network protocol can tell clients.
void require_place_for_clients(const math::Position& position) {
  for (const double x : {position.x, position.y, position.z})
    require_range(x, -protocol::max_position, protocol::max_position, "def->pose.position", "m");
}

void require_room(const sim::BodyRegistry& bodies) {
  const auto& all = bodies.world_def().bodies;
  const auto moving = static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(),
      [](const state::BodyInfo& info) { return info.motion != state::MotionType::Static; }));
  constexpr std::size_t limit = protocol::max_snapshot_bodies - reserved_bodies;
  if (moving >= limit)
    refuse(JOSTLE_ERROR_LIMIT, "the game has %zu moving bodies; rules may create bodies up to %zu",
           moving, limit);
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_look_init(jostle_look* look, size_t size) {
  return write_default(__func__, look, size);
}

jostle_result jostle_game_spawn(jostle_game game, const jostle_body_def* def,
                                const jostle_shape_def* shapes, size_t count,
                                const jostle_look* look, jostle_body* body) {
  return guard(__func__, [&] {
    const auto found = games().change(game);
    const physics::BodyDef checked = checked_body(read_struct(def, "def"));
    if (checked.user_data != 0) {
      refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                  "def->user_data is not 0; the game uses the user data of its bodies");
    }
    require_place_for_clients(checked.pose.position);
    require_integer(static_cast<std::int64_t>(std::min(count, max_spawn_shapes + 1)), 1,
                    max_spawn_shapes, "count");
    require_pointer(shapes, "shapes");
    std::size_t stride = 0;
    std::memcpy(&stride, shapes, sizeof stride);
    require_size<jostle_shape_def>(stride, "shapes");
    scene::SceneBody made = scene_body(checked);
    for (std::size_t i = 0; i < count; ++i) {
      const auto* const at = reinterpret_cast<const jostle_shape_def*>(
          reinterpret_cast<const char*>(shapes) + i * stride);
      const physics::ShapeDef shape = checked_shape(read_struct(at, "shapes"));
      require_place(checked.motion, shape);
      made.shapes.push_back(scene_shape(shape));
    }
    if (look != nullptr) read_look(read_struct(look, "look"), made);
    sim::RuleContext& context = *found->context;
    require_room(context.bodies);
    const state::BodyId id = context.bodies.spawn(context.world, made, {});
    if (body != nullptr) *body = to_c(context.bodies.handle(id));
  });
}

jostle_result jostle_game_despawn(jostle_game game, jostle_body body) {
  return guard(__func__, [&] {
    const auto found = games().change(game);
    sim::RuleContext& context = *found->context;
    const auto handle = require_alive(context.world, body, "body");
    const state::BodyId id = sim::BodyRegistry::id_of(context.world, handle);
    const state::BodyInfo* const info = context.bodies.info(id);
    if (info == nullptr || !info->owner.is_null()) {
      refuse_text(JOSTLE_ERROR_WRONG_STATE,
                  "body belongs to a player; accepted: bodies of the scene and of rules");
    }
    context.bodies.despawn(context.world, id);
  });
}
