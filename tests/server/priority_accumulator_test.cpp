#include "server/priority_accumulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace jostle::server {
namespace {

using protocol::context::BaselinePair;
using protocol::context::BodyFacts;

/// Bodies in a row along x, one metre apart, with ids from 1.
struct Row {
  protocol::QuantizedSnapshot now;
  std::vector<BodyFacts> facts;
  std::vector<state::PlayerId> owners;
  std::vector<BaselinePair> acknowledged;
  PriorityAccumulator priorities;

  explicit Row(std::size_t count) {
    now.tick = {100};
    now.world_revision = 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      now.ids.push_back({i + 1});
      protocol::QuantizedBody body;
      body.position = {static_cast<std::int32_t>(512 * i), 0, 0};
      body.smallest = {256, 256, 256};
      now.bodies.push_back(body);
    }
    facts.resize(count);
    owners.resize(count);
    acknowledged.assign(count, {{100}, {99}});
    priorities.begin(now);
  }
  void move(std::size_t body, std::int32_t steps) { now.bodies[body].position[2] += steps; }
  void move_all(std::int32_t steps) {
    for (std::size_t i = 0; i < now.bodies.size(); ++i)
      move(i, steps);
  }
  /// Sends all bodies twice, so that the accumulator knows that unchanged bodies are at rest.
  void settle() {
    for (int i = 0; i < 2; ++i) {
      next();
      std::vector<std::uint32_t> all(now.ids.size());
      for (std::uint32_t k = 0; k < all.size(); ++k)
        all[k] = k;
      priorities.note_sent(now, nullptr, all);
      deliver();
    }
  }
  void next() { now.tick = now.tick + 1; }
  /// Acknowledges everything sent so far.
  void deliver() { acknowledged.assign(now.ids.size(), {now.tick, now.tick}); }
  PriorityAccumulator::Choice pick(std::size_t most,
                                   const protocol::SetInterest* interest = nullptr,
                                   state::PlayerId player = {}) {
    return priorities.pick({&now, facts, owners},
                           {.interest = interest,
                            .player = player,
                            .acknowledged = acknowledged,
                            .patience_ticks = 10},
                           most);
  }
  using Indices = std::vector<std::uint32_t>;
};

TEST(PriorityAccumulator, SendsABodyAtRestTwice) {
  Row row(3);
  row.next();
  EXPECT_EQ(row.pick(10).bodies, (Row::Indices{0, 1, 2}))
      << "so that the client stops extrapolating";
  row.settle();
  row.next();
  EXPECT_TRUE(row.pick(10).bodies.empty());
  EXPECT_FALSE(row.pick(10).is_short);
}

TEST(PriorityAccumulator, SendsTheLargestErrorsFirst) {
  Row row(5);
  row.settle();
  row.next();
  row.move(1, 50);
  row.move(2, 500);
  row.move(4, 100);
  const PriorityAccumulator::Choice choice = row.pick(2);
  EXPECT_EQ(choice.bodies, (Row::Indices{2, 4}));
  EXPECT_EQ(choice.changed, 2U);
  EXPECT_TRUE(choice.is_short);
  EXPECT_EQ(row.pick(3).bodies, (Row::Indices{1, 2, 4}));
  EXPECT_FALSE(row.pick(3).is_short);
}

TEST(PriorityAccumulator, WeightsRotationErrorsByBodySize) {
  Row row(2);
  row.settle();
  row.facts[0].reach = 10;
  row.facts[1].reach = 1'000;
  row.next();
  for (protocol::QuantizedBody& body : row.now.bodies)
    body.smallest[0] += 20;
  EXPECT_EQ(row.pick(1).bodies, (Row::Indices{1}));
}

TEST(PriorityAccumulator, BodiesAtConstantVelocityMayWaitALimitedTime) {
  Row row(2);
  row.settle();
  protocol::QuantizedSnapshot before = row.now;
  row.next();
  row.move(0, 100);
  row.move(1, 20);
  row.priorities.note_sent(row.now, &before, row.pick(2).bodies);
  for (int i = 0; i < 3; ++i) {
    row.next();
    row.move(0, 100);  // constant velocity
    row.move(1, -20);  // backwards
    EXPECT_EQ(row.pick(1).bodies, (Row::Indices{1})) << i;
  }
  for (int i = 0; i < 12; ++i) {
    row.next();
    row.move(0, 100);
    row.move(1, -20);
  }
  EXPECT_EQ(row.pick(1).bodies, (Row::Indices{0}))
      << "the client has no state to interpolate towards";
}

