// Tests of the recording of the newest ticks, kept in memory and saved later.
#include "shared/record/ring_recorder.h"

#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace jostle::record {
namespace {

constexpr std::string_view recent_scene = R"({
  "name": "recent",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "crate", "position": [0, 2, 0], "shape": { "box": { "size": [1, 1, 1] } } }
  ],
  "spawns": [ { "position": [3, 1, 0] }, { "position": [-3, 1, 0] } ]
})";

scene::SceneDef scene_of(std::string_view text) {
  auto scene = scene::parse_scene(text, "recent.scene.json");
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().text());
  return *std::move(scene);
}

/// A run of random players whose newest ticks are kept.
struct Kept {
  explicit Kept(const RingRecorder::Options& options)
      : simulation(scene_of(recent_scene), sim::SimulationOptions{60, 9}, sim::default_rules()),
        run(rule_names(sim::default_rules()), options) {
    run.begin(simulation, "recent.scene.json");
  }
  void play(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      const state::TickCommands commands = players.next(simulation);
      simulation.step(commands);
      run.add_tick(commands, simulation);
    }
  }

  sim::Simulation simulation;
  sim::RandomInputs players{3, 2};
  RingRecorder run;
};

/// Checks that `saved` is a complete recording of the ticks that it states, and that a replay
/// agrees with it.
void expect_replays(const RingRecorder::Saved& saved, std::uint32_t last_tick) {
  const auto recording = read_recording(saved.bytes);
  ASSERT_TRUE(recording.has_value()) << recording.error().text();
  EXPECT_TRUE(recording->is_closed);
  ASSERT_FALSE(recording->blocks.empty());
  EXPECT_EQ(recording->tick_count(), saved.tick_count);
  EXPECT_EQ(recording->blocks.front().ticks.front().commands.tick.number, saved.first_tick);
  EXPECT_EQ(recording->blocks.back().ticks.back().commands.tick.number, last_tick);
  auto simulation = start_replay(*recording);
  ASSERT_TRUE(simulation.has_value()) << simulation.error();
  const VerifyReport report = verify(*recording, **simulation);
  EXPECT_FALSE(report.divergence.has_value())
      << parts_that_differ(report.divergence->recorded, report.divergence->replayed);
  EXPECT_EQ(report.ticks, saved.tick_count);
}

TEST(RingRecorder, KeepsTheRequestedTicksAndAtMostOneBlockMore) {
  Kept kept({.ticks = 700});
  kept.play(2'500);
  const RingRecorder::Saved saved = kept.run.save(kept.simulation);
  EXPECT_GE(saved.tick_count, 700U);
  EXPECT_LT(saved.tick_count, 700 + ticks_per_block);
  expect_replays(saved, 2'500);
}

TEST(RingRecorder, ContinuesAfterASave) {
  Kept kept({.ticks = 700});
  kept.play(650);
  expect_replays(kept.run.save(kept.simulation), 650);
  kept.play(1'000);
  const RingRecorder::Saved saved = kept.run.save(kept.simulation);
  EXPECT_GE(saved.tick_count, 700U);
  expect_replays(saved, 1'650);
}

TEST(RingRecorder, KeepsAllOfAShortRun) {
  Kept kept({.ticks = 700});
  EXPECT_EQ(kept.run.save(kept.simulation).tick_count, 0U);
  kept.play(10);
  const RingRecorder::Saved saved = kept.run.save(kept.simulation);
  EXPECT_EQ(saved.first_tick, 1U);
  EXPECT_EQ(saved.tick_count, 10U);
  expect_replays(saved, 10);
}

TEST(RingRecorder, KeepsAtLeastOneBlockAndAtMostItsByteLimit) {
  Kept kept({.ticks = 100'000, .max_bytes = 1});
  kept.play(2'450);
  const std::size_t one_block = kept.run.bytes_held();
  EXPECT_GT(one_block, 1U);
  kept.play(600);
  EXPECT_LT(kept.run.bytes_held(), 2 * one_block);
  const RingRecorder::Saved saved = kept.run.save(kept.simulation);
  EXPECT_EQ(saved.tick_count, 50U);
  expect_replays(saved, 3'050);
}

TEST(RingRecorder, RestartsWithAnotherScene) {
  Kept kept({.ticks = 700});
  kept.play(20);
  std::string other(recent_scene);
  other.replace(other.find("[0, 2, 0]"), 9, "[0, 7, 0]");
  kept.simulation.load(scene_of(other));
  kept.simulation.step(kept.players.next(kept.simulation));
  kept.run.begin(kept.simulation, "other.scene.json");
  kept.play(30);
  const RingRecorder::Saved saved = kept.run.save(kept.simulation);
  EXPECT_EQ(saved.tick_count, 30U);
  EXPECT_EQ(saved.first_tick, 22U);
  expect_replays(saved, 51);
}

}  // namespace
}  // namespace jostle::record
