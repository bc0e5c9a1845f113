#include "server/baseline_tracker.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace jostle::server {
namespace {

using protocol::BaselineRun;
using protocol::EncodedPart;
using protocol::SnapshotAck;
using protocol::context::ReferenceRun;
using state::Tick;

SharedSnapshot snapshot_of(std::uint32_t tick, std::uint32_t revision,
                           const std::vector<std::uint32_t>& ids) {
  auto made = std::make_shared<protocol::QuantizedSnapshot>();
  made->tick = {tick};
  made->world_revision = revision;
  for (const std::uint32_t id : ids)
    made->ids.push_back({id});
  made->bodies.resize(ids.size());
  return made;
}

SharedParts parts(const std::vector<std::uint32_t>& counts) {
  std::vector<EncodedPart> made;
  std::uint32_t first = 0;
  for (const std::uint32_t count : counts) {
    made.push_back({first, count, {}, {}});
    first += count;
  }
  return std::make_shared<const std::vector<EncodedPart>>(std::move(made));
}

SnapshotAck complete(std::uint32_t newest, std::uint32_t history = 0) {
  SnapshotAck ack;
  ack.newest = {newest};
  ack.history = history;
  return ack;
}

TEST(BaselineTracker, StartsWithSpawnPoses) {
  SnapshotHistory history;
  BaselineTracker tracker;
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(1, 1, {1, 2, 3}), history), {1}),
            (std::vector<BaselineRun>{{3, {0}}}));
}

TEST(BaselineTracker, UsesTheNewestAcknowledgedTick) {
  SnapshotHistory history;
  BaselineTracker tracker;
  for (std::uint32_t tick = 1; tick <= 5; ++tick) {
    history.push(snapshot_of(tick, 1, {1, 2}));
    tracker.note_sent({tick}, parts({2}));
  }
  tracker.acknowledge(complete(3), history);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(6, 1, {1, 2}), history), {6}),
            (std::vector<BaselineRun>{{2, {3}}}));
  tracker.acknowledge(complete(4, 0b100), history);  // acknowledges tick 4 and the older tick 1
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(6, 1, {1, 2}), history), {6}),
            (std::vector<BaselineRun>{{2, {4}}}));
  EXPECT_EQ(tracker.newest_acknowledged(), Tick{4});
}

TEST(BaselineTracker, PreviousSnapshotIsTheNewestAcknowledgedTickBeforeTheBaseline) {
  SnapshotHistory history;
  BaselineTracker tracker;
  for (std::uint32_t tick = 1; tick <= 8; ++tick) {
    history.push(snapshot_of(tick, 1, {1, 2}));
    tracker.note_sent({tick}, parts({1, 1}));
  }
  const auto now = snapshot_of(9, 1, {1, 2});
  tracker.acknowledge(complete(2), history);
  EXPECT_EQ(tracker.runs(*now, history), (std::vector<ReferenceRun>{{2, {{2}, {2}}}}));
  tracker.acknowledge(complete(6), history);
  EXPECT_EQ(tracker.runs(*now, history), (std::vector<ReferenceRun>{{2, {{6}, {2}}}}));
  SnapshotAck late = complete(6, 0b10);  // also acknowledges tick 4
  late.partial.push_back({{5}, 0b10});   // also acknowledges the second body of tick 5
  tracker.acknowledge(late, history);
  EXPECT_EQ(tracker.runs(*now, history),
            (std::vector<ReferenceRun>{{1, {{6}, {4}}}, {1, {{6}, {5}}}}));
  const std::vector<std::uint32_t> second{1};
  EXPECT_EQ(tracker.runs(*now, history, second), (std::vector<ReferenceRun>{{1, {{6}, {5}}}}));
}

TEST(BaselineTracker, AcknowledgesOnlyTheChosenBodiesOfAPart) {
  SnapshotHistory history;
  BaselineTracker tracker;
  history.push(snapshot_of(1, 1, {1, 2, 3, 4}));
  EncodedPart some{0, 4, {}, {1, 3}};
  tracker.note_sent({1}, std::make_shared<const std::vector<EncodedPart>>(1, some));
  tracker.acknowledge(complete(1), history);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 1, {1, 2, 3, 4}), history), {2}),
            (std::vector<BaselineRun>{{1, {0}}, {1, {1}}, {1, {0}}, {1, {1}}}));
}