TEST(PriorityAccumulator, SendsEveryBodyEventually) {
  constexpr std::size_t count = 100, most = 7;
  Row row(count);
  row.settle();
  std::set<std::uint32_t> sent;
  for (std::size_t tick = 0; tick < (count + most - 1) / most + 1; ++tick) {
    row.next();
    row.move_all(3);
    const PriorityAccumulator::Choice choice = row.pick(most);
    EXPECT_EQ(choice.changed, most);
    row.priorities.note_sent(row.now, nullptr, choice.bodies);
    sent.insert(choice.bodies.begin(), choice.bodies.end());
  }
  EXPECT_EQ(sent.size(), count);
}

TEST(PriorityAccumulator, SendsBodiesBeyondTheRadiusOnlyIfNamedOrOwned) {
  Row row(100);
  row.settle();
  row.next();
  row.move_all(100);
  protocol::SetInterest interest;
  interest.radius = 4.5f;
  interest.bodies = {{91}};
  row.owners[80] = {7};
  EXPECT_EQ(row.pick(100, &interest, {7}).bodies, (Row::Indices{0, 1, 2, 3, 4, 80, 90}));
  EXPECT_EQ(row.pick(2, &interest, {7}).bodies, (Row::Indices{80, 90})) << "they come first";
}

TEST(PriorityAccumulator, SendsNearAndVisibleBodiesFirst) {
  Row row(100);
  row.settle();
  row.next();
  row.move_all(100);
  protocol::SetInterest interest;
  interest.eye = {50, 0, 0};
  const auto near = row.pick(11, &interest).bodies;
  EXPECT_EQ(near.front(), 45U);
  EXPECT_EQ(near.back(), 55U);
  interest.forward = {1, 0, 0};
  interest.half_angle = 0.5f;
  const auto seen = row.pick(20, &interest).bodies;
  // The bodies near the eye are chosen first. The rest of the chosen bodies are in front of the
  // eye.
  EXPECT_GE(seen.front(), 45U);
  EXPECT_GE(seen.back(), 60U);
}

TEST(PriorityAccumulator, ResendsLostStates) {
  Row row(3);
  row.settle();
  row.next();
  row.move(1, 100);
  row.priorities.note_sent(row.now, nullptr, row.pick(5).bodies);
  row.next();
  // The body is sent again unchanged, so it counts as at rest.
  row.priorities.note_sent(row.now, nullptr, row.pick(5).bodies);
  for (int i = 0; i <= 10; ++i) {
    EXPECT_TRUE(row.pick(5).bodies.empty()) << "it may still be in transit";
    row.next();
  }
  EXPECT_EQ(row.pick(5).bodies, (Row::Indices{1}));
  row.deliver();
  EXPECT_TRUE(row.pick(5).bodies.empty());
}

TEST(PriorityAccumulator, RenewsReferencesBeforeTheyExpire) {
  Row row(4);
  row.settle();
  for (int i = 0; i < 150; ++i)
    row.next();
  EXPECT_EQ(row.pick(5).bodies, (Row::Indices{0, 1, 2, 3}));
  for (int i = 0; i < 150; ++i)
    row.next();
  EXPECT_TRUE(row.pick(5).bodies.empty()) << "too late: the reference has expired";
}

TEST(PriorityAccumulator, MovingBodiesWithOldReferencesGetAShare) {
  Row row(40);
  row.settle();
  for (int i = 0; i < 150; ++i)
    row.next();
  for (std::size_t i = 0; i < 40; ++i)
    row.move(i, i < 30 ? 1'000 : 1);
  for (std::size_t i = 0; i < 30; ++i)
    row.acknowledged[i] = {row.now.tick, row.now.tick};
  const auto bodies = row.pick(20).bodies;
  EXPECT_EQ(bodies.size(), 20U);
  EXPECT_EQ(std::count_if(bodies.begin(), bodies.end(), [](auto i) { return i >= 30; }), 10);
}

TEST(PriorityAccumulator, HandlesSpawnsAndDespawns) {
  Row row(3);
  row.settle();
  row.next();
  row.now.world_revision = 2;
  row.now.ids = {{1}, {3}, {9}};
  row.now.bodies[1] = row.now.bodies[2];
  row.move(1, 100);
  EXPECT_EQ(row.pick(1).bodies, (Row::Indices{1})) << "the new body is at its spawn pose";
  EXPECT_EQ(row.pick(9).changed, 1U);
}

}  // namespace
}  // namespace jostle::server
