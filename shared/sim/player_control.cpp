#include "shared/sim/player_control.h"

#include <algorithm>
#include <cmath>

namespace jostle::sim {
namespace {

// Maximum distance below the body's bounding box at which an object counts as ground to jump from.
constexpr float jump_reach = 0.1f;  // m

bool stands_on_something(const physics::World& world, physics::BodyHandle body) {
  const math::Position centre = world.centre_of_mass(body);
  const auto depth = static_cast<float>(centre.y - world.aabb(body).lower.y) + jump_reach;
  const physics::Ray ray{centre, {0.0f, -depth, 0.0f}};
  const auto hits = world.cast_ray_all(ray, {});
  return std::any_of(hits.begin(), hits.end(),
                     [body](const physics::CastHit& hit) { return hit.body != body; });
}

void jump(physics::World& world, float speed, physics::BodyHandle body) {
  const float rising = world.linear_velocity(body).y;
  if (speed <= 0.0f || rising > 0.5f * speed || !stands_on_something(world, body)) return;
  const float gain = world.mass(body) * (speed - rising);
  if (!std::isfinite(gain)) return;  // a recording's body may fall at any speed
  world.apply_central_impulse(body, {0.0f, gain, 0.0f});
}

void apply_field(physics::World& world, physics::BodyHandle source,
                 const scene::SceneField& field) {
  if (!(field.outer > 0.0f)) return;
  const math::Position centre = world.centre_of_mass(source);
  std::vector<physics::BodyHandle> reached;
  for (const physics::ShapeHandle shape :
       world.overlap_sphere(centre, field.outer, physics::QueryFilter{})) {
    reached.push_back(world.body_of(shape));
  }
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  for (const physics::BodyHandle body : reached) {
    if (body == source || world.motion_type(body) != state::MotionType::Dynamic) continue;
    const math::Vec3 offset = world.centre_of_mass(body) - centre;
    const math::Vec3 acceleration = field_acceleration(field, offset);
    if (acceleration == math::Vec3{}) continue;
    world.apply_central_force(body, acceleration * world.mass(body));
  }
}

void respawn_if_fallen(RuleContext& context, const Player& player, physics::BodyHandle body) {
  const math::Pose& spawn = context.scene.spawns[player.spawn];
  if (context.world.pose(body).position.y > spawn.position.y - fall_depth) return;
  context.bodies.teleport(context.world, body, spawn);
  context.world.set_velocity(body, {}, {});
}

}  // namespace

void drive_body(physics::World& world, const scene::ScenePlayer& player,
                const state::PlayerInput& input, physics::BodyHandle body) {
  const math::Vec3 force =
      walking_force(player, input.move_x, input.move_z, world.linear_velocity(body));
  if (force != math::Vec3{}) world.apply_central_force(body, force);
  if ((input.buttons & state::button_jump) != 0) jump(world, player.jump_speed, body);
}

void apply_fields(physics::World& world, const scene::ScenePlayer& player, std::uint16_t buttons,
                  physics::BodyHandle body) {
  if ((buttons & state::button_push) != 0) apply_field(world, body, player.push_field);
  if ((buttons & state::button_pull) != 0) apply_field(world, body, player.pull_field);
}

math::Vec3 walking_force(const scene::ScenePlayer& player, float move_x, float move_z,
                         math::Vec3 velocity) {
  const math::Vec3 wanted{move_x, 0.0f, move_z};
  const float amount = math::length(wanted);
  if (!(amount > 0.0f)) return {};
  const math::Vec3 direction = wanted / amount;
  const float speed = dot(velocity, direction);
  if (speed >= player.max_speed) return {};
  const float factor = speed < 0.0f ? player.turn_factor : 1.0f;
  return direction * (math::min_of(amount, 1.0f) * player.move_force * factor);
}

math::Vec3 field_acceleration(const scene::SceneField& field, math::Vec3 offset) {
  const float distance = math::length(offset);
  if (distance < field.inner || distance > field.outer || !(distance > 1e-3f)) return {};
  const float size = math::abs_of(field.strength) / (distance * distance);
  const float limited = math::min_of(size, field.limit);
  return offset * ((field.strength < 0.0f ? -limited : limited) / distance);
}

void PlayerControl::before_step(RuleContext& context) {
  character_controllers_.before_step(context);
  const bool is_driven = context.scene.player.kind == scene::PlayerKind::Body;
  const bool is_car = context.scene.player.kind == scene::PlayerKind::Car;
  for (const Player& player : context.players.all()) {
    const auto body = context.bodies.find(player.body);
    if (!body) continue;
    if (is_driven) {
      respawn_if_fallen(context, player, *body);
      drive_body(context.world, context.scene.player, player.input, *body);
    }
    if (is_car) drive_car(context, player, *body);
    apply_fields(context.world, context.scene.player, player.input.buttons, *body);
  }
}

}  // namespace jostle::sim
