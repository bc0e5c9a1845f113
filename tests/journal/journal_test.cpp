#include "shared/journal/journal.h"

#include "shared/journal/recovery.h"
#include "tests/journal/journal_run.h"

namespace jostle::journal {
namespace {

std::uint32_t first_of(const record::Recording& recording) {
  return recording.blocks.front().ticks.front().commands.tick.number;
}
std::uint32_t last_of(const record::Recording& recording) {
  return recording.blocks.back().ticks.back().commands.tick.number;
}

TEST(Journal, EachSegmentIsARecordingAndTheyContinueEachOther) {
  MemoryFiles files;
  InlineExecutor executor;
  SegmentOptions options = journal_options();
  options.most_segment_ticks = 500;
  JournalRun run(files, executor, options);
  ASSERT_EQ(run.begin(), "");
  run.tick(1'300);
  EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  ASSERT_EQ(files.files.size(), 3U);
  std::uint32_t next = 1;
  for (const auto& [path, content] : files.files) {
    const record::Recording recording = verified(files, path);
    EXPECT_TRUE(recording.is_closed) << path;
    EXPECT_EQ(first_of(recording), next);
    next = last_of(recording) + 1;
  }
  EXPECT_EQ(next, 1'301U);
  EXPECT_EQ(run.journal.ticks_lost(), 0U);
}

// Without a close, as after a kill: before, up to 600 ticks were only in memory.
TEST(Journal, AKillLosesAtMost100Ms) {
  MemoryFiles files;
  InlineExecutor executor;
  SegmentOptions options = journal_options();
  options.durability = Durability::None;
  JournalRun run(files, executor, options);
  ASSERT_EQ(run.begin(), "");
  for (int i = 0; i < 200; ++i) {
    run.tick();
    EXPECT_LE(run.simulation->tick().number - run.journal.status().written_tick, 5U);
  }
  EXPECT_GE(last_of(verified(files, "state/00000001.jrec")), 195U);
}

TEST(Journal, AKeyframeFollowsEvery600Ticks) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  // Without a spare world the keyframe may come up to 600 ticks later.
  run.tick(3 * 1'200 + 6);
  EXPECT_GE(verified(files, "state/00000001.jrec").blocks.size(), 4U);
}

TEST(Journal, ANamedRecordingNeverTouchesAnExistingFile) {
  MemoryFiles files;
  InlineExecutor executor;
  files.files["run.jrec"] = std::make_shared<MemoryFiles::Content>();
  files.files["run.jrec"]->bytes.resize(3);
  JournalRun run(files, executor, {.folder = {}, .stem = "run"});
  ASSERT_EQ(run.begin(), "");
  run.tick(9);
  run.journal.begin_segment();
  run.tick(9);
  EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  EXPECT_EQ(files.files["run.jrec"]->bytes.size(), 3U);
  EXPECT_EQ(last_of(verified(files, "run-2.jrec")), 10U);
  EXPECT_EQ(first_of(verified(files, "run-3.jrec")), 11U);
}

TEST(Journal, ARenamedFileIsClosedAndTheNextOneGetsItsName) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, {.folder = {}, .stem = "run", .follows_rename = true});
  ASSERT_EQ(run.begin(), "");
  run.tick(20);
  ASSERT_EQ(files.rename("run.jrec", "old.jrec"), 0);
  run.tick(60);
  EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  const record::Recording old = verified(files, "old.jrec"), now = verified(files, "run.jrec");
  EXPECT_TRUE(old.is_closed);
  EXPECT_EQ(first_of(now), last_of(old) + 1);
}

TEST(Journal, AFullDiskIsNamedAndTheJournalContinuesWhenSpaceReturns) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(60);
  files.capacity = files.used();
  testing::internal::CaptureStderr();
  run.tick(200);
  EXPECT_TRUE(run.journal.is_degraded());
  EXPECT_EQ(run.journal.status().error,
            "'state/00000002.jrec' cannot be written: No space left on device");
  files.capacity = 1ULL << 40;
  run.tick(200);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("error recording interrupted file=state/00000001.jrec"), std::string::npos)
      << log;
  EXPECT_NE(log.find("No space left on device"), std::string::npos) << log;
  EXPECT_EQ(log.find("interrupted", log.find("interrupted") + 1), std::string::npos) << log;
  EXPECT_NE(log.find("recording continues"), std::string::npos) << log;
  EXPECT_FALSE(run.journal.is_degraded());
  EXPECT_EQ(run.journal.status().error, "");
  EXPECT_GE(run.journal.ticks_lost(), 200U);
  EXPECT_LE(run.journal.ticks_lost(), 264U);
  EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  const record::Recording first = verified(files, "state/00000001.jrec");
  const record::Recording second = verified(files, "state/00000002.jrec");
  EXPECT_EQ(last_of(second), 460U);
  EXPECT_EQ(first_of(second) - last_of(first) - 1, run.journal.ticks_lost());
  EXPECT_EQ(files.files.size(), 2U);  // no file is left of the failed attempts
}

