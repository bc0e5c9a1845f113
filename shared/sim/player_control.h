#pragma once

#include "shared/sim/cars.h"
#include "shared/sim/rule.h"
#include "shared/sim/walkers.h"

namespace jostle::sim {

/// Turns held keys into what a player does: forces on the player's own body, steps of a
/// character, or what a driver does to a car, and the push and pull fields; and puts a player who
/// fell off the world back to their spawn.
class PlayerControl final : public Rule {
 public:
  std::string_view name() const override { return "player_control"; }
  void reset(Stage& stage) override {
    walkers_.reset(stage);
    add_cars(stage);
  }
  void player_joined(Stage& stage, Player& player) override {
    walkers_.add(stage, player);
    add_car(stage, player);
  }
  void player_left(Stage& stage, Player& player) override {
    walkers_.remove(player);
    remove_car(stage, player);
  }
  void before_step(Stage& stage) override;
  void body_placed(Stage& stage, state::BodyId body) override { walkers_.take_place(stage, body); }
  void save(base::ByteWriter& writer) const override { walkers_.save(writer); }
  void restore(base::ByteReader& reader, const BodyRegistry& bodies) override {
    walkers_.restore(reader, bodies);
  }

 private:
  Walkers walkers_;
};

/// Walking and jumping of a player that is a body, for the next step.
void drive_body(physics::World& world, const scene::ScenePlayer& player,
                const state::PlayerInput& input, physics::BodyHandle body);
/// The push and pull fields around a player's body while their buttons are held, for the next step.
void apply_fields(physics::World& world, const scene::ScenePlayer& player, std::uint16_t buttons,
                  physics::BodyHandle body);

/// The force of walking: `move_force` along the wanted direction (each component in [−1, 1]), more
/// by `turn_factor` against the motion, none that would push beyond `max_speed`.
math::Vec3 walking_force(const scene::ScenePlayer& player, float move_x, float move_z,
                         math::Vec3 velocity);

/// The acceleration that a field gives at `offset` from its centre, away from it for positive
/// strength.
math::Vec3 field_acceleration(const scene::SceneField& field, math::Vec3 offset);

}  // namespace jostle::sim
