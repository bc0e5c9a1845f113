#include "shared/journal/salvage.h"

#include "shared/record/sections.h"
#include "tests/journal/journal_run.h"

#include <map>

namespace jostle::journal {
namespace {

using Kind = RestoreError::Kind;

constexpr const char* first_path = "state/00000001.jrec";
constexpr const char* last_path = "state/00000002.jrec";

using Hashes = std::map<std::uint32_t, std::uint64_t>;

/// Writes a segment of 60 ticks, and one of 39 that is not closed. Returns the hash of each tick.
Hashes write_journal(MemoryFiles& files) {
  InlineExecutor executor;
  SegmentOptions options = journal_options();
  options.most_segment_ticks = 60;
  JournalRun run(files, executor, options);
  EXPECT_EQ(run.begin(), "");
  Hashes hashes{{0, run.hash()}};
  for (int i = 0; i < 99; ++i) {
    run.tick();
    hashes[run.simulation->tick().number] = run.hash();
  }
  return hashes;
}

void damage(MemoryFiles& files, const char* path) {
  auto& bytes = files.files.at(path)->bytes;
  bytes[bytes.size() - 600] ^= std::byte{1};
}

/// Changes the newest segment as if another build had computed the ticks from `tick` on.
void write_as_another_build(MemoryFiles& files, std::uint32_t tick) {
  const auto recording = record::read_recording(*files.read(last_path));
  ASSERT_TRUE(recording);
  record::RecordingHeader header = recording->header;
  header.program = "jostle 9.9.9";
  std::vector<std::byte> bytes = record::recording_start(header);
  const auto add = [&](const std::vector<std::byte>& section) {
    bytes.insert(bytes.end(), section.begin(), section.end());
  };
  for (const record::RecordedBlock& block : recording->blocks) {
    add(record::section_of(record::SectionType::Block,
                           record::block_bytes(block.ticks.front().commands.tick.number,
                                               block.state_before, block.bodies_before, 0, {})));
    for (const record::RecordedTick& recorded : block.ticks) {
      record::TickHash hash = recorded.hash;
      if (recorded.commands.tick.number >= tick) ++hash.total;
      base::ByteWriter section;
      section.u32(recorded.commands.tick.number);
      section.u32(1);
      record::write_tick(section, recorded.commands, recorded.faults, hash);
      add(record::section_of(record::SectionType::Ticks, section.bytes()));
    }
  }
  files.files.at(last_path)->bytes = bytes;
  files.files.at(last_path)->synced = bytes.size();
}

base::Result<std::unique_ptr<Restored>, RestoreError> salvage_of(MemoryFiles& files,
                                                                 bool gives_up_ticks = false) {
  return salvage(files, "state", gives_up_ticks, [](const std::string&) {});
}

TEST(Salvage, AnIntactJournalIsNotChanged) {
  MemoryFiles files;
  const Hashes hashes = write_journal(files);
  const auto before = *files.read(last_path);
  const auto salvaged = salvage_of(files);
  ASSERT_TRUE(salvaged) << salvaged.error().text;
  EXPECT_EQ((*salvaged)->hash, hashes.at(99));
  EXPECT_EQ(*files.read(last_path), before);
  EXPECT_EQ(files.files.size(), 2U);
}

TEST(Salvage, WhatIsSalvagedSurvivesAPowerLoss) {
  for (const bool has_links : {true, false}) {
    MemoryFiles files;
    files.has_links = has_links;
    const Hashes hashes = write_journal(files);
    damage(files, last_path);
    const auto damaged = *files.read(last_path);
    const auto salvaged = salvage_of(files);
    ASSERT_TRUE(salvaged) << salvaged.error().text;
    const std::uint32_t tick = (*salvaged)->simulation->tick().number;
    EXPECT_GE(tick, 60U);
    EXPECT_LT(tick, 99U);
    files.crash();
    const auto restored = restore(files, "state", true);
    ASSERT_TRUE(restored) << restored.error().text;
    EXPECT_EQ((*restored)->simulation->tick().number, tick);
    EXPECT_EQ((*restored)->hash, hashes.at(tick));
    EXPECT_EQ(*files.read(std::string(last_path) + ".damaged"), damaged);
  }
}

// Otherwise a server would silently continue from the segment before.
TEST(Salvage, AKillAtAnyChangeLeavesTheDamagedOrTheSalvagedSegment) {
  for (const bool is_power_loss : {false, true}) {
    std::size_t salvaged_kills = 0, kills = 0;
    for (std::size_t changes = 1; changes < 20; ++changes) {
      SCOPED_TRACE(changes);
      MemoryFiles files;
      write_journal(files);
      damage(files, last_path);
      const auto damaged = *files.read(last_path);
      files.changes_left = changes;
      const bool is_done = salvage_of(files).has_value();
      if (is_power_loss) files.crash();
      files.changes_left = MemoryFiles::never;
      const auto restored = restore(files, "state", true);
      if (restored) {
        EXPECT_GE((*restored)->simulation->tick().number, 60U);
        EXPECT_TRUE(files.files.contains(last_path));
        ++salvaged_kills;
      } else {
        EXPECT_FALSE(is_done);
        EXPECT_EQ(restored.error().kind, Kind::Damaged) << restored.error().text;
        EXPECT_EQ(*files.read(last_path), damaged);
      }
      // A second salvage ends the work.
      EXPECT_TRUE(salvage_of(files));
      if (!is_done) ++kills;
    }
    EXPECT_GE(kills, 5U);
    EXPECT_GE(salvaged_kills, 5U);
  }
}

TEST(Salvage, AFullDiskChangesNothing) {
  MemoryFiles files;
  write_journal(files);
  damage(files, last_path);
  const auto damaged = *files.read(last_path);
  files.capacity = files.used();
  const auto salvaged = salvage_of(files);
  ASSERT_FALSE(salvaged);
  EXPECT_NE(salvaged.error().text.find("No space left on device; nothing was changed"),
            std::string::npos)
      << salvaged.error().text;
  EXPECT_EQ(files.files.size(), 2U);
  EXPECT_EQ(*files.read(last_path), damaged);
}

// Before, a salvage moved every segment of an intact journal away.
TEST(Salvage, TicksOfAnotherBuildAreGivenUpOnlyOnRequest) {
  MemoryFiles files;
  const Hashes hashes = write_journal(files);
  write_as_another_build(files, 81);
  const auto whole = *files.read(last_path);
  for (const auto& refused : {restore(files, "state", true), salvage_of(files)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Kind::OtherResult);
    EXPECT_EQ(refused.error().program, "jostle 9.9.9");
    EXPECT_EQ(refused.error().kept_tick, 80U);
    EXPECT_EQ(refused.error().ticks_given_up, 19U);
    const std::string advice = way_out(refused.error(), "DIR");
    EXPECT_NE(advice.find("start and stop a server of that build (jostle 9.9.9)"),
              std::string::npos)
        << advice;
    EXPECT_NE(advice.find("give up the 19 ticks after tick 80: jostle state DIR salvage "
                          "--give-up-ticks"),
              std::string::npos)
        << advice;
  }
  EXPECT_EQ(*files.read(last_path), whole);
  EXPECT_EQ(files.files.size(), 2U);
  const auto salvaged = salvage_of(files, true);
  ASSERT_TRUE(salvaged) << salvaged.error().text;
  EXPECT_EQ((*salvaged)->simulation->tick().number, 80U);
  EXPECT_EQ((*salvaged)->hash, hashes.at(80));
  EXPECT_EQ(*files.read(std::string(last_path) + ".damaged"), whole);
}

// The first tick after the newest keyframe may be the first one that differs.
TEST(Salvage, TheKeyframeAloneIsKept) {
  MemoryFiles files;
  const Hashes hashes = write_journal(files);
  write_as_another_build(files, 61);
  const auto salvaged = salvage_of(files, true);
  ASSERT_TRUE(salvaged) << salvaged.error().text;
  EXPECT_EQ((*salvaged)->simulation->tick().number, 60U);
  EXPECT_EQ((*salvaged)->hash, hashes.at(60));
}

// A server of the earlier build that stops writes a state, which another build need not replay.
TEST(Salvage, AStoppedServerLeavesAStateThatNeedsNoReplay) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(40);
  ASSERT_TRUE(run.journal.close(*run.simulation, 1));
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored);
  EXPECT_EQ((*restored)->ticks_replayed, 0U);
}

