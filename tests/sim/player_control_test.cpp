#include "shared/sim/player_control.h"

#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

TEST(PlayerControl, ForcePointsInTheInputDirection) {
  scene::ScenePlayer player;
  player.move_force = 100;
  EXPECT_EQ(walking_force(player, 0, 0, {}), math::Vec3{});
  EXPECT_EQ(walking_force(player, 1, 0, {}), (math::Vec3{100, 0, 0}));
  EXPECT_EQ(walking_force(player, 0, -0.5f, {}), (math::Vec3{0, 0, -50}));
}

TEST(PlayerControl, ForceIsLargerAgainstTheMotionAndZeroAtTopSpeed) {
  scene::ScenePlayer player;
  player.move_force = 100;
  player.turn_factor = 2;
  player.max_speed = 8;
  EXPECT_EQ(walking_force(player, 1, 0, {-3, 0, 0}), (math::Vec3{200, 0, 0}));
  EXPECT_EQ(walking_force(player, 1, 0, {8, 0, 0}), math::Vec3{});
  EXPECT_EQ(walking_force(player, 1, 0, {0, 0, 9}), (math::Vec3{100, 0, 0}))
      << "sideways speed does not count";
}

TEST(PlayerControl, FieldFallsWithTheSquareOfTheDistanceUpToItsLimit) {
  const scene::SceneField push{0, 2, 200, 500};
  EXPECT_NEAR(field_acceleration(push, {1, 0, 0}).x, 200.0f, 1e-3f);
  EXPECT_NEAR(field_acceleration(push, {2, 0, 0}).x, 50.0f, 1e-3f);
  EXPECT_NEAR(field_acceleration(push, {0.1f, 0, 0}).x, 500.0f, 1e-2f);
  EXPECT_EQ(field_acceleration(push, {2.1f, 0, 0}), math::Vec3{});
  const scene::SceneField pull{0.2f, 1.8f, -200, 2000};
  EXPECT_LT(field_acceleration(pull, {1, 0, 0}).x, 0.0f);
  EXPECT_EQ(field_acceleration(pull, {0.1f, 0, 0}), math::Vec3{});
}

TEST(PlayerControl, WalkingMovesTheBodyUpToItsTopSpeed) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const state::BodyId body = simulation->player_body(ann);
  for (int i = 0; i < 120; ++i)
    step(*simulation, {input_of(ann, {}, 0, 1)});
  EXPECT_GT(position_of(*simulation, body).z, 4.0);
  EXPECT_LE(velocity_of(*simulation, body).z, simulation->scene().player.max_speed * 1.05f);
}

TEST(PlayerControl, JumpsOnlyFromTheGround) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const state::BodyId body = simulation->player_body(ann);
  step_many(*simulation, 20);
  const double ground = position_of(*simulation, body).y;
  double top = ground;
  // With the button held all the time, the player jumps once per landing and does not fly.
  for (int i = 0; i < 60; ++i) {
    step(*simulation, {input_of(ann, {}, 0, 0, state::button_jump)});
    top = std::max(top, position_of(*simulation, body).y);
  }
  // v²/2g is 1.27 m for 5 m/s.
  EXPECT_NEAR(top - ground, 1.27, 0.1);
}

TEST(PlayerControl, FallenPlayerRespawns) {
  scene::SceneDef scene = small_scene();
  scene.bodies.erase(scene.bodies.begin());  // no ground
  const auto simulation = simulate(scene);
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const state::BodyId body = simulation->player_body(ann);
  double lowest = 0;
  for (int i = 0; i < 600; ++i) {
    step(*simulation);
    lowest = std::min(lowest, position_of(*simulation, body).y);
  }
  EXPECT_LT(lowest, -30.0);
  EXPECT_GT(lowest, -75.0);
}

}  // namespace
}  // namespace jostle::sim
