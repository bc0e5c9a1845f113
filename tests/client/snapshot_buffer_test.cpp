#include "client/snapshot_buffer.h"

#include "shared/base/random.h"
#include "tests/client/moving_ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace jostle::client {
namespace {

using Insert = SnapshotBuffer::Insert;
using state::Tick;

/// Returns a part with `count` bodies, the first of which has the index `first`. Each position
/// contains the tick and the body's index.
SnapshotBuffer::Part part(Tick tick, MovingIds ids, std::uint8_t number, std::uint8_t parts,
                          std::uint32_t first, std::uint32_t count) {
  SnapshotBuffer::Part made;
  made.tick = tick;
  made.world_revision = 1;
  made.ids = std::move(ids);
  made.part = number;
  made.parts = parts;
  made.first = first;
  for (std::uint32_t i = 0; i < count; ++i) {
    protocol::QuantizedBody body;
    body.position = {static_cast<std::int32_t>(tick.number), static_cast<std::int32_t>(first + i),
                     0};
    made.bodies.push_back(body);
  }
  return made;
}

SnapshotBuffer::Part whole(Tick tick, const MovingIds& ids) {
  return part(tick, ids, 0, 1, 0, static_cast<std::uint32_t>(ids->size()));
}

TEST(SnapshotBuffer, OrdersSnapshotsByTickNotByArrival) {
  const MovingIds ids = ids_up_to(3);
  std::vector<std::uint32_t> ticks(100);
  std::iota(ticks.begin(), ticks.end(), 1'000U);
  base::Random random(4);
  for (std::size_t i = ticks.size(); i > 1; --i) {
    std::swap(ticks[i - 1], ticks[random.below(static_cast<std::uint32_t>(i))]);
  }
  SnapshotBuffer buffer;
  for (const std::uint32_t tick : ticks) {
    ASSERT_EQ(buffer.insert(whole({tick}, ids)), Insert::Completed);
  }
  ASSERT_EQ(buffer.entries().size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(buffer.entries()[i].tick.number, 1'000 + i);
  }
  EXPECT_EQ(buffer.at({1'040})->find({2})->position[0], 1'040);
  EXPECT_EQ(buffer.at({1'100}), nullptr);
}

TEST(SnapshotBuffer, AcknowledgesPartsUntilTheLastOneCompletesTheSnapshot) {
  const MovingIds ids = ids_up_to(10);
  SnapshotBuffer buffer;
  EXPECT_EQ(buffer.ack(), protocol::SnapshotAck{});
  EXPECT_EQ(buffer.insert(part({50}, ids, 2, 3, 8, 2)), Insert::Added);
  EXPECT_EQ(buffer.insert(part({50}, ids, 0, 3, 0, 4)), Insert::Added);
  EXPECT_EQ(buffer.insert(part({50}, ids, 0, 3, 0, 4)), Insert::AlreadyThere);
  EXPECT_EQ(buffer.at({50})->find({5}), nullptr) << "its part has not arrived";
  EXPECT_EQ(buffer.at({50})->find({9})->position[1], 8);
  EXPECT_EQ(buffer.at({50})->find({11}), nullptr);
  EXPECT_FALSE(buffer.newest_complete());
  const protocol::SnapshotAck ack = buffer.ack();
  EXPECT_EQ(ack.newest, Tick{0});
  ASSERT_EQ(ack.partial.size(), 1U);
  EXPECT_EQ(ack.partial[0], (protocol::PartAck{{50}, 0b101}));

  EXPECT_EQ(buffer.insert(part({50}, ids, 1, 3, 4, 4)), Insert::Completed);
  EXPECT_EQ(buffer.newest_complete(), Tick{50});
  EXPECT_EQ(buffer.ack(), (protocol::SnapshotAck{{50}, 0, {}}));
  EXPECT_EQ(buffer.insert(part({50}, ids, 1, 3, 4, 4)), Insert::AlreadyThere);
}

TEST(SnapshotBuffer, AcknowledgesTheNewestCompleteTickAndItsHistory) {
  const MovingIds ids = ids_up_to(4);
  SnapshotBuffer buffer;
  for (const std::uint32_t tick : {60U, 67U, 98U, 99U, 100U})
    buffer.insert(whole({tick}, ids));
  buffer.insert(part({97}, ids, 0, 2, 0, 2));
  buffer.insert(part({103}, ids, 1, 2, 2, 2));
  const protocol::SnapshotAck ack = buffer.ack();
  EXPECT_EQ(ack.newest, Tick{100});
  // Bit i of the history stands for tick 99 − i. The 32 bits end at tick 68, so ticks 67 and 60 are
  // too old.
  EXPECT_EQ(ack.history, 0b11U);
  ASSERT_EQ(ack.partial.size(), 2U);
  EXPECT_EQ(ack.partial[0], (protocol::PartAck{{97}, 0b01}));
  EXPECT_EQ(ack.partial[1], (protocol::PartAck{{103}, 0b10}));
}

TEST(SnapshotBuffer, SharesAckBitsBetweenNeighboursAboveSixtyFourParts) {
  const MovingIds ids = ids_up_to(130);
  SnapshotBuffer buffer;
  for (const std::uint8_t number : {0, 1, 2, 128, 129}) {
    buffer.insert(part({7}, ids, number, 130, number, 1));
  }
  // Three parts share a bit. Parts 0 to 2 have all arrived, so bit 0 is set. Parts 126 and 127 are
  // missing, so bit 42 is not set. Part 129 is alone in bit 43, which is set.
  const protocol::SnapshotAck ack = buffer.ack();
  ASSERT_EQ(ack.partial.size(), 1U);
  EXPECT_EQ(ack.partial[0].parts, std::uint64_t{1} | (std::uint64_t{1} << 43));
}

TEST(SnapshotBuffer, AcknowledgesAtMostTheEightNewestIncompleteTicks) {
  const MovingIds ids = ids_up_to(4);
  SnapshotBuffer buffer;
  for (std::uint32_t tick = 200; tick < 220; ++tick)
    buffer.insert(part({tick}, ids, 0, 2, 0, 2));
  const protocol::SnapshotAck ack = buffer.ack();
  ASSERT_EQ(ack.partial.size(), 8U);
  EXPECT_EQ(ack.partial.front().tick, Tick{212});
  EXPECT_EQ(ack.partial.back().tick, Tick{219});
}

TEST(SnapshotBuffer, DropsSnapshotsOlderThanTheWindow) {
  const MovingIds ids = ids_up_to(2);
  SnapshotBuffer buffer;
  for (std::uint32_t tick = 1; tick <= 1'000; ++tick)
    buffer.insert(whole({tick}, ids));
  EXPECT_EQ(buffer.entries().size(), SnapshotBuffer::window_ticks);
  EXPECT_NE(buffer.at({1'000 - protocol::baseline_window_ticks}), nullptr);
  EXPECT_EQ(buffer.insert(whole({500}, ids)), Insert::TooOld);
}

TEST(SnapshotBuffer, LimitsTheNumberOfBufferedBodies) {
  const MovingIds ids = ids_up_to(100'000);
  SnapshotBuffer buffer;
  std::size_t most = 0;
  for (std::uint32_t tick = 1; tick <= 60; ++tick) {
    buffer.insert(part({tick}, ids, 0, 64, 0, 10));
    most = std::max(most, buffer.entries().size());
  }
  EXPECT_EQ(most, SnapshotBuffer::max_bodies_held / 100'000);
}

TEST(SnapshotBuffer, RefusesPartsThatContradictOtherPartsOrTheirWorld) {
  const MovingIds ids = ids_up_to(10);
  SnapshotBuffer buffer;
  EXPECT_EQ(buffer.insert(part({5}, ids, 0, 1, 8, 3)), Insert::Contradicts) << "beyond the end";
  EXPECT_EQ(buffer.insert(part({5}, ids, 0, 1, 11, 0)), Insert::Contradicts);
  EXPECT_EQ(buffer.insert(part({5}, ids, 3, 3, 0, 1)), Insert::Contradicts) << "no such part";
  EXPECT_EQ(buffer.insert(part({5}, ids, 0, 0, 0, 1)), Insert::Contradicts);
  EXPECT_EQ(buffer.insert(part({5}, ids, 255, 255, 0, 1)), Insert::Contradicts);
  EXPECT_TRUE(buffer.entries().empty());
  EXPECT_EQ(buffer.insert(part({5}, ids, 0, 3, 0, 5)), Insert::Added);
  EXPECT_EQ(buffer.insert(part({5}, ids, 1, 4, 5, 5)), Insert::Contradicts) << "other count";
  EXPECT_EQ(buffer.insert(part({5}, ids, 1, 3, 4, 5)), Insert::Contradicts) << "overlaps";
  SnapshotBuffer::Part other_world = part({5}, ids, 1, 3, 5, 5);
  other_world.world_revision = 2;
  EXPECT_EQ(buffer.insert(std::move(other_world)), Insert::Contradicts);
  EXPECT_EQ(buffer.at({5})->decoded_bodies, 5U);
}

TEST(SnapshotBuffer, IsCompleteButNotWholeIfBodiesAreLeftOut) {
  const MovingIds ids = ids_up_to(10);
  SnapshotBuffer buffer;
  EXPECT_EQ(buffer.insert(part({5}, ids, 0, 1, 0, 9)), Insert::Completed);
  EXPECT_EQ(buffer.newest_complete(), state::Tick{5});
  EXPECT_FALSE(buffer.at({5})->is_whole());
  EXPECT_EQ(buffer.insert(whole({6}, ids)), Insert::Completed);
  EXPECT_TRUE(buffer.at({6})->is_whole());
  SnapshotBuffer::Part keyframe = whole({5}, ids);
  keyframe.is_keyframe = true;
  EXPECT_EQ(buffer.insert(std::move(keyframe)), Insert::Completed);
  EXPECT_TRUE(buffer.at({5})->is_whole());
}

TEST(SnapshotBuffer, StoresChosenBodiesAtTheirIndices) {
  const MovingIds ids = ids_up_to(10);
  SnapshotBuffer buffer;
  SnapshotBuffer::Part some = part({5}, ids, 0, 2, 1, 3);
  some.chosen = {1, 4, 6};
  some.bodies[1].position = {7, 8, 9};
  EXPECT_EQ(buffer.insert(std::move(some)), Insert::Added);
  const BufferedSnapshot* entry = buffer.at({5});
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->decoded_bodies, 3U);
  ASSERT_NE(entry->find((*ids)[4]), nullptr);
  EXPECT_EQ(entry->find((*ids)[4])->position, (std::array<std::int32_t, 3>{7, 8, 9}));
  EXPECT_EQ(entry->find((*ids)[2]), nullptr);

  for (const std::vector<std::uint32_t>& wrong :
       {std::vector<std::uint32_t>{2, 2, 3}, {5, 3, 7}, {8, 9, 10}, {0, 2}, {2, 3, 4}}) {
    SnapshotBuffer::Part other = part({5}, ids, 1, 2, 1, 3);
    other.chosen = wrong;
    EXPECT_EQ(buffer.insert(std::move(other)), Insert::Contradicts);
  }
}

TEST(SnapshotBuffer, ReplacesThePartsOfATickByItsKeyframe) {
  const MovingIds ids = ids_up_to(10);
  SnapshotBuffer buffer;
  buffer.insert(part({5}, ids, 1, 3, 4, 4));
  SnapshotBuffer::Part keyframe = whole({5}, ids);
  keyframe.is_keyframe = true;
  EXPECT_EQ(buffer.insert(keyframe), Insert::Completed);
  EXPECT_EQ(buffer.insert(keyframe), Insert::AlreadyThere);
  EXPECT_EQ(buffer.insert(part({5}, ids, 1, 3, 4, 4)), Insert::AlreadyThere);
}

TEST(SnapshotLoss, IsTheFractionOfLostParts) {
  const MovingIds ids = ids_up_to(20);
  base::Random random(17);
  for (const float loss : {0.0f, 0.05f, 0.2f}) {
    for (const std::uint32_t interval : {1U, 3U}) {
      SCOPED_TRACE(testing::Message() << "loss " << loss << " interval " << interval);
      SnapshotBuffer buffer;
      double sum = 0, count = 0;
      for (std::uint32_t tick = 300; tick < 6'000; tick += interval) {
        for (std::uint8_t i = 0; i < 2; ++i) {
          if (!random.chance(loss)) buffer.insert(part({tick}, ids, i, 2, i * 10U, 10));
        }
        if (tick < 600) continue;
        sum += buffer.loss(interval);
        ++count;
      }
      EXPECT_NEAR(sum / count, static_cast<double>(loss), 0.015);
    }
  }
}

TEST(SnapshotLoss, IgnoresPartsInFlightAndTheTimeBeforeTheFirstSnapshot) {
  const MovingIds ids = ids_up_to(2);
  SnapshotBuffer buffer;
  SnapshotBuffer::Part keyframe = whole({1'000}, ids);
  keyframe.is_keyframe = true;
  buffer.insert(std::move(keyframe));
  for (std::uint32_t tick = 1'020; tick < 1'060; ++tick)
    buffer.insert(whole({tick}, ids));
  buffer.insert(whole({1'070}, ids));
  EXPECT_EQ(buffer.loss(1), 0);
  EXPECT_EQ(buffer.incomplete(), 0U);
}

TEST(SnapshotLoss, CountsEachIncompleteSnapshotOnce) {
  const MovingIds ids = ids_up_to(4);
  SnapshotBuffer buffer;
  for (std::uint32_t tick = 1; tick <= 400; ++tick) {
    buffer.insert(part({tick}, ids, 0, 2, 0, 2));
    if (tick % 10 != 0) buffer.insert(part({tick}, ids, 1, 2, 2, 2));
  }
  EXPECT_EQ(buffer.incomplete(), (400U - SnapshotBuffer::late_ticks) / 10);
}

}  // namespace
}  // namespace jostle::client