// After a failed sync the system counts the pages as written: a second sync would prove nothing.
TEST(Journal, AFailedSyncIsNeverRepeatedOnTheSameFile) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(30);
  const std::uint32_t durable = run.journal.status().durable_tick;
  files.sync_error = EIO;
  run.tick(3);
  EXPECT_EQ(run.journal.status().durable_tick, durable);
  EXPECT_NE(run.journal.status().error.find("Input/output error"), std::string::npos);
  files.sync_error = 0;
  run.tick(120);
  EXPECT_EQ(files.failed_syncs, 1U);
  EXPECT_EQ(files.syncs_after_failure, 0U);
  EXPECT_FALSE(run.journal.is_degraded());
  EXPECT_GE(run.journal.status().durable_tick, 140U);
}

/// An executor whose disk stalls until run() is called: all waiting jobs are then one batch.
class StalledExecutor final : public Executor {
 public:
  bool post(std::size_t /*bytes*/, std::function<void()> job) override {
    jobs_.push_back(std::move(job));
    return true;
  }
  void at_end_of_batch(const void* /*owner*/, std::function<void()> function) override {
    at_end_ = std::move(function);
  }
  void forget(const void* /*owner*/) override { at_end_ = nullptr; }
  bool drain(double /*seconds*/) override {
    for (const auto& job : std::exchange(jobs_, {}))
      job();
    if (at_end_) at_end_();
    return true;
  }

 private:
  std::vector<std::function<void()>> jobs_;
  std::function<void()> at_end_;
};

// Sectors that were not synced may be written in any order. With two sections in them, the first
// one could be damaged before an intact one, which recovery refuses.
TEST(Journal, APowerLossDamagesNothingButTheLastSection) {
  MemoryFiles files;
  StalledExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  for (int i = 0; i < 8; ++i) {
    run.tick(200);
    EXPECT_TRUE(executor.drain(1));
  }
  EXPECT_EQ(files.most_unsynced_appends, 1U);
  const record::Recording recording = verified(files, "state/00000001.jrec");
  EXPECT_GE(recording.blocks.size(), 2U);
  EXPECT_EQ(last_of(recording), 1'599U);
}

// Otherwise a power loss could leave a segment with a damaged start, as damage of the disk does.
TEST(Journal, ASegmentGetsItsNameWhenItsStartIsDurable) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  files.sync_error = EIO;
  EXPECT_NE(run.begin(), "");
  EXPECT_TRUE(files.files.empty());
  files.sync_error = 0;
  run.tick(120);
  ASSERT_EQ(files.files.size(), 1U);
  EXPECT_TRUE(files.files.begin()->first.ends_with(".jrec"));
  EXPECT_TRUE(files.files.begin()->second->is_name_synced);
}

TEST(Journal, AFullQueueLosesCountedTicksAndBlocksNothing) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(30);
  executor.is_full = true;
  run.tick(30);
  EXPECT_TRUE(run.journal.is_degraded());
  executor.is_full = false;
  run.tick(90);
  EXPECT_FALSE(run.journal.is_degraded());
  EXPECT_GE(run.journal.ticks_lost(), 30U);
  EXPECT_LE(run.journal.ticks_lost(), 91U);
}

TEST(Journal, TheQuotaDeletesTheOldestSegments) {
  MemoryFiles files;
  InlineExecutor executor;
  SegmentOptions options = journal_options();
  options.most_segment_ticks = 60;
  JournalRun measured(files, executor, options);
  ASSERT_EQ(measured.begin(), "");
  measured.tick(60);
  const std::uint64_t of_one = files.used();
  files.files.clear();
  options.quota_bytes = 4 * of_one;
  JournalRun run(files, executor, options);
  ASSERT_EQ(run.begin(), "");
  run.tick(60 * 20);
  EXPECT_LE(files.used(), options.quota_bytes + 2 * of_one);
  EXPECT_GE(files.files.size(), 2U);
  EXPECT_FALSE(files.files.contains("state/00000001.jrec"));
  EXPECT_TRUE(files.files.contains("state/00000020.jrec"));
}

