#include "shared/record/replay_cursor.h"

#include "shared/base/random.h"
#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

namespace jostle::record {
namespace {

constexpr std::uint32_t tick_count = 1'300;  // three blocks

sim::Simulation tower() {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/tower.scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return {*scene::parse_scene(text, "tower"), {60, 3}, sim::default_rules()};
}

/// Records a player who shoots every 100 ticks. A one-bit fault is injected after tick
/// `fault_after`, unless it is 0.
Recording record_tower(std::uint32_t fault_after) {
  sim::Simulation simulation = tower();
  std::vector<std::byte> bytes;
  RecordingWriter writer(simulation, rule_names(sim::default_rules()), "tower",
                         [&](std::span<const std::byte> part) {
                           bytes.insert(bytes.end(), part.begin(), part.end());
                           return true;
                         });
  base::Random random(4);
  for (std::uint32_t i = 1; i <= tick_count; ++i) {
    state::TickCommands commands{{i}, {}};
    if (i == 1) commands.commands.emplace_back(state::JoinCommand{{1}, "Ann"});
    if (i % 100 == 0) {
      state::PlayerInput input;
      input.tick = {i};
      input.actions.push_back(
          {state::ActionKind::Shoot, {}, {random.between(-2.0f, 2.0f), 3, 8}, {0, 0, -15}});
      commands.commands.emplace_back(state::InputCommand{{1}, input});
    }
    simulation.step(commands);
    std::vector<RecordedFault> faults;
    if (i == fault_after) faults.push_back({{14}, "position.x"});
    for (const RecordedFault& fault : faults)
      EXPECT_TRUE(simulation.flip_lowest_bit(fault.body, fault.field));
    writer.add_tick(commands, simulation, faults);
  }
  writer.close(simulation);
  return *read_recording(bytes);
}

/// Returns the recording without a fault. The tests share it, because recording it takes most of
/// their time.
const Recording& recorded() {
  static const Recording recording = record_tower(0);
  return recording;
}

std::map<std::uint32_t, std::uint64_t> hashes_of(const Recording& recording) {
  std::map<std::uint32_t, std::uint64_t> hashes;
  for (const RecordedBlock& block : recording.blocks)
    for (const RecordedTick& tick : block.ticks)
      hashes[tick.commands.tick.number] = tick.hash.total;
  return hashes;
}

void go_to(ReplayCursor& tape, std::uint32_t tick) {
  tape.seek({tick});
  while (tape.advance()) {
  }
}

TEST(ReplayCursor, ReproducesTheRecordedStateInAnyTick) {
  const Recording& recording = recorded();
  const auto hashes = hashes_of(recording);
  // Test with enough memory for all saved states, and with too little memory for most of them.
  for (const std::size_t room : {ReplayCursor::default_kept_bytes, std::size_t{200'000}}) {
    auto tape = ReplayCursor::create(recording, room);
    ASSERT_TRUE(tape) << tape.error();
    EXPECT_EQ((*tape)->first(), state::Tick{0});
    EXPECT_EQ((*tape)->last(), state::Tick{tick_count});
    EXPECT_EQ((*tape)->keyframes(), (std::vector<state::Tick>{{0}, {600}, {1'200}}));
    base::Random random(8);
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t tick = 1 + random.below(tick_count);
      go_to(**tape, tick);
      ASSERT_EQ((*tape)->simulation().tick(), state::Tick{tick});
      EXPECT_EQ((*tape)->simulation().hash().total, hashes.at(tick));
      go_to(**tape, tick - 1);  // goes back by one tick
      if (tick > 1) {
        EXPECT_EQ((*tape)->simulation().hash().total, hashes.at(tick - 1));
      }
    }
    EXPECT_TRUE((*tape)->diverged().empty());
    go_to(**tape, tick_count + 500);
    EXPECT_EQ((*tape)->simulation().tick(), state::Tick{tick_count});
    EXPECT_FALSE((*tape)->advance());
  }
}

TEST(ReplayCursor, SteppingBackReplaysFewTicks) {
  auto tape = ReplayCursor::create(recorded());
  ASSERT_TRUE(tape);
  go_to(**tape, 590);
  (*tape)->seek({589});
  int ticks = 0;
  while ((*tape)->simulation().tick() != state::Tick{589}) {
    (*tape)->advance();
    ++ticks;
  }
  EXPECT_LE(ticks, 30);
}

TEST(ReplayCursor, MarksTicksThatDivergeFromTheRecording) {
  Recording recording = recorded();
  // From tick 651 on, the replay differs from the recording, until a saved state of the recording
  // is restored.
  recording.blocks[1].ticks[50].faults.push_back({{14}, "position.x"});
  auto tape = ReplayCursor::create(recording);
  ASSERT_TRUE(tape);
  go_to(**tape, 700);
  EXPECT_EQ((*tape)->diverged(), (std::vector<TickRange>{{{651}, {700}}}));
  go_to(**tape, tick_count);
  EXPECT_EQ((*tape)->diverged().front().first, state::Tick{651});
  // Seeking to tick 1,250 restores the saved state of tick 1,200. The ticks that were marked before
  // stay marked.
  go_to(**tape, 1'150);
  go_to(**tape, 1'250);
  EXPECT_EQ((*tape)->diverged().front().first, state::Tick{651});
}

// Checks the last tick of a block, which is followed by another saved state.
TEST(ReplayCursor, MarksADivergentTickBeforeAKeyframe) {
  Recording recording = recorded();
  recording.blocks[0].ticks[599].hash.parts[0] ^= 1;
  auto tape = ReplayCursor::create(recording);
  ASSERT_TRUE(tape);
  go_to(**tape, 595);
  for (std::uint32_t tick = 596; tick <= 603; ++tick) {
    go_to(**tape, tick);
    EXPECT_EQ((*tape)->matches_recording(), tick != 600) << tick;
  }
  EXPECT_EQ((*tape)->diverged(), (std::vector<TickRange>{{{600}, {600}}}));
}

TEST(ReplayCursor, KeepsADivergentStateAcrossKeyframesDuringPlayback) {
  Recording recording = recorded();
  recording.blocks[0].ticks[590].faults.push_back({{14}, "position.x"});
  auto tape = ReplayCursor::create(recording);
  ASSERT_TRUE(tape);
  for (std::uint32_t tick = 580; tick <= 700; ++tick)
    go_to(**tape, tick);
  EXPECT_EQ((*tape)->diverged(), (std::vector<TickRange>{{{591}, {700}}}));
  // Seeking from a distant tick restores the saved state of tick 600.
  go_to(**tape, 0);
  go_to(**tape, 605);
  EXPECT_EQ((*tape)->matches_recording(), true);
}

TEST(ReplayCursor, IgnoresAKeyframeOfAnotherTick) {
  Recording recording = recorded();
  recording.blocks[1].state_before = recording.blocks[2].state_before;
  auto tape = ReplayCursor::create(recording);
  ASSERT_TRUE(tape);
  go_to(**tape, 1'000);
  EXPECT_EQ((*tape)->matches_recording(), true);
  EXPECT_TRUE((*tape)->diverged().empty());
}

TEST(DifferingTicks, StartAtTheFirstDifferenceAndRejectOtherScenes) {
  const Recording &a = recorded(), b = record_tower(777);
  EXPECT_TRUE(differing_ticks(a, a)->empty());
  const auto ranges = differing_ticks(a, b);
  ASSERT_TRUE(ranges) << ranges.error();
  ASSERT_FALSE(ranges->empty());
  EXPECT_EQ(ranges->front().first, state::Tick{777});
  Recording other = a;
  other.header.scene_hash += 1;
  EXPECT_NE(differing_ticks(a, other).error().find("different scenes"), std::string::npos);
}

}  // namespace
}  // namespace jostle::record
