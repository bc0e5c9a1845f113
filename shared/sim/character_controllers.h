#pragma once

#include "shared/character/character.h"
#include "shared/sim/rule.h"

#include <vector>

namespace jostle::sim {

/// Depth below its spawn at which a player counts as fallen out of the world.
inline constexpr double fall_depth = 60.0;  // m

/// The players that are characters; a part of PlayerControl. shared/character moves each character,
/// whose body is the kinematic capsule that clients see.
class CharacterControllers {
 public:
  void reset(RuleContext& context);
  void add(RuleContext& context, const Player& player);
  void remove(const Player& player);
  /// Moves all characters, in the order of player ids. Moves those that fell out of the world back
  /// to their spawns.
  void before_step(RuleContext& context);
  /// Sets the position and velocity of the character with this body to those of the body.
  void take_place(const RuleContext& context, state::BodyId body);

  /// Writes the characters; writes nothing if there are none. restore() finds the characters by the
  /// kinematic bodies that players own.
  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader, const BodyRegistry& bodies);

  /// Returns the player's character, or null if the player has none.
  const character::Character* find(state::PlayerId player) const;

 private:
  struct Walker {
    state::PlayerId player;
    character::Character character;
  };
  std::vector<Walker> character_controllers_;  // sorted by player id
};

/// Returns the controller's options for characters of a scene under this gravity.
character::CharacterOptions character_options(const scene::ScenePlayer& player, math::Vec3 gravity);

/// Returns the up direction of characters: opposite to gravity, or +y without gravity.
math::Vec3 up_against(math::Vec3 gravity);

}  // namespace jostle::sim