TEST(Journal, AnotherSceneBeginsASegment) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(30);
  run.simulation->load(scene_of("cradle"));
  run.journal.begin_scene("cradle.scene.json", nullptr);
  run.tick(30);
  EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  EXPECT_EQ(last_of(verified(files, "state/00000001.jrec")), 30U);
  const record::Recording second = verified(files, "state/00000002.jrec");
  EXPECT_EQ(second.header.scene_file, "cradle.scene.json");
  EXPECT_EQ(first_of(second), 32U);  // tick 31 is the state with which it begins
}

// A restart would not find the ticks of the removed file.
TEST(Journal, ARemovedFileIsNamedAndTheJournalContinuesAtOnce) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(60);
  EXPECT_EQ(run.journal.ticks_lost(), 0U);
  EXPECT_GE(run.journal.status().durable_tick, 57U);
  files.remove_folder("state");
  testing::internal::CaptureStderr();
  run.tick(9);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("error recording interrupted file=state/00000001.jrec why=\"the file was "
                     "removed or renamed\" lost_ticks=63"),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("warn recording continues file=state/00000002.jrec from_tick=64"),
            std::string::npos)
      << log;
  EXPECT_FALSE(run.journal.is_degraded());
  EXPECT_EQ(run.journal.ticks_lost(), 63U);
  EXPECT_GE(run.journal.status().durable_tick, 66U);
  EXPECT_TRUE(run.journal.close(*run.simulation, 1));
  const auto restored = restore(files, "state", true);
  ASSERT_TRUE(restored) << restored.error().text;
  EXPECT_EQ((*restored)->hash, run.hash());
}

TEST(Journal, AFileRemovedBeforeTheEndMakesTheJournalIncomplete) {
  MemoryFiles files;
  InlineExecutor executor;
  JournalRun run(files, executor, journal_options());
  ASSERT_EQ(run.begin(), "");
  run.tick(60);
  files.files.clear();
  testing::internal::CaptureStderr();
  EXPECT_FALSE(run.journal.close(*run.simulation, 1));
  (void)testing::internal::GetCapturedStderr();
}

TEST(Journal, StrictTicksAreDurableOrSaidNotToBe) {
  MemoryFiles files;
  InlineExecutor executor;
  SegmentOptions options = journal_options();
  options.durability = Durability::Strict;
  JournalRun run(files, executor, options);
  ASSERT_EQ(run.begin(), "");
  for (std::uint32_t tick = 1; tick <= 30; ++tick) {
    run.tick();
    EXPECT_TRUE(run.journal.wait_durable(1));
    EXPECT_EQ(run.journal.status().durable_tick, tick);
  }
  files.write_error = ENOSPC;
  testing::internal::CaptureStderr();
  run.tick();
  EXPECT_FALSE(run.journal.wait_durable(1));
  EXPECT_EQ(run.journal.status().durable_tick, 30U);
  EXPECT_FALSE(run.journal.is_caught_up());
  files.write_error = 0;
  run.tick(70);
  (void)testing::internal::GetCapturedStderr();
  EXPECT_TRUE(run.journal.is_caught_up());
  EXPECT_TRUE(run.journal.wait_durable(1));
  files.files.clear();
  files.create_error = EACCES;
  testing::internal::CaptureStderr();
  run.tick();
  EXPECT_FALSE(run.journal.wait_durable(1)) << "the file is gone";
  EXPECT_EQ(run.journal.status().durable_tick, 0U) << "nothing is on the disk any more";
  (void)testing::internal::GetCapturedStderr();
}

// The names of recordings stay in the order of time when the quota deletes the first ones.
TEST(Journal, TheQuotaFreesNoNamesOfRecordings) {
  MemoryFiles files;
  InlineExecutor executor;
  SegmentOptions options{.folder = {}, .stem = "run", .most_segment_ticks = 60};
  options.quota_bytes = 1;  // the newest two stay
  JournalRun run(files, executor, options);
  ASSERT_EQ(run.begin(), "");
  run.tick(60 * 5 + 10);
  std::vector<std::string> names;
  for (const auto& [path, content] : files.files)
    names.push_back(path);
  EXPECT_EQ(names, (std::vector<std::string>{"run-5.jrec", "run-6.jrec"}));
}

}  // namespace
}  // namespace jostle::journal
