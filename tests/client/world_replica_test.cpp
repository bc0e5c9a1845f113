#include "client/world_replica.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::client {
namespace {

using Outcome = WorldReplica::Outcome;
using state::BodyId;
using state::BodyInfo;
using state::MotionType;

BodyInfo body(std::uint32_t id, MotionType motion = MotionType::Dynamic) {
  BodyInfo info;
  info.id = {id};
  info.motion = motion;
  info.pose.position = {static_cast<double>(id), 0, 0};
  return info;
}

state::WorldDef world(std::uint32_t revision, std::vector<BodyInfo> bodies) {
  state::WorldDef def;
  def.revision = revision;
  def.bodies = std::move(bodies);
  return def;
}

state::WorldChange change(std::uint32_t revision, std::vector<BodyId> despawns,
                          std::vector<BodyInfo> spawns) {
  return {revision, std::move(despawns), std::move(spawns)};
}

std::vector<std::uint32_t> ids_at(const WorldReplica& replica, std::uint32_t revision) {
  std::vector<std::uint32_t> ids;
  replica.for_each_at(revision, [&](const WorldReplica::Resident& resident) {
    ids.push_back(resident.info.id.value);
  });
  return ids;
}

using Ids = std::vector<std::uint32_t>;

TEST(WorldReplica, AppliesChangesInOrderOfRevision) {
  WorldReplica replica;
  EXPECT_TRUE(replica.is_empty());
  EXPECT_EQ(replica.replace(world(4, {body(1), body(5)})), Outcome::Applied);
  EXPECT_EQ(replica.change(change(6, {BodyId{7}}, {})), Outcome::Held);
  EXPECT_EQ(replica.revision(), 4U);
  EXPECT_EQ(replica.change(change(5, {BodyId{1}}, {body(7), body(9)})), Outcome::Applied);
  EXPECT_EQ(replica.revision(), 6U);
  EXPECT_EQ(replica.world(), world(6, {body(5), body(9)}));
  EXPECT_EQ(replica.change(change(6, {BodyId{9}}, {})), Outcome::Ignored);
}

TEST(WorldReplica, HoldsChangesThatArriveBeforeTheWorld) {
  WorldReplica replica;
  EXPECT_EQ(replica.change(change(4, {BodyId{8}}, {body(9)})), Outcome::Held);
  EXPECT_EQ(replica.change(change(3, {}, {body(8)})), Outcome::Held);
  EXPECT_EQ(replica.change(change(2, {}, {body(1)})), Outcome::Held);
  EXPECT_EQ(replica.replace(world(2, {body(1)})), Outcome::Applied);
  EXPECT_EQ(replica.world(), world(4, {body(1), body(9)}))
      << "change 2 was already part of the world";
}

TEST(WorldReplica, KnowsTheMovingBodiesOfEveryAppliedRevision) {
  WorldReplica replica;
  replica.replace(world(1, {body(1, MotionType::Static), body(2), body(3, MotionType::Kinematic)}));
  replica.change(change(2, {BodyId{2}}, {body(4)}));
  EXPECT_EQ(*replica.moving_ids(1), (std::vector<BodyId>{{2}, {3}}));
  EXPECT_EQ(*replica.moving_ids(2), (std::vector<BodyId>{{3}, {4}}));
  EXPECT_EQ(replica.moving_ids(3), nullptr);
  replica.replace(world(9, {body(4)}));
  EXPECT_EQ(replica.moving_ids(8), nullptr) << "no message described this revision";
  EXPECT_EQ(*replica.moving_ids(9), (std::vector<BodyId>{{4}}));
}

TEST(WorldReplica, KeepsTheBodiesOfOlderRevisionsUntilForgetDeparted) {
  WorldReplica replica;
  replica.replace(world(1, {body(1), body(2)}));
  replica.change(change(2, {BodyId{1}}, {body(3)}));
  replica.change(change(3, {BodyId{3}}, {}));
  EXPECT_EQ(ids_at(replica, 1), (Ids{1, 2}));
  EXPECT_EQ(ids_at(replica, 2), (Ids{2, 3}));
  EXPECT_EQ(ids_at(replica, 3), (Ids{2}));
  EXPECT_NE(replica.spawn_pose({1}), nullptr);
  replica.forget_departed(2);
  EXPECT_EQ(replica.spawn_pose({1}), nullptr);
  EXPECT_EQ(ids_at(replica, 2), (Ids{2, 3}));
  replica.forget_departed(3);
  EXPECT_EQ(ids_at(replica, 3), (Ids{2}));
  EXPECT_EQ(*replica.spawn_pose({2}), protocol::quantize(body(2).pose, true));
}

TEST(WorldReplica, IsReplacedOnlyByANewerWorld) {
  WorldReplica replica;
  replica.replace(world(5, {body(1), body(2)}));
  EXPECT_EQ(replica.replace(world(5, {})), Outcome::Ignored);
  EXPECT_EQ(replica.replace(world(4, {})), Outcome::Ignored);
  EXPECT_EQ(replica.change(change(9, {}, {body(6)})), Outcome::Held);
  EXPECT_EQ(replica.replace(world(8, {body(2), body(4)})), Outcome::Applied);
  EXPECT_EQ(replica.world(), world(9, {body(2), body(4), body(6)}));
  EXPECT_EQ(ids_at(replica, 5), (Ids{1, 2}));
  EXPECT_EQ(ids_at(replica, 8), (Ids{2, 4}));
}

TEST(WorldReplica, RefusesChangesThatDoNotFitTheWorld) {
  const auto replica_of_two = [] {
    WorldReplica replica;
    replica.replace(world(1, {body(1), body(2)}));
    replica.change(change(2, {BodyId{1}}, {}));
    return replica;
  };
  EXPECT_EQ(replica_of_two().change(change(3, {BodyId{7}}, {})), Outcome::Broken);
  EXPECT_EQ(replica_of_two().change(change(3, {}, {body(2)})), Outcome::Broken);
  EXPECT_EQ(replica_of_two().change(change(3, {}, {body(1)})), Outcome::Broken) << "used before";
  EXPECT_EQ(WorldReplica().replace(world(1, {body(2), body(1)})), Outcome::Broken);
  EXPECT_EQ(WorldReplica().replace(world(1, {body(2), body(2)})), Outcome::Broken);
}

TEST(WorldReplica, LimitsHeldChangesRevisionsAndDepartedBodies) {
  WorldReplica early;
  for (std::uint32_t i = 0; i < WorldReplica::max_held_changes; ++i) {
    ASSERT_EQ(early.change(change(10 + i, {}, {})), Outcome::Held);
  }
  EXPECT_EQ(early.change(change(5'000, {}, {})), Outcome::Broken);

  WorldReplica replica;
  replica.replace(world(1, {}));
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    std::vector<BodyId> gone;
    if (i > 0) gone.push_back({i});
    ASSERT_EQ(replica.change(change(2 + i, gone, {body(i + 1)})), Outcome::Applied);
  }
  EXPECT_EQ(replica.moving_ids(2), nullptr);
  EXPECT_NE(replica.moving_ids(40'001), nullptr);
  EXPECT_EQ(ids_at(replica, 40'001), (Ids{40'000}));
  EXPECT_EQ(replica.spawn_pose({100}), nullptr);
}

}  // namespace
}  // namespace jostle::client