// Chosen bodies with consecutive indices are stored as a range, like a part of a complete snapshot.
TEST(BaselineTracker, DoesNotTakeARangeOfChosenBodiesForAllBodies) {
  for (const std::size_t part_count : {1U, 2U}) {
    SCOPED_TRACE(part_count);
    SnapshotHistory history;
    BaselineTracker tracker;
    history.push(snapshot_of(1, 1, {1, 2, 3, 4}));
    std::vector<EncodedPart> some{{1, 2, {}, {}}};
    if (part_count == 2) some = {{1, 1, {}, {}}, {2, 1, {}, {}}};
    tracker.note_sent({1}, std::make_shared<const std::vector<EncodedPart>>(some));
    tracker.acknowledge(complete(1), history);
    EXPECT_FALSE(tracker.has_acknowledged_all({1}));
    EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 1, {1, 2, 3, 4}), history), {2}),
              (std::vector<BaselineRun>{{1, {0}}, {2, {1}}, {1, {0}}}));
  }
}

TEST(BaselineTracker, DoesNotTakeAnEmptyPartForAllBodies) {
  SnapshotHistory history;
  BaselineTracker tracker;
  history.push(snapshot_of(1, 1, {1, 2}));
  tracker.note_sent({1}, parts({0}));
  tracker.acknowledge(complete(1), history);
  EXPECT_FALSE(tracker.has_acknowledged_all({1}));
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 1, {1, 2}), history), {2}),
            (std::vector<BaselineRun>{{2, {0}}}));
}

TEST(BaselineTracker, AcknowledgesPartsIndividually) {
  SnapshotHistory history;
  BaselineTracker tracker;
  history.push(snapshot_of(1, 1, {1, 2, 3, 4}));
  tracker.note_sent({1}, parts({1, 2, 1}));
  SnapshotAck ack;
  ack.partial.push_back({{1}, 0b010});
  tracker.acknowledge(ack, history);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 1, {1, 2, 3, 4}), history), {2}),
            (std::vector<BaselineRun>{{1, {0}}, {2, {1}}, {1, {0}}}));
}

TEST(BaselineTracker, NeighbouringPartsShareAnAckBitBeyondSixtyFourParts) {
  SnapshotHistory history;
  BaselineTracker tracker;
  std::vector<std::uint32_t> ids(100);
  for (std::uint32_t i = 0; i < ids.size(); ++i)
    ids[i] = i + 1;
  history.push(snapshot_of(1, 1, ids));
  tracker.note_sent({1}, parts(std::vector<std::uint32_t>(100, 1)));
  SnapshotAck ack;
  ack.partial.push_back({{1}, 0b10});
  tracker.acknowledge(ack, history);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 1, ids), history), {2}),
            (std::vector<BaselineRun>{{2, {0}}, {2, {1}}, {96, {0}}}));
}

TEST(BaselineTracker, IgnoresAcknowledgementsOfTicksThatWereNeverSent) {
  SnapshotHistory history;
  BaselineTracker tracker;
  history.push(snapshot_of(1, 1, {1}));
  tracker.acknowledge(complete(1), history);
  SnapshotAck ack;
  ack.partial.push_back({{1}, ~std::uint64_t{0}});
  tracker.acknowledge(ack, history);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 1, {1}), history), {2}),
            (std::vector<BaselineRun>{{1, {0}}}));
}

TEST(BaselineTracker, KeepsBaselinesOfBodiesAcrossWorldRevisions) {
  SnapshotHistory history;
  BaselineTracker tracker;
  history.push(snapshot_of(1, 1, {1, 2, 3}));
  tracker.note_sent({1}, parts({3}));
  tracker.acknowledge(complete(1), history);
  // Body 2 despawns and body 9 spawns.
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(2, 2, {1, 3, 9}), history), {2}),
            (std::vector<BaselineRun>{{2, {1}}, {1, {0}}}));
  // An acknowledgement of the old revision still counts for bodies that exist in both.
  history.push(snapshot_of(3, 2, {1, 3, 9}));
  tracker.note_sent({3}, parts({3}));
  (void)baselines_of(tracker.runs(*snapshot_of(4, 3, {3, 9, 10}), history), {4});
  tracker.acknowledge(complete(3), history);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(5, 3, {3, 9, 10}), history), {5}),
            (std::vector<BaselineRun>{{2, {3}}, {1, {0}}}));
}

