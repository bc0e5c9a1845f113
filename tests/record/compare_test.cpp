// Tests of the comparison of two recordings of one run, one of them with an injected fault.
#include "shared/record/compare.h"

#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"

#include <gtest/gtest.h>

#include <functional>

namespace jostle::record {
namespace {

constexpr std::string_view compared_scene = R"({
  "name": "compared",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "crate", "position": [0, 2, 0], "shape": { "box": { "size": [1, 1, 1] } } },
    { "name": "lid", "position": [0.1, 3.2, 0], "shape": { "box": { "size": [1, 0.4, 1] } } },
    { "name": "ball", "position": [0.2, 4, 0], "shape": { "sphere": { "radius": 0.4 } } }
  ],
  "spawns": [ { "position": [3, 1, 0] }, { "position": [-3, 1, 0] } ]
})";

struct Run {
  int ticks = 700;
  std::uint64_t seed = 9, player_seed = 3;
  std::string_view text = compared_scene;
  /// Tick after which the fault is injected. If it is 0, no fault is injected.
  std::uint32_t fault_tick = 0;
  RecordedFault fault{{3}, "linear_velocity.y"};
  bool is_recorded = true;  // true: the fault is stored in the recording
};

Recording record(const Run& run) {
  auto scene = scene::parse_scene(run.text, "compared.scene.json");
  EXPECT_TRUE(scene.has_value());
  sim::Simulation simulation(*std::move(scene), {60, run.seed}, sim::default_rules());
  std::vector<std::byte> bytes;
  RecordingWriter writer(simulation, rule_names(sim::default_rules()), "compared.scene.json",
                         [&](std::span<const std::byte> part) {
                           bytes.insert(bytes.end(), part.begin(), part.end());
                           return true;
                         });
  sim::RandomInputs players(run.player_seed, 2);
  for (int i = 0; i < run.ticks; ++i) {
    const state::TickCommands commands = players.next(simulation);
    simulation.step(commands);
    std::vector<RecordedFault> faults;
    if (simulation.tick().number == run.fault_tick) {
      EXPECT_TRUE(simulation.flip_lowest_bit(run.fault.body, run.fault.field));
      if (run.is_recorded) faults.push_back(run.fault);
    }
    writer.add_tick(commands, simulation, faults);
  }
  writer.close(simulation);
  auto recording = read_recording(bytes);
  EXPECT_TRUE(recording.has_value()) << (recording ? "" : recording.error().text());
  return *std::move(recording);
}

TEST(CompareRecordings, TwoRecordingsOfTheSameRunAreEqual) {
  const auto compared = compare(record({}), record({}));
  ASSERT_TRUE(compared.has_value());
  EXPECT_TRUE(compared->is_equal());
  EXPECT_EQ(compared->ticks_compared, 700U);
}

TEST(CompareRecordings, LocatesAFaultOfOneUlpByTickBodyAndField) {
  for (const std::uint32_t tick : {1U, 37U, 600U, 601U, 650U}) {
    for (const char* const field : {"linear_velocity.y", "position.x", "angular_momentum.z"}) {
      SCOPED_TRACE(std::string(field) + " in tick " + std::to_string(tick));
      const auto compared =
          compare(record({}), record({.fault_tick = tick, .fault = {{3}, field}}));
      ASSERT_TRUE(compared.has_value());
      ASSERT_TRUE(compared->hashes_differ.has_value());
      EXPECT_EQ(compared->hashes_differ->number, tick);
      EXPECT_EQ(compared->states_at, compared->hashes_differ);
      EXPECT_TRUE(compared->is_fault);
      ASSERT_EQ(compared->states.number_count, 1U);
      const NumberDifference& difference = compared->states.numbers[0];
      EXPECT_EQ(difference.where, "body 3 \"lid\"");
      EXPECT_EQ(difference.a.field(), field);
      EXPECT_EQ(difference.ulps, 1U);
      EXPECT_EQ(compared->states.bodies, std::vector<state::BodyId>{{3}});
      EXPECT_FALSE(compared->states.rules_differ);
    }
  }
}

TEST(CompareRecordings, ComparesTheNextSavedStatesAfterAnUnrecordedFault) {
  const auto compared = compare(
      record({.ticks = 1300}),
      record(
          {.ticks = 1300, .fault_tick = 1190, .fault = {{3}, "position.x"}, .is_recorded = false}));
  ASSERT_TRUE(compared.has_value());
  ASSERT_TRUE(compared->hashes_differ.has_value());
  EXPECT_EQ(compared->hashes_differ->number, 1190U);
  EXPECT_FALSE(compared->inputs_differ.has_value());
  EXPECT_FALSE(compared->why_no_states.empty());
  ASSERT_TRUE(compared->states_at.has_value());
  EXPECT_EQ(compared->states_at->number, 1200U);
  EXPECT_GT(compared->states.number_count, 0U);
}

