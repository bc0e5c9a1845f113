#include "shared/journal/segments.h"

#include "shared/journal/recovery.h"
#include "tests/journal/journal_run.h"

namespace jostle::journal {
namespace {

using Kind = RestoreError::Kind;

constexpr const char* paths[] = {"state/00000001.jrec", "state/00000002.jrec",
                                 "state/00000003.jrec", "state/00000004.jrec"};

/// Writes segments of 60 ticks, and a last one of 20.
void write_segments(MemoryFiles& files, std::uint32_t count = 4) {
  InlineExecutor executor;
  SegmentOptions options = journal_options();
  options.most_segment_ticks = 60;
  JournalRun run(files, executor, options);
  ASSERT_EQ(run.begin(), "");
  run.tick((count - 1) * 60 + 20);
  ASSERT_TRUE(run.journal.close(*run.simulation, 1));
  ASSERT_EQ(files.files.size(), count);
}

std::vector<SegmentSummary> summaries_of(MemoryFiles& files) {
  std::vector<SegmentSummary> summaries;
  const auto segments = segments_of(files, "state");
  for (const SegmentFile& segment : *segments)
    summaries.push_back(read_summary(files, segment).value());
  return summaries;
}

RestoreError restore_error(MemoryFiles& files) {
  const auto restored = restore(files, "state", true);
  EXPECT_FALSE(restored);
  return restored ? RestoreError{} : restored.error();
}

TEST(Segments, AreSortedByNumberAndOtherNamesAreLeftOut) {
  MemoryFiles files;
  for (const char* const name : {"100000000.jrec", "99999999.jrec", "00000002.jrec", "7.jrec",
                                 "00000003.jrec.damaged", "18446744073709551615.jrec"})
    files.files[std::string("state/") + name] = std::make_shared<MemoryFiles::Content>();
  const auto segments = segments_of(files, "state");
  ASSERT_EQ(segments->size(), 3U);
  EXPECT_EQ((*segments)[0].number, 2U);
  EXPECT_EQ((*segments)[1].number, 99'999'999U);
  EXPECT_EQ((*segments)[2].number, 100'000'000U);
}

// A server that took the highest number for the newest segment would go back in time.
TEST(Segments, SwappedAndCopiedSegmentsAreRefused) {
  MemoryFiles files;
  write_segments(files);
  const auto intact = files.files;
  const auto expect_refused = [&](const std::string& a, const std::string& b) {
    const RestoreError error = restore_error(files);
    EXPECT_EQ(error.kind, Kind::WrongOrder);
    EXPECT_NE(error.text.find("'" + a + "'"), std::string::npos) << error.text;
    EXPECT_NE(error.text.find("'" + b + "'"), std::string::npos) << error.text;
    EXPECT_EQ(way_out(error, "state"),
              "Move the wrong file away; jostle state state info lists the ticks of each");
    files.files = intact;
  };
  std::swap(files.files[paths[0]], files.files[paths[3]]);
  expect_refused(paths[1], paths[0]);
  std::swap(files.files[paths[2]], files.files[paths[3]]);
  expect_refused(paths[3], paths[2]);
  files.files["state/00000009.jrec"] = files.files[paths[1]];
  expect_refused("state/00000009.jrec", paths[3]);
  // A copy of the newest segment may be older than it.
  files.files["state/00000005.jrec"] = files.files[paths[3]];
  expect_refused("state/00000005.jrec", paths[3]);
  EXPECT_TRUE(restore(files, "state", true));
}

TEST(Segments, RestartsWithoutATickAreInOrder) {
  MemoryFiles files;
  InlineExecutor executor;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    SegmentOptions options = journal_options();
    options.first_number = number;
    JournalRun run(files, executor, options);
    ASSERT_EQ(run.begin(), "");
    ASSERT_TRUE(run.journal.close(*run.simulation, 1));
  }
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_NE(*restored, nullptr);
}

TEST(Segments, MissingAndRepeatedTicksAreNamed) {
  MemoryFiles files;
  write_segments(files);
  bool has_overlap = false;
  EXPECT_TRUE(describe_seams(summaries_of(files), has_overlap).empty());
  files.files.erase(paths[1]);
  auto seams = describe_seams(summaries_of(files), has_overlap);
  ASSERT_EQ(seams.size(), 1U);
  EXPECT_EQ(seams[0],
            "ticks 61 to 120 are missing between 'state/00000001.jrec' and "
            "'state/00000003.jrec'");
  EXPECT_FALSE(has_overlap);
  files.files[paths[1]] = files.files[paths[2]];
  seams = describe_seams(summaries_of(files), has_overlap);
  ASSERT_EQ(seams.size(), 2U);
  EXPECT_EQ(seams[1],
            "ticks 121 to 180 are in both 'state/00000002.jrec' and "
            "'state/00000003.jrec'");
  EXPECT_TRUE(has_overlap);
}

TEST(Segments, ATickThatStartsASceneIsNotMissing) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(30);
  run.simulation->load(scene_of("cradle"));
  run.journal.begin_scene("cradle.scene.json", nullptr);
  run.tick(30);
  ASSERT_TRUE(run.journal.close(*run.simulation, 1));
  bool has_overlap = false;
  EXPECT_TRUE(describe_seams(summaries_of(files), has_overlap).empty());
  EXPECT_EQ(runs_of(summaries_of(files)).size(), 2U);
}

