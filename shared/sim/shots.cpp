#include "shared/sim/shots.h"

#include "shared/sim/instantiate.h"
#include "shared/sim/pushes.h"

#include <algorithm>

namespace jostle::sim {
namespace {

// A shot must start near its player, so that players cannot shoot from the other end of the world.
constexpr float max_shot_distance = 100.0f;  // m
constexpr double lowest_shot = -200.0;       // height below which shots are removed, m

}  // namespace

void Shots::reset(RuleContext&) {
  shots_.clear();
}

void Shots::player_left(RuleContext& context, Player& player) {
  std::erase_if(shots_, [&](const Shot& shot) {
    if (shot.player != player.id) return false;
    context.bodies.despawn(context.world, shot.body);
    return true;
  });
}

void Shots::before_step(RuleContext& context) {
  forget_fallen(context);
  if (!context.scene.player.may_shoot) return;
  for (const Player& player : context.players.all()) {
    for (const state::Action& action : player.input.actions) {
      if (state::makes_body(action.kind)) shoot(context, player, action);
    }
  }
}

void Shots::shoot(RuleContext& context, const Player& player, const state::Action& action) {
  const scene::ScenePlayer& rules = context.scene.player;
  const auto body = context.bodies.find(player.body);
  if (!body || rules.max_shots_alive == 0) return;
  const math::Position origin = math::to_position(action.point);
  if (math::length(origin - context.world.centre_of_mass(*body)) > max_shot_distance) return;

  const auto alive = std::count_if(shots_.begin(), shots_.end(),
                                   [&](const Shot& shot) { return shot.player == player.id; });
  if (alive >= static_cast<std::ptrdiff_t>(rules.max_shots_alive)) {
    const auto oldest = std::find_if(shots_.begin(), shots_.end(),
                                     [&](const Shot& shot) { return shot.player == player.id; });
    context.bodies.despawn(context.world, oldest->body);
    shots_.erase(oldest);
  }

  const bool is_ball = action.kind == state::ActionKind::Shoot;
  const float size = rules.shot_radius;
  scene::SceneBody made;
  made.name = is_ball ? "shot" : "crate";
  made.pose.position = origin;
  made.linear_velocity = limited(action.vector, rules.max_shot_speed);
  made.mass = rules.shot_mass;
  made.locks = locks_of(context.scene);
  made.colour = player_colour(player.id);
  scene::SceneShape shape;
  shape.shape = is_ball ? state::sphere(size) : state::box({size, size, size});
  made.shapes = {shape};
  shots_.push_back({player.id, context.bodies.spawn(context.world, made, player.id)});
}

void Shots::forget_fallen(RuleContext& context) {
  std::erase_if(shots_, [&](const Shot& shot) {
    if (context.world.pose(context.bodies.handle(shot.body)).position.y > lowest_shot) return false;
    context.bodies.despawn(context.world, shot.body);
    return true;
  });
}

void Shots::save(base::ByteWriter& writer) const {
  writer.u32(static_cast<std::uint32_t>(shots_.size()));
  for (const Shot& shot : shots_) {
    writer.u16(shot.player.value);
    writer.u32(shot.body.value);
  }
}

void Shots::restore(base::ByteReader& reader, const BodyRegistry& bodies) {
  constexpr std::size_t shot_bytes = 6;
  const std::uint32_t count = reader.count(shot_bytes);
  shots_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    Shot shot;
    shot.player.value = reader.u16();
    shot.body.value = reader.u32();
    const bool is_listed = std::any_of(shots_.begin(), shots_.end(),
                                       [&](const Shot& other) { return other.body == shot.body; });
    const state::BodyInfo* info = bodies.info(shot.body);
    if (info == nullptr || info->owner != shot.player || is_listed) reader.fail();
    if (!reader.ok()) return;
    shots_.push_back(shot);
  }
}

}  // namespace jostle::sim
