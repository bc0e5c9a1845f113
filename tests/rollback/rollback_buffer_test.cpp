#include "shared/rollback/rollback_buffer.h"

#include "shared/sim/random_inputs.h"
#include "tests/rollback/gallery_scene.h"

#include <gtest/gtest.h>

#include <map>

namespace jostle::rollback {
namespace {

/// A scene after `ticks` ticks. `history` keeps at least the newest `kept_ticks` of them.
struct Played {
  Played(const std::string& scene, std::uint32_t ticks, std::uint32_t kept_ticks)
      : simulation(gallery_scene(scene)), history(kept_ticks) {
    history.keep(simulation);
    hashes[0] = simulation.hash().total;
    for (std::uint32_t i = 0; i < ticks; ++i)
      step();
  }
  void step() {
    const state::TickCommands commands = players.next(simulation);
    simulation.step(commands);
    history.keep(simulation, commands);
    hashes[simulation.tick().number] = simulation.hash().total;
  }

  sim::Simulation simulation;
  RollbackBuffer history;
  sim::RandomInputs players{9, 2};
  std::map<std::uint32_t, std::uint64_t> hashes;
};

TEST(RollbackBuffer, RestoresEveryTickThatItKeeps) {
  const Played played("joints", 60, 30);
  sim::Simulation other = gallery_scene("joints");
  const std::uint32_t oldest = played.history.oldest()->number;
  EXPECT_EQ(played.history.newest()->number, 60U);
  EXPECT_LE(oldest, 30U);
  EXPECT_GT(oldest, 30U - 8U);
  // Restore the ticks in arbitrary order.
  for (std::uint32_t i = 0; oldest + i <= 60; ++i) {
    const std::uint32_t tick = oldest + (i * 17) % (61 - oldest);
    ASSERT_TRUE(played.history.go_back({tick}, other)) << tick;
    EXPECT_EQ(other.tick().number, tick);
    EXPECT_EQ(other.hash().total, played.hashes.at(tick)) << tick;
  }
}

TEST(RollbackBuffer, SimulatesTheSameAgainFromARestoredState) {
  const Played played("ragdolls", 50, 40);
  sim::Simulation other = gallery_scene("ragdolls");
  ASSERT_TRUE(played.history.go_back({20}, other));
  while (other.tick() < played.simulation.tick()) {
    const state::TickCommands* commands = played.history.commands_of(other.tick() + 1);
    ASSERT_NE(commands, nullptr);
    other.step(*commands);
    ASSERT_EQ(other.hash().total, played.hashes.at(other.tick().number)) << other.tick().number;
  }
}

TEST(RollbackBuffer, RestoresTheRecordedSimulationItself) {
  Played played("crates", 30, 10);
  const std::uint64_t before = played.hashes.at(25);
  ASSERT_TRUE(played.history.go_back({25}, played.simulation));
  EXPECT_EQ(played.simulation.hash().total, before);
}

TEST(RollbackBuffer, LeavesTheSimulationUnchangedIfTheTickIsNotKept) {
  Played played("crates", 60, 10);
  const std::uint64_t now = played.simulation.hash().total;
  for (const std::uint32_t tick : {0U, played.history.oldest()->number - 1, 61U}) {
    EXPECT_FALSE(played.history.go_back({tick}, played.simulation)) << tick;
    EXPECT_EQ(played.history.commands_of({tick}), nullptr) << tick;
  }
  EXPECT_EQ(played.simulation.hash().total, now);
}

TEST(RollbackBuffer, RestartsWhenATickIsLeftOut) {
  Played played("crates", 20, 30);
  played.simulation.step(played.players.next(played.simulation));
  played.step();
  EXPECT_EQ(played.history.oldest()->number, 22U);
  EXPECT_EQ(played.history.newest()->number, 22U);
  played.history.clear();
  EXPECT_FALSE(played.history.oldest().has_value());
  EXPECT_FALSE(played.history.newest().has_value());
}

TEST(RollbackBuffer, TakesLessThanAThirdOfFullStates) {
  const Played played("katamari", 64, 64);
  base::ByteWriter whole;
  played.simulation.save(whole);
  const std::size_t states = 65;
  EXPECT_LT(played.history.bytes_held(), states * whole.size() / 3);
  EXPECT_GT(played.history.bytes_held(), whole.size());
}

}  // namespace
}  // namespace jostle::rollback