// Damage in an older segment does not stop a server, and the ticks before and after it stay usable.
TEST(Segments, DamageInAnOlderSegmentLeavesTwoRuns) {
  MemoryFiles files;
  write_segments(files);
  auto& bytes = files.files.at(paths[1])->bytes;
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_TRUE(restore(files, "state", true));
  const std::vector<SegmentSummary> summaries = summaries_of(files);
  EXPECT_NE(summaries[1].fault.find("is damaged at byte"), std::string::npos);
  const std::vector<SegmentRun> runs = runs_of(summaries);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].first_tick, 1U);
  EXPECT_GE(runs[0].last_tick, 60U);
  EXPECT_LT(runs[0].last_tick, 120U);
  EXPECT_EQ(runs[1].first_tick, 121U);
  EXPECT_EQ(runs[1].last_tick, 200U);
  for (const SegmentRun& run : runs) {
    const auto recording = read_run(files, summaries, run);
    ASSERT_TRUE(recording) << recording.error();
    EXPECT_EQ(recording->tick_count(), run.last_tick - run.first_tick + 1);
    auto simulation = record::start_replay(*recording);
    ASSERT_TRUE(simulation) << simulation.error();
    EXPECT_TRUE(record::verify(*recording, **simulation).is_same());
  }
}

TEST(Segments, OnlyTheStartOfALargeSegmentIsReadForItsFirstTick) {
  MemoryFiles files;
  write_segments(files);
  const auto& bytes = files.files.at(paths[2])->bytes;
  record::FirstTick found;
  std::size_t wanted = 8;
  for (int rounds = 0; rounds < 10; ++rounds) {
    found = record::find_first_tick(std::span(bytes).first(std::min(wanted, bytes.size())));
    if (found.needed == 0) break;
    ASSERT_GT(found.needed, wanted);
    wanted = found.needed;
  }
  EXPECT_EQ(found.tick, 121U);
  EXPECT_LT(wanted, bytes.size());
}

TEST(Segments, EmptyAndUnfinishedFilesAreRemovedWithAWarning) {
  MemoryFiles files;
  files.files[paths[0]] = std::make_shared<MemoryFiles::Content>();
  testing::internal::CaptureStderr();
  auto restored = restore(files, "state", true);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("'state/00000001.jrec' is empty"),
            std::string::npos);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_EQ(*restored, nullptr);
  EXPECT_TRUE(files.files.empty());

  write_segments(files, 2);
  const auto begun = std::make_shared<MemoryFiles::Content>();
  begun->bytes = files.files.at(paths[0])->bytes;
  files.files["state/00000003.jrec.new"] = begun;  // has ticks: not of a server
  files.files["state/copy of 1.jrec"] = begun;
  const auto unfinished = std::make_shared<MemoryFiles::Content>();
  unfinished->bytes.assign(begun->bytes.begin(), begun->bytes.begin() + 100);
  files.files["state/00000004.jrec.new"] = unfinished;
  restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  ASSERT_EQ((*restored)->warnings.size(), 3U);
  EXPECT_NE((*restored)->warnings[0].find("'state/00000003.jrec.new' is left out"),
            std::string::npos);
  EXPECT_NE((*restored)->warnings[1].find("'state/00000004.jrec.new' is removed"),
            std::string::npos);
  EXPECT_NE((*restored)->warnings[2].find("'state/copy of 1.jrec' is left out"), std::string::npos);
  EXPECT_FALSE(files.files.contains("state/00000004.jrec.new"));
  EXPECT_TRUE(files.files.contains("state/00000003.jrec.new"));
}

}  // namespace
}  // namespace jostle::journal
