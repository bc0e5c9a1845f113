#include "server/snapshot_encoder.h"

#include "shared/net/virtual_network.h"
#include "tests/net/slow_io.h"

#include <gtest/gtest.h>

#include <memory>

namespace jostle::server {
namespace {

using state::Tick;

constexpr std::uint32_t bodies = 20;

state::WorldDef world() {
  state::WorldDef made;
  made.revision = 1;
  for (std::uint32_t id = 1; id <= bodies; ++id) {
    state::BodyInfo body;
    body.id = {id};
    body.motion = state::MotionType::Dynamic;
    made.bodies.push_back(body);
  }
  return made;
}

/// Returns the snapshot of a tick. In each tick, the body with the id n moves by n position steps.
SharedSnapshot moving_snapshot(std::uint32_t tick) {
  auto made = std::make_shared<protocol::QuantizedSnapshot>();
  made->tick = {tick};
  made->world_revision = 1;
  for (std::uint32_t id = 1; id <= bodies; ++id) {
    made->ids.push_back({id});
    protocol::QuantizedBody body;
    body.position = {static_cast<std::int32_t>(tick * id), 0, 0};
    body.is_awake = true;
    made->bodies.push_back(body);
  }
  return made;
}

/// Three clients and an encoder at tick 11. Of ticks 1 to 10, one client has acknowledged all, one
/// all but the last, and one only the last two. The clock advances by `us_per_look` at each query.
struct Codings {
  explicit Codings(std::int64_t us_per_look) : io(network.node(1), us_per_look), coder(io) {
    for (std::uint32_t tick = 1; tick <= 10; ++tick) {
      const SharedSnapshot now = moving_snapshot(tick);
      history.push(now);
      everything.acknowledge_all(*now);
      if (tick < 10) all_but_last.acknowledge_all(*now);
      if (tick > 8) last_two.acknowledge_all(*now);
    }
    history.push(moving_snapshot(11));
    coder.begin(moving_snapshot(11), world());
  }
  net::VirtualNetwork network{1};
  net::SlowIo io;
  SnapshotEncoder coder;
  SnapshotHistory history;
  BaselineTracker everything, all_but_last, last_two;
};

TEST(SnapshotEncoder, EncodesOnceForClientsWithTheSameReferences) {
  Codings with(0);
  const SharedParts first = with.coder.whole(with.everything, with.history).parts;
  EXPECT_EQ(with.coder.whole(with.last_two, with.history).parts, first);
}

TEST(SnapshotEncoder, UsesEachClientsNewestReferencesWhileThereIsTime) {
  Codings with(0);
  const SharedParts older = with.coder.whole(with.all_but_last, with.history).parts;
  EXPECT_NE(with.coder.whole(with.everything, with.history).parts, older);
}

TEST(SnapshotEncoder, SharesAnEncodingAgainstOlderReferencesWhenTimeIsShort) {
  Codings with(SnapshotEncoder::own_coding_us + 1);
  const SharedParts older = with.coder.whole(with.all_but_last, with.history).parts;
  EXPECT_EQ(with.coder.whole(with.everything, with.history).parts, older);
  // `last_two` has acknowledged tick 9 but not tick 8, the other reference, so it gets a separate
  // encoding.
  EXPECT_NE(with.coder.whole(with.last_two, with.history).parts, older);
}

TEST(SnapshotEncoder, NeverUsesReferencesThatAClientDoesNotHave) {
  Codings with(SnapshotEncoder::own_coding_us + 1);
  const SharedParts newest = with.coder.whole(with.everything, with.history).parts;
  EXPECT_NE(with.coder.whole(with.all_but_last, with.history).parts, newest);
  BaselineTracker nothing;
  const SharedParts of_nothing = with.coder.whole(nothing, with.history).parts;
  EXPECT_NE(of_nothing, newest);
}

TEST(SnapshotEncoder, BitPacksSnapshotsWithTheLeastEffort) {
  Codings with(0);
  const auto quickly = [&](BaselineTracker& client) -> const EncodedSnapshot& {
    return with.coder.whole(client, with.history, nullptr, Effort::Fast);
  };
  const SharedParts quick = quickly(with.everything).parts;
  EXPECT_EQ(quickly(with.everything).codec, protocol::SnapshotCodec::BitPacked);
  EXPECT_EQ(quickly(with.last_two).parts, quick) << "encoded once for the same references";
  // The normal effort does not reuse this encoding, because a context encoding is smaller. Clients
  // with the least effort then reuse the context encoding.
  const EncodedSnapshot& usual = with.coder.whole(with.everything, with.history);
  EXPECT_EQ(usual.codec, protocol::SnapshotCodec::Context);
  EXPECT_EQ(quickly(with.last_two).parts, usual.parts);
}

TEST(SnapshotEncoder, PausesPredictionsThatTakeTooLong) {
  constexpr std::int64_t us_per_look = SnapshotEncoder::max_coding_us + 1;
  Codings with(us_per_look);
  const BaselinePredictor baseline_predictor({}, 60);
  // Each encoding reads the clock twice, so the number of reads shows what was tried.
  const auto looks_of_coding = [&](std::uint32_t tick) {
    with.history.push(moving_snapshot(tick));
    with.coder.begin(moving_snapshot(tick), world());
    const std::int64_t before_us = with.io.now_us();
    (void)with.coder.whole(with.everything, with.history, &baseline_predictor);
    return (with.io.now_us() - before_us) / us_per_look - 1;
  };
  EXPECT_EQ(looks_of_coding(12), 4) << "a failed prediction and an encoding";
  EXPECT_EQ(looks_of_coding(13), 2);
  EXPECT_EQ(looks_of_coding(12 + PredictionBaselineBudget::first_pause_ticks - 1), 2);
}

TEST(PredictionBaselineBudget, AllowsPredictionsThatFitTheTimeLeft) {
  PredictionBaselineBudget budget(6'000);
  EXPECT_TRUE(budget.allows({1}, 10, 1)) << "no duration is known yet";
  budget.note({1}, 10, 3'000);
  EXPECT_TRUE(budget.allows({2}, 20, 6'000));
  EXPECT_FALSE(budget.allows({3}, 21, 6'000));
  EXPECT_FALSE(budget.allows({4}, 10, 2'000));
  EXPECT_TRUE(budget.allows({5}, 5, 2'000));
}

TEST(PredictionBaselineBudget, RetriesAPredictionThatDidNotFitAfterAWhile) {
  PredictionBaselineBudget budget(6'000);
  budget.note({1}, 1, 6'000);
  std::uint32_t tick = 2;
  while (!budget.allows({tick}, 2, 6'000))
    ++tick;
  EXPECT_GT(tick, 20U);
  EXPECT_LT(tick, 120U);
}

TEST(PredictionBaselineBudget, DoublesThePauseAfterEachPredictionThatTookTooLong) {
  PredictionBaselineBudget budget(6'000);
  std::uint32_t tick = 10;
  for (const std::uint32_t pause : {60U, 120U, 240U, 480U, 960U, 1'920U, 3'840U, 7'200U, 7'200U}) {
    budget.note({tick}, 100'000, 50'000);
    EXPECT_FALSE(budget.allows({tick + pause - 1}, 1, 6'000));
    EXPECT_TRUE(budget.allows({tick + pause}, 1, 6'000));
    tick += pause;
  }
  budget.note({tick}, 10, 1'000);
  budget.note({tick + 1}, 100'000, 50'000);
  EXPECT_TRUE(budget.allows({tick + 1 + PredictionBaselineBudget::first_pause_ticks}, 1, 6'000));
}

TEST(BaselineTracker, RemembersWhichSnapshotsAreFullyAcknowledged) {
  BaselineTracker tracker;
  EXPECT_FALSE(tracker.has_acknowledged_all({0}));
  tracker.acknowledge_all(*moving_snapshot(5));
  EXPECT_TRUE(tracker.has_acknowledged_all({5}));
  EXPECT_FALSE(tracker.has_acknowledged_all({4}));
  tracker.acknowledge_all(*moving_snapshot(5 + protocol::baseline_window_ticks));
  EXPECT_FALSE(tracker.has_acknowledged_all({5}));
}

}  // namespace
}  // namespace jostle::server
