#include "client/update_intervals.h"

#include "tests/client/moving_ids.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace jostle::client {
namespace {

/// Returns a snapshot that contains only the bodies with these indices. Each position contains the
/// tick.
BufferedSnapshot received(std::uint32_t tick, const MovingIds& ids,
                          const std::vector<std::size_t>& indices) {
  BufferedSnapshot snapshot;
  snapshot.tick = {tick};
  snapshot.world_revision = 1;
  snapshot.ids = ids;
  snapshot.decoded_parts.set(0);
  snapshot.decoded_count = 1;
  snapshot.bodies.resize(ids->size());
  snapshot.is_decoded.resize(ids->size());
  for (const std::size_t i : indices) {
    snapshot.bodies[i].position[0] = static_cast<std::int32_t>(tick);
    snapshot.is_decoded[i] = true;
    ++snapshot.decoded_bodies;
  }
  return snapshot;
}

TEST(UpdateIntervals, AreZeroIfSnapshotsAreWhole) {
  const MovingIds ids = ids_up_to(2);
  UpdateIntervals gaps;
  for (std::uint32_t tick = 1; tick < 20; ++tick)
    gaps.add(received(tick, ids, {0, 1}));
  EXPECT_EQ(gaps.usual_ticks(), 0);
}

TEST(UpdateIntervals, MeasureTheTimeBetweenUpdatesOfMovingBodies) {
  const MovingIds ids = ids_up_to(4);
  UpdateIntervals gaps;
  for (std::uint32_t tick = 1; tick < 200; ++tick)
    gaps.add(received(tick, ids, {tick % 4}));
  EXPECT_EQ(gaps.usual_ticks(), 4);
  // The link improves twice. First, each body is in every second snapshot. Then, one snapshot
  // contains all bodies.
  for (std::uint32_t tick = 200; tick < 800; ++tick)
    gaps.add(received(tick, ids, {2 * (tick % 2), 2 * (tick % 2) + 1}));
  EXPECT_EQ(gaps.usual_ticks(), 2);
  gaps.add(received(800, ids, {0, 1, 2, 3}));
  EXPECT_EQ(gaps.usual_ticks(), 0);
}

TEST(UpdateIntervals, IgnoreBodiesAtRest) {
  const MovingIds ids = ids_up_to(3);
  UpdateIntervals gaps;
  for (std::uint32_t tick = 1; tick < 400; ++tick) {
    BufferedSnapshot snapshot = received(tick, ids, {tick % 2});
    if (tick % 50 == 0) {
      snapshot = received(tick, ids, {2});
      snapshot.bodies[2] = {};
    }
    gaps.add(snapshot);
  }
  EXPECT_LE(gaps.usual_ticks(), 4);
}

TEST(UpdateIntervals, IgnoreLateSnapshotsAndOtherWorlds) {
  UpdateIntervals gaps;
  const MovingIds few = ids_up_to(2), many = ids_up_to(9);
  gaps.add(received(10, few, {0}));
  gaps.add(received(9, few, {0}));
  gaps.add(received(11, many, {8}));
  gaps.add(received(12, few, {1}));
  EXPECT_EQ(gaps.usual_ticks(), 0) << "no body was updated twice in one world";
}

}  // namespace
}  // namespace jostle::client
