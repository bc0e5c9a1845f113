#include "shared/sim/character_controllers.h"

#include "shared/sim/instantiate.h"

#include <algorithm>

namespace jostle::sim {
namespace {

character::Character character_at(const RuleContext& context, const Player& player,
                                  physics::BodyHandle body) {
  character::Character character;
  character.position = context.scene.spawns[player.spawn].position;
  character.up = up_against(context.scene.world.gravity);
  character.body = body;
  return character;
}

character::CharacterInput wish_of(const scene::SceneDef& scene, const state::PlayerInput& input) {
  const scene::ScenePlayer& rules = scene.player;
  const math::Vec3 wanted = state::free_linear(locks_of(scene), {input.move_x, 0.0f, input.move_z});
  const float amount = math::length(wanted);
  character::CharacterInput wish;
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

void CharacterControllers::reset(RuleContext& context) {
  character_controllers_.clear();
  for (const Player& player : context.players.all())
    add(context, player);
}

void CharacterControllers::add(RuleContext& context, const Player& player) {
  if (context.scene.player.kind != scene::PlayerKind::Character) return;
  const auto body = context.bodies.find(player.body);
  if (!body) return;
  const auto place = std::find_if(character_controllers_.begin(), character_controllers_.end(),
                                  [&](const Walker& walker) { return player.id < walker.player; });
  Walker walker{player.id, character_at(context, player, *body)};
  walker.character.position = context.bodies.info(player.body)->pose.position;
  character_controllers_.insert(place, walker);
}

void CharacterControllers::remove(const Player& player) {
  std::erase_if(character_controllers_,
                [&](const Walker& walker) { return walker.player == player.id; });
}

void CharacterControllers::before_step(RuleContext& context) {
  if (character_controllers_.empty()) return;
  const character::CharacterOptions options =
      character_options(context.scene.player, context.world.options().gravity);
  for (Walker& walker : character_controllers_) {
    character::Character& character = walker.character;
    const Player* player = context.players.find(walker.player);
    // In a save, the players and the bodies may be inconsistent.
    if (player == nullptr || context.bodies.find(player->body) != character.body) continue;
    const math::Vec3 fallen = character.position - context.scene.spawns[player->spawn].position;
    if (static_cast<double>(dot(fallen, character.up)) < -fall_depth) {
      character = character_at(context, *player, character.body);
      context.bodies.teleport(context.world, character.body, pose_of(character));
    }
    const math::Position before = character.position;
    move(context.world, character, options, wish_of(context.scene, player->input));
    if (context.scene.world.is_planar && character.position.z != before.z) {
      // Obstacles may turn the character aside, but must not push it out of the plane.
      character.position.z = before.z;
      character.velocity.z = 0;
      context.world.move_kinematic(character.body, pose_of(character));
    }
  }
}

void CharacterControllers::take_place(const RuleContext& context, state::BodyId body) {
  for (Walker& walker : character_controllers_) {
    if (context.bodies.find(body) != walker.character.body) continue;
    walker.character.position = context.world.pose(walker.character.body).position;
    walker.character.velocity = context.world.linear_velocity(walker.character.body);
  }
}

const character::Character* CharacterControllers::find(state::PlayerId player) const {
  const auto walker = std::find_if(character_controllers_.begin(), character_controllers_.end(),
                                   [&](const Walker& w) { return w.player == player; });
  return walker == character_controllers_.end() ? nullptr : &walker->character;
}

void CharacterControllers::save(base::ByteWriter& writer) const {
  for (const Walker& walker : character_controllers_)
    character::save(walker.character, writer);
}

void CharacterControllers::restore(base::ByteReader& reader, const BodyRegistry& bodies) {
  character_controllers_.clear();
  // The kinematic bodies that players own are exactly the bodies of characters.
  for (const state::BodyInfo& info : bodies.world_def().bodies) {
    if (info.owner.is_null() || info.motion != state::MotionType::Kinematic) continue;
    Walker walker;
    walker.player = info.owner;
    walker.character.body = bodies.handle(info.id);
    character_controllers_.push_back(walker);
  }
  std::sort(character_controllers_.begin(), character_controllers_.end(),
            [](const Walker& a, const Walker& b) {
              return a.player < b.player ||
                     (a.player == b.player && a.character.body < b.character.body);
            });
  for (std::size_t i = 0; i < character_controllers_.size(); ++i) {
    const physics::BodyHandle body = character_controllers_[i].character.body;
    if (i > 0 && character_controllers_[i].player == character_controllers_[i - 1].player)
      reader.fail();
    character_controllers_[i].character = character::restore(reader, bodies.handles());
    if (character_controllers_[i].character.body != body) reader.fail();
    if (!reader.ok()) return;
  }
}

}  // namespace jostle::sim
