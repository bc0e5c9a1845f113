#pragma once

#include "shared/character/character.h"
#include "shared/math/trig.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace jostle::character::testing {

using math::Position;
using math::Vec3;
using physics::World;

inline constexpr float degree = math::pi / 180;

inline physics::WorldOptions awake_options() {
  physics::WorldOptions options;
  options.is_sleeping_enabled = false;
  return options;
}

inline physics::BodyHandle add_body(World& world, physics::MotionType motion, Position at,
                                    math::Quat rotation, const state::Shape& shape) {
  physics::BodyDef def;
  def.motion = motion;
  def.pose = {at, rotation};
  const physics::BodyHandle body = world.create_body(def);
  physics::ShapeDef shape_def;
  shape_def.shape = shape;
  world.add_shape(body, shape_def);
  return body;
}

inline physics::BodyHandle add_box(World& world, physics::MotionType motion, Position at,
                                   Vec3 half) {
  return add_body(world, motion, at, {}, state::box(half));
}
inline physics::BodyHandle add_static_box(World& world, Position at, Vec3 half) {
  return add_box(world, physics::MotionType::Static, at, half);
}
inline physics::BodyHandle add_ground(World& world) {
  return add_body(world, physics::MotionType::Static, {}, {}, state::plane());
}

/// Adds a static box of 40 m × 2 m × 40 m. Its upper face contains the origin and rises towards +x
/// by `angle`, in rad.
inline physics::BodyHandle add_slope(World& world, float angle) {
  const math::Quat turn{0, 0, std::sin(angle / 2), std::cos(angle / 2)};
  const Vec3 down = rotate(turn, {0, -1, 0});
  return add_body(world, physics::MotionType::Static, math::to_position(down), turn,
                  state::box({20, 1, 20}));
}

/// A character and its world, which are stepped together.
struct Figure {
  CharacterOptions options;
  World world{awake_options()};
  Character character;

  float skin() const { return options.skin; }
  /// Returns the height of the capsule's centre when the character stands at height 0.
  double standing() const { return static_cast<double>(0.5f * options.height + options.skin); }
  Position foot() const { return character.position - character.up * (0.5f * options.height); }
  bool is_firm() const { return character.ground == GroundState::OnGround; }

  void put(Position foot) {
    character = {};
    character.position = foot + Vec3{0, 0.5f * options.height + options.skin, 0};
  }
  void step(Vec3 velocity, bool is_jumping) {
    move(world, character, options, {velocity, is_jumping});
    world.step();
  }
  void walk(int steps, Vec3 velocity) {
    for (int i = 0; i < steps; ++i)
      step(velocity, false);
  }
  /// Steps without input for 0.5 s, so that the character comes to stand on the ground.
  void settle() { walk(30, {}); }
};

}  // namespace jostle::character::testing
