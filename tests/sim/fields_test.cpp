#include "shared/sim/random_inputs.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <numbers>

namespace jostle::sim {
namespace {

using namespace forces;

/// Returns `small_scene` with its crate floating in zero gravity.
scene::SceneDef floating_crate() {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {};
  scene.bodies[1].pose.position = {0, 10, 0};
  return scene;
}

TEST(SceneFields, ActFromTheFirstTick) {
  scene::SceneDef scene = floating_crate();
  scene.fields = {{Acceleration{{}, {6, 0, 0}}, {}}, {Thrust{{0, 0, 600}, {}, {}, false}, 1U}};
  const auto simulation = simulate(scene);
  EXPECT_EQ(simulation->world().force_field_count(), 2U);
  step(*simulation);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).x, 0.1, 1e-6);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).z, 0.1, 1e-6);
}

TEST(SceneFields, ActOnChargesButNotOnBodiesThatIgnoreFields) {
  scene::SceneDef scene = floating_crate();
  scene.bodies.push_back(scene.bodies[1]);
  scene.bodies[2].name = "other";
  scene.bodies[2].pose.position = {5, 10, 0};
  scene.bodies[2].ignores_force_fields = true;
  scene.bodies[1].charge = 2;
  scene.bodies[2].charge = 4;
  scene.fields = {{Charges{{250, 0, 0, 1}}, {}}};
  const auto simulation = simulate(scene);
  step(*simulation);
  // The force is 250·2·4/5 N on 100 kg.
  EXPECT_NEAR(velocity_of(*simulation, crate_id).x, -4.0 / 60, 1e-5);
  EXPECT_EQ(velocity_of(*simulation, {3}), math::Vec3{});
}

TEST(SceneFields, AreRestoredByAReset) {
  scene::SceneDef scene = floating_crate();
  scene.fields = {{Thrust{{600, 0, 0}, {}, {}, false}, 1U}, {Acceleration{{}, {0, 6, 0}}, {}}};
  const auto simulation = simulate(scene);
  step_many(*simulation, 30);
  step(*simulation, {state::ControlCommand{state::ControlKind::Reset, 0}});
  const state::BodyId crate = simulation->world_def().bodies[1].id;
  EXPECT_EQ(simulation->world().force_field_count(), 2U);
  EXPECT_NEAR(velocity_of(*simulation, crate).x, 0.1, 1e-6);
  EXPECT_NEAR(velocity_of(*simulation, crate).y, 0.1, 1e-6);
}

TEST(SceneFields, DoNotWakeBodiesThatStartAsleep) {
  scene::SceneDef scene = small_scene();
  scene.bodies[1].is_awake = false;
  scene.fields = {{Wind{}, {}}, {Fluid{}, {}}};
  const auto simulation = simulate(scene);
  step_many(*simulation, 3);
  EXPECT_FALSE(simulation->world().is_awake(*simulation->find_body(crate_id)));
}

scene::SceneDef blasted_crate(const state::Moments& moments) {
  scene::SceneDef scene = floating_crate();
  scene.explosions = {{{{0, 8, 0}, 3, 200}, moments}};
  return scene;
}

TEST(SceneExplosions, HappenAtTheirTime) {
  const auto simulation = simulate(blasted_crate({0.5, 0, 0}));
  step_many(*simulation, 30);
  EXPECT_EQ(velocity_of(*simulation, crate_id), math::Vec3{});
  step(*simulation);
  // The lower face has 1 m² and is 1.5 m away, so the impulse on the 100 kg is 200·(1 − 1.5/3) N·s.
  EXPECT_NEAR(velocity_of(*simulation, crate_id).y, 1, 1e-5);
  step_many(*simulation, 60);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).y, 1, 1e-5);
}

TEST(SceneExplosions, RepeatPeriodically) {
  scene::SceneDef scene = blasted_crate({0, 2.0 / 60, 3});
  scene.bodies[1].linear_velocity = {0, -1, 0};
  const auto simulation = simulate(scene);
  step(*simulation);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).y, 0, 1e-5);
  step_many(*simulation, 60);
  EXPECT_GT(velocity_of(*simulation, crate_id).y, 1.9f);
  EXPECT_LT(velocity_of(*simulation, crate_id).y, 2.01f);
}

TEST(SceneExplosions, CloserThanAStepAreCombined) {
  const auto simulation = simulate(blasted_crate({0, 0.25 / 60, 2}));
  step(*simulation);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).y, 2, 1e-5);
}

/// Returns a scene with fields of many kinds.
scene::SceneDef scene_of_many_fields() {
  scene::SceneDef scene = small_scene();
  for (int i = 0; i < 12; ++i) {
    scene::SceneBody crate = scene.bodies[1];
    crate.name = "crate " + std::to_string(i);
    crate.pose.position = {1.3 * (i % 4) - 2, 1.7 + 1.1 * i, 0.7 * (i % 3)};
    crate.charge = static_cast<float>(i % 3 - 1);
    scene.bodies.push_back(crate);
  }
  Fluid sea;
  sea.level = 2;
  sea.linear = 1;
  sea.angular = 1;
  scene.fields = {{Pole{{0, 0.5, 0}, {60, 0.2f, 0, 2}}, 3U},
                  {Charges{{200, 0.5f, 0, 2}}, {}},
                  {sea, {}},
                  {Wind{{}, {4, 0, 1}, 1.2f, 1, 0}, {}},
                  {Thrust{{0, 300, 0}, {20, 0, 0}, {}, true}, 5U}};
  scene.explosions = {{{{0, 0, 0}, 6, 300}, {1, 0.7, 0}}};
  return scene;
}

TEST(SceneFields, ContinueIdenticallyFromASave) {
  const auto original = simulate(scene_of_many_fields());
  RandomInputs players(7, 2);
  for (int i = 0; i < 90; ++i)
    original->step(players.next(*original));
  base::ByteWriter saved;
  original->save(saved);
  const auto copy = simulate(scene_of_many_fields());
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(copy->restore(reader));
  for (int i = 0; i < 200; ++i) {
    const state::TickCommands commands = players.next(*original);
    original->step(commands);
    copy->step(commands);
    ASSERT_EQ(copy->hash(), original->hash()) << "tick " << original->tick().number;
  }
  EXPECT_EQ(original->world().stats().quarantined_bodies, 0U);
}

}  // namespace
}  // namespace jostle::sim