TEST(BaselineTracker, DoesNotUseABaselineThatIsTooOldForTheClient) {
  SnapshotHistory history;
  BaselineTracker tracker;
  history.push(snapshot_of(1, 1, {1}));
  tracker.note_sent({1}, parts({1}));
  tracker.acknowledge(complete(1), history);
  const std::uint32_t last_good = 1 + max_baseline_age_ticks;
  EXPECT_EQ(tracker.runs(*snapshot_of(last_good, 1, {1}), history),
            (std::vector<ReferenceRun>{{1, {{1}, {1}}}}));
  EXPECT_EQ(tracker.runs(*snapshot_of(last_good + 1, 1, {1}), history),
            (std::vector<ReferenceRun>{{1, {}}}));
}

TEST(BaselineTracker, BitPackedBaselinesExpireEarlier) {
  const std::vector<ReferenceRun> runs{{2, {{50}, {40}}}, {3, {{50}, {45}}}, {4, {{49}, {49}}}};
  const Tick last_good{49 + protocol::bit_packed_window_ticks};
  EXPECT_EQ(baselines_of(runs, last_good), (std::vector<BaselineRun>{{5, {50}}, {4, {49}}}));
  EXPECT_EQ(baselines_of(runs, last_good + 1), (std::vector<BaselineRun>{{5, {50}}, {4, {0}}}));
}

TEST(BaselineTracker, AnAcknowledgedKeyframeIsABaselineOfAllBodies) {
  SnapshotHistory history;
  BaselineTracker tracker;
  const SharedSnapshot keyframe = snapshot_of(7, 2, {1, 5});
  history.push(keyframe);
  tracker.acknowledge_all(*keyframe);
  EXPECT_EQ(baselines_of(tracker.runs(*snapshot_of(8, 2, {1, 5}), history), {8}),
            (std::vector<BaselineRun>{{2, {7}}}));
}

// One tracker is notified of snapshots that are sent whole, another of the same snapshots in two
// parts. Both must have the same references for each body, even if acknowledgements are lost, late
// or of an older revision.
TEST(BaselineTracker, WholeSnapshotsAndTheirPartsGiveTheSameBaselines) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    SnapshotHistory history;
    BaselineTracker whole, split;
    std::uint32_t revision = 1, newest = 0;
    std::vector<std::uint32_t> ids{1, 2, 3, 4};
    for (std::uint32_t tick = 1; tick <= 150; ++tick) {
      if (random.chance(0.05f)) {
        ++revision;
        if (random.chance(0.5f)) ids.erase(ids.begin() + random.below(2));
        ids.push_back(ids.back() + 1);
      }
      const SharedSnapshot now = snapshot_of(tick, revision, ids);
      history.push(now);
      const auto count = static_cast<std::uint32_t>(ids.size());
      whole.note_sent({tick}, parts({count}));
      split.note_sent({tick}, parts({1, count - 1}));
      SnapshotAck ack = complete(tick > newest && random.chance(0.7f) ? tick : newest);
      newest = ack.newest.number;
      for (std::uint32_t i = 0; i < 4; ++i)
        ack.history |= random.chance(0.3f) ? 1U << i : 0U;
      const auto news = whole.acknowledge(ack, history);
      EXPECT_EQ(split.acknowledge(ack, history).size(), news.size());
      if (random.chance(0.1f)) {
        // For `split`, acknowledge first only the part with the first body. After the complete
        // acknowledgement, both trackers must be equal again.
        const SnapshotAck half{.newest = {}, .history = 0, .partial = {{{tick}, 1}}};
        const auto known_before = split.newest_acknowledged();
        split.acknowledge(half, history);
        if (split.newest_acknowledged() == known_before) continue;
        whole.acknowledge(complete(tick), history);
        split.acknowledge(complete(tick), history);
        newest = tick;
      }
      ASSERT_EQ(whole.runs(*now, history), split.runs(*now, history)) << "at tick " << tick;
      if (random.chance(0.1f)) {
        const auto a = whole.acknowledged(*now), b = split.acknowledged(*now);
        ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
      }
    }
  }
}

}  // namespace
}  // namespace jostle::server