TEST(Salvage, OtherRulesAndFormatsAreNoDamage) {
  MemoryFiles files;
  write_journal(files);
  const auto before = files.files;
  const sim::RuleFactory no_rules = [] { return std::vector<std::unique_ptr<sim::Rule>>(); };
  auto refused = salvage(
      files, "state", true, [](const std::string&) {}, no_rules);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Kind::OtherProgram) << refused.error().text;
  EXPECT_EQ(way_out(refused.error(), "DIR").find("salvage"), std::string::npos);
  EXPECT_EQ(files.files, before);
  files.files.at(last_path)->bytes[4] = std::byte{99};
  for (const auto& error : {restore(files, "state", true), salvage_of(files, true)}) {
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().kind, Kind::OtherProgram) << error.error().text;
    EXPECT_NE(error.error().text.find("has format 99"), std::string::npos);
  }
  EXPECT_EQ(files.files, before);
}

// A game with rules of its own has no other tool.
TEST(Salvage, DamageIsCutOffAlsoForAnotherProgram) {
  MemoryFiles files;
  const Hashes hashes = write_journal(files);
  damage(files, last_path);
  const auto damaged = *files.read(last_path);
  const sim::RuleFactory no_rules = [] { return std::vector<std::unique_ptr<sim::Rule>>(); };
  const auto other = salvage(
      files, "state", false, [](const std::string&) {}, no_rules);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, Kind::OtherProgram) << other.error().text;
  EXPECT_EQ(*files.read(std::string(last_path) + ".damaged"), damaged);
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_GE((*restored)->simulation->tick().number, 60U);
  EXPECT_EQ((*restored)->hash, hashes.at((*restored)->simulation->tick().number));
}

TEST(Salvage, SegmentsWithoutAStateAreMovedAway) {
  MemoryFiles files;
  const Hashes hashes = write_journal(files);
  auto& bytes = files.files.at(last_path)->bytes;
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  ASSERT_FALSE(restore(files, "state", true));
  const auto salvaged = salvage_of(files);
  ASSERT_TRUE(salvaged) << salvaged.error().text;
  EXPECT_EQ((*salvaged)->hash, hashes.at(60));
  EXPECT_TRUE(files.files.contains(std::string(last_path) + ".damaged"));
  EXPECT_TRUE(files.files.contains(first_path));
}

}  // namespace
}  // namespace jostle::journal
