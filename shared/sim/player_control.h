#pragma once

#include "shared/sim/cars.h"
#include "shared/sim/character_controllers.h"
#include "shared/sim/rule.h"

namespace jostle::sim {

/// The rule that applies the input of players: forces on a player's body, steps of a character, or
/// the controls of a car, and the push and pull fields. The rule also moves a player that fell out
/// of the world back to its spawn.
class PlayerControl final : public Rule {
 public:
  std::string_view name() const override { return "player_control"; }
  std::unique_ptr<Rule> another() const override { return std::make_unique<PlayerControl>(); }
  void reset(RuleContext& context) override {
    character_controllers_.reset(context);
    add_cars(context);
  }
  void player_joined(RuleContext& context, Player& player) override {
    character_controllers_.add(context, player);
    add_car(context, player);
  }
  void player_left(RuleContext& context, Player& player) override {
    character_controllers_.remove(player);
    remove_car(context, player);
  }
  void before_step(RuleContext& context) override;
  void body_placed(RuleContext& context, state::BodyId body) override {
    character_controllers_.take_place(context, body);
  }
  void save(base::ByteWriter& writer) const override { character_controllers_.save(writer); }
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override {
    character_controllers_.restore(reader, bodies);
  }

 private:
  CharacterControllers character_controllers_;
};

/// Applies walking and jumping to a player's dynamic body for the next step.
void drive_body(physics::World& world, const scene::ScenePlayer& player,
                const state::PlayerInput& input, physics::BodyHandle body);
/// Applies the push and pull fields around a player's body for the next step, while their buttons
/// are held.
void apply_fields(physics::World& world, const scene::ScenePlayer& player, std::uint16_t buttons,
                  physics::BodyHandle body);

/// Returns the walking force: `move_force` along the desired direction, times the length of
/// (move_x, move_z) up to 1. It is multiplied by `turn_factor` if the body moves against that
/// direction. It is zero if the body's speed in that direction is at least `max_speed`.
math::Vec3 walking_force(const scene::ScenePlayer& player, float move_x, float move_z,
                         math::Vec3 velocity);

/// Returns the acceleration of a field at `offset` from its centre: strength / distance², limited
/// to `limit`, away from the centre if the strength is positive. Zero outside of the distances from
/// `inner` to `outer`.
math::Vec3 field_acceleration(const scene::SceneField& field, math::Vec3 offset);

}  // namespace jostle::sim
