#include "shared/sim/walkers.h"

#include "shared/sim/instantiate.h"

#include <algorithm>

namespace jostle::sim {
namespace {

character::Character character_at(const Stage& stage, const Player& player,
                                  physics::BodyHandle body) {
  character::Character character;
  character.position = stage.scene.spawns[player.spawn].position;
  character.up = up_against(stage.scene.world.gravity);
  character.body = body;
  return character;
}

character::Wish wish_of(const scene::SceneDef& scene, const state::PlayerInput& input) {
  const scene::ScenePlayer& rules = scene.player;
  const math::Vec3 wanted = state::free_linear(locks_of(scene), {input.move_x, 0.0f, input.move_z});
  const float amount = math::length(wanted);
  character::Wish wish;
  if (amount > 0.0f)
    wish.velocity = wanted * (rules.max_speed * math::min_of(amount, 1.0f) / amount);
  wish.is_jumping = (input.buttons & state::button_jump) != 0;
  return wish;
}

}  // namespace

character::CharacterOptions character_options(const scene::ScenePlayer& player,
                                              math::Vec3 gravity) {
  character::CharacterOptions options;
  const state::Shape& shape = player.shape.shape;
  options.radius = shape.radius;
  options.height = scene::standing_height(shape);
  options.skin = player.walk.skin;
  options.max_slope = player.walk.max_slope;
  options.step_height = player.walk.step_height;
  options.step_down = player.walk.step_down;
  options.gravity = math::length(gravity);
  options.jump_speed = player.jump_speed;
  options.air_acceleration = player.walk.air_acceleration;
  options.mass = player.mass;
  options.push_force = player.walk.push_force;
  options.filter = {player.shape.filter.category, player.shape.filter.mask,
                    player.shape.filter.group};
  return options;
}

math::Vec3 up_against(math::Vec3 gravity) {
  return math::normalized_or(-gravity, {0, 1, 0});
}

void Walkers::reset(Stage& stage) {
  walkers_.clear();
  for (const Player& player : stage.players.all())
    add(stage, player);
}

void Walkers::add(Stage& stage, const Player& player) {
  if (stage.scene.player.kind != scene::PlayerKind::Character) return;
  const auto body = stage.bodies.find(player.body);
  if (!body) return;
  const auto place = std::find_if(walkers_.begin(), walkers_.end(),
                                  [&](const Walker& walker) { return player.id < walker.player; });
  walkers_.insert(place, {player.id, character_at(stage, player, *body)});
}

void Walkers::remove(const Player& player) {
  std::erase_if(walkers_, [&](const Walker& walker) { return walker.player == player.id; });
}

void Walkers::before_step(Stage& stage) {
  if (walkers_.empty()) return;
  const character::CharacterOptions options =
      character_options(stage.scene.player, stage.world.options().gravity);
  for (Walker& walker : walkers_) {
    character::Character& character = walker.character;
    const Player* player = stage.players.find(walker.player);
    // In a save, the players and the bodies may be inconsistent.
    if (player == nullptr || stage.bodies.find(player->body) != character.body) continue;
    const math::Vec3 fallen = character.position - stage.scene.spawns[player->spawn].position;
    if (static_cast<double>(dot(fallen, character.up)) < -fall_depth) {
      character = character_at(stage, *player, character.body);
      stage.world.set_pose(character.body, pose_of(character));
    }
    const math::Position before = character.position;
    move(stage.world, character, options, wish_of(stage.scene, player->input));
    if (stage.scene.world.is_planar && character.position.z != before.z) {
      // Obstacles may turn the character aside, but must not push it out of the plane.
      character.position.z = before.z;
      character.velocity.z = 0;
      stage.world.move_kinematic(character.body, pose_of(character));
    }
  }
}

void Walkers::take_place(const Stage& stage, state::BodyId body) {
  for (Walker& walker : walkers_) {
    if (stage.bodies.find(body) != walker.character.body) continue;
    walker.character.position = stage.world.pose(walker.character.body).position;
    walker.character.velocity = stage.world.linear_velocity(walker.character.body);
  }
}

const character::Character* Walkers::find(state::PlayerId player) const {
  const auto walker = std::find_if(walkers_.begin(), walkers_.end(),
                                   [&](const Walker& w) { return w.player == player; });
  return walker == walkers_.end() ? nullptr : &walker->character;
}

void Walkers::save(base::ByteWriter& writer) const {
  for (const Walker& walker : walkers_)
    character::save(walker.character, writer);
}

void Walkers::restore(base::ByteReader& reader, const BodyRegistry& bodies) {
  walkers_.clear();
  // Characters have the only kinematic bodies that belong to a player.
  for (const state::BodyInfo& info : bodies.world_def().bodies) {
    if (info.owner.is_null() || info.motion != state::MotionType::Kinematic) continue;
    Walker walker;
    walker.player = info.owner;
    walker.character.body = bodies.handle(info.id);
    walkers_.push_back(walker);
  }
  std::sort(walkers_.begin(), walkers_.end(), [](const Walker& a, const Walker& b) {
    return a.player < b.player || (a.player == b.player && a.character.body < b.character.body);
  });
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    const physics::BodyHandle body = walkers_[i].character.body;
    if (i > 0 && walkers_[i].player == walkers_[i - 1].player) reader.fail();
    walkers_[i].character = character::restore(reader, bodies.handles());
    if (walkers_[i].character.body != body) reader.fail();
    if (!reader.ok()) return;
  }
}

}  // namespace jostle::sim
