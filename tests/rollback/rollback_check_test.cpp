#include "shared/rollback/rollback_check.h"

#include "shared/sim/random_inputs.h"
#include "tests/rollback/gallery_scene.h"

#include <gtest/gtest.h>

namespace jostle::rollback {
namespace {

class RollbackCheckOfScene : public testing::TestWithParam<const char*> {};

TEST_P(RollbackCheckOfScene, FindsNoMismatch) {
  sim::Simulation simulation = gallery_scene(GetParam());
  RollbackCheck check(gallery_scene(GetParam()), 8);
  EXPECT_FALSE(check.check(simulation, {}).has_value());
  sim::RandomInputs players(4, 2);
  for (int i = 0; i < 90; ++i) {
    const state::TickCommands commands = players.next(simulation);
    simulation.step(commands);
    ASSERT_FALSE(check.check(simulation, commands).has_value()) << simulation.tick().number;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RollbackCheckOfScene,
                         testing::Values("cars", "joints", "particles", "sorter", "walk", "wall"));

TEST(RollbackCheck, CatchesUpAfterEachRollback) {
  sim::Simulation simulation = gallery_scene("crates");
  RollbackCheck check(gallery_scene("crates"), 5);
  std::uint32_t steps = 0;
  EXPECT_FALSE(check.check(simulation, {}).has_value());
  for (std::uint32_t tick = 1; tick <= 12; ++tick) {
    const state::TickCommands commands{{tick}, {}};
    simulation.step(commands);
    EXPECT_FALSE(check.check(simulation, commands).has_value());
    steps = tick;
  }
  EXPECT_EQ(check.replayed().tick().number, steps);
}

// The test changes a body outside of the commands, so a replay does not repeat the change. State
// that a save omits has the same effect.
TEST(RollbackCheck, ReportsAStateThatNoReplayReproduces) {
  sim::Simulation simulation = gallery_scene("crates");
  RollbackCheck check(gallery_scene("crates"), 8);
  sim::RandomInputs players(4, 2);
  EXPECT_FALSE(check.check(simulation, {}).has_value());
  for (int i = 0; i < 20; ++i) {
    const state::TickCommands commands = players.next(simulation);
    simulation.step(commands);
    ASSERT_FALSE(check.check(simulation, commands).has_value());
  }
  const state::TickCommands commands = players.next(simulation);
  simulation.step(commands);
  const state::BodyId body = simulation.world_def().bodies.back().id;
  ASSERT_TRUE(simulation.flip_lowest_bit(body, "linear_velocity.x"));
  const auto mismatch = check.check(simulation, commands);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->tick, simulation.tick());
  EXPECT_EQ(mismatch->played, simulation.hash());
  EXPECT_EQ(mismatch->replayed, check.replayed().hash());
  EXPECT_NE(mismatch->played.world.bodies, mismatch->replayed.world.bodies);
  EXPECT_EQ(mismatch->played.rules, mismatch->replayed.rules);
}

}  // namespace
}  // namespace jostle::rollback
