#include "shared/base/bytes.h"
#include "shared/base/crc32c.h"
#include "shared/base/random.h"
#include "shared/compression/compression.h"
#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"

#include <gtest/gtest.h>

namespace jostle::record {
namespace {

constexpr std::string_view recorded_scene = R"({
  "name": "recorded",
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "crate", "position": [0, 2, 0], "shape": { "box": { "size": [1, 1, 1] } } },
    { "name": "ball", "position": [0.2, 4, 0], "shape": { "sphere": { "radius": 0.4 } } }
  ],
  "spawns": [ { "position": [3, 1, 0] }, { "position": [-3, 1, 0] } ]
})";

std::unique_ptr<sim::Simulation> start() {
  auto scene = scene::parse_scene(recorded_scene, "recorded.scene.json");
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().text());
  return std::make_unique<sim::Simulation>(*std::move(scene), sim::SimulationOptions{60, 9},
                                           sim::default_rules());
}

/// Records a run of random players over `ticks` ticks. Closes the recording only if `is_closed` is
/// true.
std::vector<std::byte> record_run(int ticks, bool is_closed,
                                  const std::string& scene_file = "recorded.scene.json") {
  const auto simulation = start();
  std::vector<std::byte> bytes;
  RecordingWriter writer(*simulation, rule_names(sim::default_rules()), scene_file,
                         [&](std::span<const std::byte> part) {
                           bytes.insert(bytes.end(), part.begin(), part.end());
                           return true;
                         });
  sim::RandomInputs players(3, 2);
  for (int i = 0; i < ticks; ++i) {
    const state::TickCommands commands = players.next(*simulation);
    simulation->step(commands);
    writer.add_tick(commands, *simulation);
  }
  if (is_closed) {
    writer.close(*simulation);
  } else {
    writer.flush(*simulation);
  }
  return bytes;
}

TEST(Recording, ContainsTheNameOfTheSceneFileWithoutItsFolders) {
  const auto recording = read_recording(record_run(1, true, "/home/ann/x/own.scene.json"));
  ASSERT_TRUE(recording.has_value()) << recording.error().text();
  EXPECT_EQ(recording->header.scene_file, "own.scene.json");
}

TEST(Recording, ReplayMatchesTheRunInEveryTick) {
  const auto recording = read_recording(record_run(900, true));
  ASSERT_TRUE(recording.has_value()) << recording.error().text();
  EXPECT_TRUE(recording->is_closed);
  EXPECT_EQ(recording->blocks.size(), 2U);
  EXPECT_EQ(recording->tick_count(), 900U);
  auto simulation = start_replay(*recording);
  ASSERT_TRUE(simulation.has_value()) << simulation.error();
  const VerifyReport report = verify(*recording, **simulation);
  EXPECT_FALSE(report.divergence.has_value());
  EXPECT_EQ(report.ticks, 900U);
}

TEST(Recording, AReplayCanStartFromAnyBlock) {
  auto recording = read_recording(record_run(900, true));
  ASSERT_TRUE(recording.has_value());
  recording->blocks.erase(recording->blocks.begin());
  auto simulation = start_replay(*recording);
  ASSERT_TRUE(simulation.has_value()) << simulation.error();
  EXPECT_EQ((*simulation)->tick().number, 600U);
  EXPECT_FALSE(verify(*recording, **simulation).divergence.has_value());
}

TEST(Recording, VerifyLocatesAChangedInput) {
  auto recording = read_recording(record_run(300, true));
  ASSERT_TRUE(recording.has_value());
  RecordedTick& changed = recording->blocks[0].ticks[199];
  changed.commands.commands.insert(changed.commands.commands.begin(),
                                   state::ControlCommand{state::ControlKind::Gravity, 0});
  auto simulation = start_replay(*recording);
  const VerifyReport report = verify(*recording, **simulation);
  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_EQ(report.divergence->tick.number, 200U);
  EXPECT_EQ(report.ticks, 199U);
}

TEST(Recording, VerifyDetectsAWrongSavedState) {
  const auto whole = read_recording(record_run(900, true));
  ASSERT_TRUE(whole.has_value());
  const auto found = [](const Recording& recording) {
    auto simulation = start_replay(recording);
    const VerifyReport report = verify(recording, **simulation);
    EXPECT_EQ(report.is_same(), !report.keyframe_differs);
    EXPECT_FALSE(report.divergence);
    return report.keyframe_differs;
  };
  EXPECT_EQ(found(*whole), std::nullopt);
  Recording recording = *whole;
  recording.blocks[1].state_before.back() ^= std::byte{1};
  EXPECT_EQ(found(recording), state::Tick{601});
  recording = *whole;
  recording.blocks[1].bodies_before[3].hash ^= 1;
  EXPECT_EQ(found(recording), state::Tick{601});
  recording = *whole;
  recording.blocks[1].state_before = recording.blocks[0].state_before;
  EXPECT_EQ(found(recording), state::Tick{601});
}

// Regression found by fuzzing: an additional byte after the first state was not read, and was later
// counted as a divergence.
TEST(Recording, RejectsBytesAfterASavedState) {
  auto recording = read_recording(record_run(300, true));
  ASSERT_TRUE(recording.has_value());
  recording->blocks[0].state_before.push_back(std::byte{0});
  EXPECT_FALSE(start_replay(*recording).has_value());
}

