// Tests the actions of scene sensors on bodies that enter them.
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

constexpr state::BodyId gate_id{3};

/// Returns `small_scene` with its crate falling from 3 m through a gate at 1.5 m.
scene::SceneDef crate_over_gate(scene::SceneEntry entry) {
  scene::SceneDef scene = small_scene();
  scene.bodies[1].pose.position = {0, 3, 0};
  scene::SceneBody gate;
  gate.motion = state::MotionType::Static;
  gate.pose.position = {0, 1.5, 0};
  scene::SceneShape shape;
  shape.shape = state::box({1, 0.1f, 1});
  shape.is_sensor = true;
  shape.density = 0;
  gate.shapes = {shape};
  gate.on_enter = entry;
  scene.bodies.push_back(gate);
  return scene;
}

TEST(SceneSensors, MoveEnteringBodiesAndStopThem) {
  const auto simulation = simulate(crate_over_gate({math::Position{7, 2, 0}}));
  int ticks = 0;
  while (position_of(*simulation, crate_id).x == 0 && ++ticks < 100)
    step(*simulation);
  // The crate's lower face has fallen from 2.5 m to 1.6 m.
  EXPECT_NEAR(ticks, 60 * std::sqrt(2 * 0.9 / 9.81), 2);
  EXPECT_EQ(position_of(*simulation, crate_id), (math::Position{7, 2, 0}));
  EXPECT_EQ(velocity_of(*simulation, crate_id), math::Vec3{});
}

TEST(SceneSensors, DestroyEnteringBodies) {
  const auto simulation = simulate(crate_over_gate({}));
  step_many(*simulation, 60);
  EXPECT_FALSE(simulation->find_body(crate_id));
  EXPECT_EQ(simulation->world_def().bodies.size(), 2U);
}

TEST(SceneSensors, MoveButNeverDestroyPlayers) {
  for (const bool is_moving : {false, true}) {
    scene::SceneDef scene = crate_over_gate({});
    if (is_moving) scene.bodies[2].on_enter = scene::SceneEntry{math::Position{7, 2, 0}};
    scene.spawns[0].position = {0, 1.5, 0};
    const auto simulation = simulate(scene);
    step(*simulation, {state::JoinCommand{ann, "ann"}});
    step_many(*simulation, 3);
    const state::BodyId body = simulation->player_body(ann);
    ASSERT_TRUE(simulation->find_body(body));
    EXPECT_EQ(position_of(*simulation, body).x, is_moving ? 7 : 0);
  }
}

TEST(SceneSensors, AreInvisible) {
  const auto simulation = simulate(crate_over_gate({}));
  EXPECT_TRUE(simulation->world_def().bodies[2].shapes.empty());
  EXPECT_EQ(simulation->world_def().bodies[2].id, gate_id);
}

}  // namespace
}  // namespace jostle::sim
