#include "shared/sim/time_control.h"

#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::sim {
namespace {

using state::ControlKind;

int steps_in(TimeControl& time, int ticks) {
  int steps = 0;
  for (int i = 0; i < ticks; ++i)
    steps += time.advance();
  return steps;
}

TEST(TimeControl, PauseStopsAndStepAdvancesTheWorld) {
  TimeControl time;
  EXPECT_EQ(steps_in(time, 10), 10);
  time.apply({ControlKind::Pause, 0});
  EXPECT_EQ(steps_in(time, 10), 0);
  time.apply({ControlKind::Step, 3});
  EXPECT_EQ(steps_in(time, 10), 3);
  time.apply({ControlKind::Resume, 0});
  EXPECT_EQ(steps_in(time, 10), 10);
}

TEST(TimeControl, SlowMotionSkipsStepsEvenly) {
  TimeControl time;
  time.apply({ControlKind::Rate, 25});
  EXPECT_EQ(steps_in(time, 400), 100);
  EXPECT_EQ(steps_in(time, 4), 1);
  time.apply({ControlKind::Rate, 0});
  EXPECT_EQ(steps_in(time, 100), 1) << "the slowest rate is 1 %";
}

TEST(TimeControl, FastForwardMakesSeveralStepsPerTick) {
  TimeControl time(250);
  EXPECT_EQ(time.advance(), 2);
  EXPECT_EQ(time.advance(), 3);
  EXPECT_EQ(steps_in(time, 400), 1000);
  time.apply({ControlKind::Rate, 100'000});
  EXPECT_EQ(steps_in(time, 10), 100) << "the fastest rate is 1,000 %";
}

TEST(TimeControl, SurvivesSaveAndRestore) {
  TimeControl time(730), copy;
  (void)time.advance();
  base::ByteWriter writer;
  time.save(writer);
  base::ByteReader reader(writer.bytes());
  copy.restore(reader);
  ASSERT_TRUE(reader.ok() && reader.at_end());
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(time.advance(), copy.advance());
}

/// Returns a scene at `percent` percent of the normal speed, whose crate moves along x at 3 m/s
/// without gravity and rotates.
scene::SceneDef drifting(int percent) {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {};
  scene.world.time_percent = percent;
  scene.bodies[1].pose.position = {0, 10, 0};
  scene.bodies[1].linear_velocity = {3, 0, 0};
  scene.bodies[1].angular_velocity = {0, 2, 0};
  return scene;
}

const state::BodyState& crate_in(const state::Snapshot& picture) {
  return picture.bodies.front();
}

// In every tick, the crate in snapshots moves by as much as the simulated time advances, and its
// velocity matches this motion.
TEST(TimeControl, SnapshotsMoveEvenlyAtEverySpeed) {
  for (const int percent : {10, 25, 60, 100, 300}) {
    const auto simulation = simulate(drifting(percent));
    step_many(*simulation, 20);
    const double way = 3.0 * percent / 100 / 60;
    for (int i = 0; i < 40; ++i) {
      const state::BodyState before = crate_in(simulation->capture());
      step(*simulation);
      const state::BodyState after = crate_in(simulation->capture());
      ASSERT_NEAR(after.pose.position.x - before.pose.position.x, way, 1e-4 * way + 1e-6)
          << percent;
      ASSERT_NEAR(after.linear_velocity.x / 60, way, 1e-5);
      const math::Quat turn = after.pose.rotation * math::conjugate(before.pose.rotation);
      ASSERT_NEAR(turn.y, std::sin(2.0 * percent / 100 / 60 / 2), 1e-5) << percent;
    }
  }
}

// The world makes the same steps at every speed.
TEST(TimeControl, SpeedDoesNotChangeTheSteps) {
  const auto place_after = [](int percent, int ticks) {
    const auto simulation = simulate(drifting(percent));
    step_many(*simulation, ticks);
    return position_of(*simulation, crate_id);
  };
  EXPECT_EQ(place_after(100, 60), place_after(25, 240));
  EXPECT_EQ(place_after(100, 60), place_after(300, 20));
}

TEST(TimeControl, TeleportsAreNotInterpolated) {
  scene::SceneDef scene = drifting(10);
  scene::SceneBody gate;
  gate.motion = state::MotionType::Static;
  gate.pose.position = {0, 10, 0};
  gate.shapes = scene.bodies[1].shapes;
  gate.shapes[0].is_sensor = true;
  gate.on_enter = scene::SceneEntry{math::Position{50, 10, 0}};
  scene.bodies.push_back(gate);
  const auto simulation = simulate(scene);
  for (int i = 0; i < 40; ++i) {
    step(*simulation);
    const double x = crate_in(simulation->capture()).pose.position.x;
    EXPECT_TRUE(x < 1 || x == 50) << x;
  }
  EXPECT_EQ(crate_in(simulation->capture()).pose.position.x, 50);
}

// A push during fast forward is applied once.
TEST(TimeControl, ActionsHappenOnceInATickOfSeveralSteps) {
  const auto speed_at = [](int percent) {
    scene::SceneDef scene = drifting(percent);
    scene.bodies[1].linear_velocity = {};
    scene.bodies[1].angular_velocity = {};
    const auto simulation = simulate(scene);
    step(*simulation, {state::JoinCommand{ann, "Ann"}});
    step(*simulation, {input_of(ann, {{state::ActionKind::Push, crate_id, {}, {0, 100, 0}}})});
    return velocity_of(*simulation, crate_id).y;
  };
  EXPECT_FLOAT_EQ(speed_at(1000), speed_at(100));
}

TEST(TimeControl, TicksAdvanceWhilePaused) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step(*simulation, {state::ControlCommand{ControlKind::Pause, 0}});
  const math::Position before = position_of(*simulation, simulation->player_body(ann));
  const std::uint32_t tick = simulation->tick().number;
  for (int i = 0; i < 30; ++i)
    step(*simulation, {input_of(ann, {}, 1, 0)});
  EXPECT_EQ(simulation->tick().number, tick + 30);
  EXPECT_EQ(position_of(*simulation, simulation->player_body(ann)), before);
}

TEST(TimeControl, ActionsInSlowMotionWaitForTheNextStep) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}, state::ControlCommand{ControlKind::Rate, 10}});
  step(*simulation, {input_of(ann, {{state::ActionKind::Push, crate_id, {}, {0, 200, 0}}})});
  EXPECT_EQ(velocity_of(*simulation, crate_id).y, 0.0f);
  step_many(*simulation, 10);
  EXPECT_GT(velocity_of(*simulation, crate_id).y, 1.0f);
}

}  // namespace
}  // namespace jostle::sim