// Both ring recordings may start after the runs have diverged.
TEST(CompareRecordings, DetectsDifferentInitialStates) {
  Recording a = record({}), b = record({.fault_tick = 600});
  a.blocks.erase(a.blocks.begin());
  b.blocks.erase(b.blocks.begin());
  auto compared = compare(a, b);
  ASSERT_TRUE(compared.has_value());
  EXPECT_EQ(compared->hashes_differ, state::Tick{601});
  EXPECT_EQ(compared->before, RecordingComparison::Before::Differs);
  EXPECT_EQ(cause_of(*compared),
            "different initial states: this is the first tick of both recordings");
  compared = compare(record({}), b);
  ASSERT_TRUE(compared.has_value());
  EXPECT_EQ(compared->before, RecordingComparison::Before::Differs);
  EXPECT_EQ(cause_of(*compared),
            "the states before it already differ: tick 601 is the first tick that both recordings "
            "have");
  // Here, one recording starts earlier and has no saved state at tick 601.
  Recording earlier = record({});
  earlier.blocks[0].ticks.insert(earlier.blocks[0].ticks.end(), earlier.blocks[1].ticks.begin(),
                                 earlier.blocks[1].ticks.end());
  earlier.blocks.pop_back();
  compared = compare(earlier, b);
  ASSERT_TRUE(compared.has_value());
  EXPECT_EQ(compared->before, RecordingComparison::Before::NotKnown);
  EXPECT_EQ(cause_of(*compared),
            "unknown, because one recording has no saved state before this tick, the first that "
            "both have");
  compared = compare(record({}), record({.fault_tick = 600}));
  EXPECT_EQ(compared->before, RecordingComparison::Before::Same);
}

// The saved state of a block belongs to another tick here, so it cannot be used.
TEST(CompareRecordings, DoesNotUseASavedStateOfAnotherTick) {
  Recording a = record({}), b = record({.fault_tick = 650});
  a.blocks[1].state_before = b.blocks[1].state_before = a.blocks[0].state_before;
  const auto compared = compare(a, b);
  ASSERT_TRUE(compared.has_value());
  EXPECT_EQ(compared->hashes_differ, state::Tick{650});
  EXPECT_FALSE(compared->states_at);
  EXPECT_FALSE(compared->why_no_states.empty());
}

TEST(CompareRecordings, ReportsTheFirstDifferentInputs) {
  const auto compared = compare(record({}), record({.player_seed = 4}));
  ASSERT_TRUE(compared.has_value());
  ASSERT_TRUE(compared->inputs_differ.has_value());
  ASSERT_TRUE(compared->hashes_differ.has_value());
  EXPECT_LE(*compared->inputs_differ, *compared->hashes_differ);
  EXPECT_FALSE(compared->is_fault);
}

TEST(CompareRecordings, RejectsRecordingsOfDifferentScenes) {
  std::string other(compared_scene);
  other.replace(other.find("[0, 2, 0]"), 9, "[0, 5, 0]");
  const auto compared = compare(record({}), record({.text = other}));
  ASSERT_FALSE(compared.has_value());
  EXPECT_EQ(compared.error(), "the recordings are of different scenes");
}

/// Numbers of lines that only the state `a` or only the state `b` has. own_lines() expects that all
/// these lines are of contacts.
struct OwnLines {
  std::size_t a = 0, b = 0;
};
OwnLines own_lines(const StateComparison& states) {
  OwnLines count;
  for (const NumberDifference& each : states.numbers) {
    EXPECT_FALSE(each.is_only_in_a && each.is_only_in_b);
    if (!each.is_only_in_a && !each.is_only_in_b) continue;
    ++(each.is_only_in_a ? count.a : count.b);
    EXPECT_EQ(each.where.rfind("contact of ", 0), 0U) << each.where;
  }
  return count;
}

/// One box that falls onto the ground, away from the players: states of neighbouring ticks differ
/// in few numbers.
constexpr const char* lone_box = R"({
  "name": "lone_box", "spawns": [{"position": [0, 500, 0]}],
  "bodies": [
    {"name": "ground", "position": [0, -0.5, 0], "motion_type": "static",
     "shape": {"box": {"size": [20, 1, 20]}}},
    {"name": "box", "position": [0, 1, 0], "shape": {"box": {"size": [1, 1, 1]}}}
  ]
})";

TEST(CompareRecordings, FindsContactsThatOnlyOneStateHas) {
  auto recording = record({.ticks = 120, .text = lone_box});
  auto a = start_replay(recording), b = start_replay(recording);
  int ticks_with_own_lines = 0;
  for (std::size_t i = 0; i < 120; ++i) {
    SCOPED_TRACE(testing::Message() << "tick " << i);
    replay_tick(recording.blocks[0].ticks[i], **a);
    if (i > 0) replay_tick(recording.blocks[0].ticks[i - 1], **b);
    const StateComparison states = compare(**a, **b);
    if (states.number_count > max_numbers) continue;
    // compare() must match the common lines, although a line that only one listing has shifts the
    // following lines.
    const OwnLines own = own_lines(states), mirrored = own_lines(compare(**b, **a));
    EXPECT_EQ((*a)->world().dump_state().size() - own.a, (*b)->world().dump_state().size() - own.b);
    EXPECT_EQ(mirrored.a, own.b);
    EXPECT_EQ(mirrored.b, own.a);
    if (own.a > 0 || own.b > 0) ++ticks_with_own_lines;
  }
  EXPECT_GT(ticks_with_own_lines, 0);
}

}  // namespace
}  // namespace jostle::record
