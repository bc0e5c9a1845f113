#include "shared/sim/time_control.h"

#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

using state::ControlKind;

int steps_in(TimeControl& time, int ticks) {
  int steps = 0;
  for (int i = 0; i < ticks; ++i)
    steps += time.advance() ? 1 : 0;
  return steps;
}

TEST(TimeControl, PauseStopsTheWorldStepMovesItOn) {
  TimeControl time;
  EXPECT_EQ(steps_in(time, 10), 10);
  time.apply({ControlKind::Pause, 0});
  EXPECT_EQ(steps_in(time, 10), 0);
  time.apply({ControlKind::Step, 3});
  EXPECT_EQ(steps_in(time, 10), 3);
  time.apply({ControlKind::Resume, 0});
  EXPECT_EQ(steps_in(time, 10), 10);
}

TEST(TimeControl, RateLeavesTicksOutEvenly) {
  TimeControl time;
  time.apply({ControlKind::Rate, 25});
  EXPECT_EQ(steps_in(time, 400), 100);
  EXPECT_EQ(steps_in(time, 4), 1);
  time.apply({ControlKind::Rate, 0});
  EXPECT_EQ(steps_in(time, 100), 1) << "the slowest rate is 1 %";
}

TEST(TimeControl, TicksGoOnWhileTheWorldStands) {
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

TEST(TimeControl, PushInSlowMotionWaitsForTheNextStep) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}, state::ControlCommand{ControlKind::Rate, 10}});
  step(*simulation, {input_of(ann, {{state::ActionKind::Push, crate_id, {}, {0, 200, 0}}})});
  EXPECT_EQ(velocity_of(*simulation, crate_id).y, 0.0f);
  step_many(*simulation, 10);
  EXPECT_GT(velocity_of(*simulation, crate_id).y, 1.0f);
}

}  // namespace
}  // namespace jostle::sim