// A damaged section length must not silently discard the following sections.
TEST(Recording, ReportsADamagedSectionLength) {
  std::vector<std::byte> bytes = record_run(900, true);
  const auto length_at = [&](std::size_t section) {
    return static_cast<std::size_t>(bytes[section + 1]) |
           static_cast<std::size_t>(bytes[section + 2]) << 8 |
           static_cast<std::size_t>(bytes[section + 3]) << 16;
  };
  const std::size_t header = 8, first_block = header + 9 + length_at(header) + 4;
  bytes[first_block + 4] ^= std::byte{0x40};
  const auto recording = read_recording(bytes);
  ASSERT_FALSE(recording.has_value());
  EXPECT_NE(recording.error().text().find("length"), std::string::npos) << recording.error().text();
  // Intact sections follow the damaged length, also if the end of the last one is missing.
  bytes.resize(bytes.size() - 40);
  EXPECT_FALSE(read_recording(bytes).has_value());
  // Alone, the section with the damaged length is an incomplete end.
  bytes.resize(first_block + 40);
  const auto torn = read_recording(bytes);
  ASSERT_TRUE(torn.has_value());
  EXPECT_TRUE(torn->blocks.empty());
}

TEST(Recording, RejectsASectionWithAnExcessiveDecompressedSize) {
  std::vector<std::byte> bytes = record_run(5, true);
  base::ByteWriter section;
  const std::vector<std::byte> zeros(std::size_t{64} << 20);
  const auto stored = compression::compress(zeros);
  section.u8(2);
  section.u32(static_cast<std::uint32_t>(stored.size()));
  section.u32(static_cast<std::uint32_t>(zeros.size()));
  section.raw(stored);
  section.u32(base::crc32c(section.bytes()));
  bytes.insert(bytes.end(), section.bytes().begin(), section.bytes().end());
  const auto recording = read_recording(bytes);
  ASSERT_FALSE(recording.has_value());
  EXPECT_NE(recording.error().text().find("claims a decompressed size of 67108864"),
            std::string::npos)
      << recording.error().text();
}

TEST(Recording, ReadsARecordingThatWasNotClosed) {
  const auto recording = read_recording(record_run(100, false));
  ASSERT_TRUE(recording.has_value());
  EXPECT_FALSE(recording->is_closed);
  EXPECT_EQ(recording->tick_count(), 100U);
}

TEST(Recording, AnIncompleteEndLosesOnlyTheLastSection) {
  const std::vector<std::byte> whole = record_run(700, true);
  for (const std::size_t cut : {1U, 5U, 40U, 200U}) {
    SCOPED_TRACE(cut);
    const auto recording = read_recording(std::span(whole).first(whole.size() - cut));
    ASSERT_TRUE(recording.has_value()) << recording.error().text();
    EXPECT_FALSE(recording->is_closed);
    EXPECT_GE(recording->tick_count(), 600U);
  }
}

TEST(Recording, NoTruncationReadsAsAClosedRecording) {
  const std::vector<std::byte> whole = record_run(30, true);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const auto recording = read_recording(std::span(whole).first(size));
    if (recording) {
      EXPECT_FALSE(recording->is_closed);
    }
  }
}

TEST(Recording, NoFlippedByteReadsAsAClosedRecording) {
  const std::vector<std::byte> whole = record_run(30, true);
  const auto good = read_recording(whole);
  ASSERT_TRUE(good.has_value());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    SCOPED_TRACE(i);
    std::vector<std::byte> flipped = whole;
    flipped[i] ^= std::byte{0x10};
    const auto recording = read_recording(flipped);
    // The recording must be rejected, or read as one with an incomplete end, but never as a closed
    // recording.
    EXPECT_TRUE(!recording || !recording->is_closed);
  }
}

TEST(Recording, ErrorsStateTheirOffset) {
  const auto foreign = read_recording(std::vector<std::byte>(100, std::byte{'x'}));
  ASSERT_FALSE(foreign.has_value());
  EXPECT_EQ(foreign.error().text(), "at byte 0: not a recording: it does not start with JREC");

  std::vector<std::byte> future = record_run(5, true);
  future[4] = std::byte{99};
  const auto other_format = read_recording(future);
  ASSERT_FALSE(other_format.has_value());
  EXPECT_EQ(
      other_format.error().text(),
      "at byte 0: the recording has format 99; this build reads formats 3 to 4. Read it with the "
      "version of jostle that wrote it");
}

TEST(Recording, RejectsAStateThatIsNotTheOneBeforeTheFirstTick) {
  auto recording = read_recording(record_run(5, true));
  ASSERT_TRUE(recording.has_value());
  recording->blocks[0].ticks.erase(recording->blocks[0].ticks.begin());
  EXPECT_FALSE(start_replay(*recording));
  recording->blocks[0].ticks.clear();
  EXPECT_FALSE(start_replay(*recording));
}

TEST(Recording, RejectsARecordingWithoutACompleteBlock) {
  auto recording = read_recording(record_run(5, true));
  ASSERT_TRUE(recording.has_value());
  recording->blocks.clear();
  const auto simulation = start_replay(*recording);
  ASSERT_FALSE(simulation.has_value());
  EXPECT_EQ(simulation.error(), "the recording has no complete block of ticks");
}

TEST(Recording, RejectsOtherRulesAndNamesThem) {
  auto recording = read_recording(record_run(5, true));
  ASSERT_TRUE(recording.has_value());
  recording->header.rules.push_back("gravity_gun");
  const auto simulation = start_replay(*recording);
  ASSERT_FALSE(simulation.has_value());
  EXPECT_NE(simulation.error().find("gravity_gun"), std::string::npos);
}

TEST(Recording, AFailingSinkEndsTheRecordingButNotTheRun) {
  const auto simulation = start();
  RecordingWriter writer(*simulation, {}, "", [](std::span<const std::byte>) { return false; });
  simulation->step({{1}, {}});
  writer.add_tick({{1}, {}}, *simulation);
  writer.close(*simulation);
  EXPECT_FALSE(writer.is_healthy());
}

}  // namespace
}  // namespace jostle::record
