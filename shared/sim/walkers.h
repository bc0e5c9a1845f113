#pragma once

#include "shared/character/character.h"
#include "shared/sim/rule.h"

#include <vector>

namespace jostle::sim {

/// A player this far below their spawn has left the world.
inline constexpr double fall_depth = 60.0;  // m

/// Players that are characters, in scenes that have such: each walks by shared/character, and its
/// body is the kinematic capsule that clients see. A part of PlayerControl.
class Walkers {
 public:
  void reset(Stage& stage);
  void add(Stage& stage, const Player& player);
  void remove(const Player& player);
  /// Moves all, by player id; puts those who fell off the world back to their spawns.
  void before_step(Stage& stage);
  /// The character whose body this is goes on from where the body stands.
  void take_place(const Stage& stage, state::BodyId body);

  /// Writes nothing where there are none. Whose state stands in a save follows from the bodies.
  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies);

  /// Null when the player is none.
  const character::Character* find(state::PlayerId player) const;

 private:
  struct Walker {
    state::PlayerId player;
    character::Character character;
  };
  std::vector<Walker> walkers_;  // by player id
};

/// The mover's options for characters of a scene, under the gravity that the world has now.
character::CharacterOptions character_options(const scene::ScenePlayer& player, math::Vec3 gravity);

/// Which way a character stands: against gravity, and along y where there is none.
math::Vec3 up_against(math::Vec3 gravity);

}  // namespace jostle::sim
