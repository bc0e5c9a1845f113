#include "shared/journal/recovery.h"

#include "shared/base/random.h"
#include "shared/record/recording_writer.h"
#include "tests/journal/journal_run.h"

#include <map>

namespace jostle::journal {
namespace {

/// Runs `ticks` ticks and returns the hash after each.
std::map<std::uint32_t, std::uint64_t> run_for(MemoryFiles& files, std::uint32_t ticks,
                                               bool is_closed, SegmentOptions options) {
  InlineExecutor executor;
  JournalRun run(files, executor, options);
  EXPECT_EQ(run.begin(), "");
  std::map<std::uint32_t, std::uint64_t> hashes{{0, run.hash()}};
  for (std::uint32_t i = 0; i < ticks; ++i) {
    run.tick();
    hashes[run.simulation->tick().number] = run.hash();
  }
  if (is_closed) {
    EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  }
  return hashes;
}

TEST(Recovery, AnEmptyFolderHasNoWorld) {
  MemoryFiles files;
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored);
  EXPECT_EQ(*restored, nullptr);
}

TEST(Recovery, AClosedJournalNeedsNoReplay) {
  MemoryFiles files;
  const auto hashes = run_for(files, 100, true, journal_options());
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_EQ((*restored)->simulation->tick(), state::Tick{100});
  EXPECT_EQ((*restored)->hash, hashes.at(100));
  EXPECT_EQ((*restored)->ticks_replayed, 0U);
  EXPECT_TRUE((*restored)->warnings.empty());
}

// As after kill -9 or a power loss at a random instant: every length of the file restores a state
// of the run, with its hash.
TEST(Recovery, AnyTornEndRestoresAStateOfTheRun) {
  MemoryFiles files;
  SegmentOptions options = journal_options();
  options.most_segment_ticks = 60;
  const auto hashes = run_for(files, 100, false, options);
  const std::string last = "state/00000002.jrec";
  const std::vector<std::byte> whole = files.files.at(last)->bytes;
  base::Random random(1);
  std::uint32_t newest = 0;
  for (int i = 0; i < 60; ++i) {
    const std::size_t size = i == 0 ? whole.size() : random.next() % whole.size();
    SCOPED_TRACE(size);
    files.files.at(last)->bytes.assign(whole.begin(), whole.begin() + static_cast<long>(size));
    const auto restored = restore(files, "state", true);
    ASSERT_TRUE(restored) << restored.error().text;
    const std::uint32_t tick = (*restored)->simulation->tick().number;
    EXPECT_GE(tick, 60U);
    EXPECT_EQ((*restored)->hash, hashes.at(tick));
    EXPECT_EQ((*restored)->simulation->hash().total, hashes.at(tick));
    newest = std::max(newest, tick);
  }
  EXPECT_GE(newest, 98U);
}

// A file system may keep the length of a file and lose its last blocks.
TEST(Recovery, AZeroFilledEndIsCutOff) {
  MemoryFiles files;
  const auto hashes = run_for(files, 60, false, journal_options());
  auto& bytes = files.files.at("state/00000001.jrec")->bytes;
  const std::size_t valid = bytes.size();
  bytes.resize(valid + 4'096);
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_EQ((*restored)->hash, hashes.at(60));
  ASSERT_EQ((*restored)->warnings.size(), 1U);
  EXPECT_NE((*restored)->warnings[0].find("4096 bytes are cut off"), std::string::npos)
      << (*restored)->warnings[0];
  EXPECT_EQ(bytes.size(), valid);
}

TEST(Recovery, DamageBeforeIntactTicksIsRefused) {
  MemoryFiles files;
  run_for(files, 60, false, journal_options());
  auto& bytes = files.files.at("state/00000001.jrec")->bytes;
  bytes[bytes.size() - 400] ^= std::byte{1};
  const auto restored = restore(files, "state", true);
  ASSERT_FALSE(restored);
  EXPECT_NE(restored.error().text.find("'state/00000001.jrec' is damaged at byte"),
            std::string::npos)
      << restored.error().text;
}

TEST(Recovery, OnlySyncedTicksAreDurable) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  std::map<std::uint32_t, std::uint64_t> hashes;
  for (int i = 0; i < 50; ++i) {
    run.tick();
    hashes[run.simulation->tick().number] = run.hash();
  }
  const std::uint32_t durable = run.journal.status().durable_tick;
  files.crash();
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_GE((*restored)->simulation->tick().number, durable);
  EXPECT_GE(durable, 48U);
  EXPECT_EQ((*restored)->hash, hashes.at((*restored)->simulation->tick().number));
}

TEST(Recovery, SegmentsOfOneSceneJoinToOneRecording) {
  MemoryFiles files;
  SegmentOptions options = journal_options();
  options.most_segment_ticks = 60;
  run_for(files, 200, true, options);
  const auto segments = segments_of(files, "state");
  ASSERT_TRUE(segments);
  std::vector<SegmentSummary> summaries;
  for (const SegmentFile& segment : *segments)
    summaries.push_back(read_summary(files, segment).value());
  const std::vector<SegmentRun> runs = runs_of(summaries);
  ASSERT_EQ(runs.size(), 1U);
  const auto joined = read_run(files, summaries, runs[0]);
  ASSERT_TRUE(joined) << joined.error();
  EXPECT_EQ(joined->tick_count(), 200U);
  auto simulation = record::start_replay(*joined);
  ASSERT_TRUE(simulation);
  EXPECT_TRUE(record::verify(*joined, **simulation).is_same());
  const auto again = record::read_recording(record::write_recording(*joined));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->blocks, joined->blocks);
  EXPECT_EQ(again->header, joined->header);
}

// A fixture of an earlier format is read, and replays or names the reason.
TEST(Recovery, RecordingsOfFormat3AreRead) {
  std::ifstream file(std::string(JOSTLE_SOURCE_DIR) + "/tests/record/data/format3.jrec",
                     std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto recording = record::read_recording(std::as_bytes(std::span(text)));
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->tick_count(), 90U);
  EXPECT_TRUE(recording->is_closed);
  const auto simulation = record::start_replay(*recording);
  if (!simulation) {
    EXPECT_FALSE(simulation.error().empty());
  }
}

}  // namespace
}  // namespace jostle::journal
