#include "shared/sim/pushes.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::sim {
namespace {

using state::ActionKind;

class Actions : public testing::Test {
 protected:
  void SetUp() override {
    simulation_ = simulate(small_scene());
    step(*simulation_, {state::JoinCommand{ann, "Ann"}, state::JoinCommand{bob, "Bob"}});
  }
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(Actions, PushChangesMomentumByItsImpulse) {
  step(*simulation_, {input_of(ann, {{ActionKind::Push, crate_id, {}, {0, 150, 0}}})});
  // The impulse accelerates the 100 kg by 1.5 m/s, and gravity acts for one step.
  EXPECT_NEAR(velocity_of(*simulation_, crate_id).y, 1.5f - 9.81f / 60.0f, 0.01f);
}

TEST_F(Actions, PushIsLimitedToMaxPushImpulse) {
  step(*simulation_, {input_of(ann, {{ActionKind::Push, crate_id, {}, {0, 1e6f, 0}}})});
  EXPECT_LE(velocity_of(*simulation_, crate_id).y, 2.0f);
}

TEST_F(Actions, PushIgnoresStaticMissingAndOtherPlayersBodies) {
  const state::BodyId other = simulation_->player_body(bob);
  const math::Position before = position_of(*simulation_, other);
  step(*simulation_, {input_of(ann, {{ActionKind::Push, {1}, {}, {0, 150, 0}},
                                     {ActionKind::Push, other, {}, {0, 150, 0}},
                                     {ActionKind::Push, {999}, {}, {0, 150, 0}},
                                     {ActionKind::Push, {}, {}, {0, 150, 0}}})});
  EXPECT_NEAR(position_of(*simulation_, other).y, before.y, 0.01);
}

TEST_F(Actions, PushPointIsClampedToTheBody) {
  step(*simulation_, {input_of(ann, {{ActionKind::Push, crate_id, {1e5f, 0, 0}, {0, 0, 200}}})});
  const auto body = *simulation_->find_body(crate_id);
  // ω ≤ r·J/I, where r is at most the diagonal of the bounding box, √3 m, and I is m/6.
  EXPECT_LE(math::length(simulation_->world().angular_velocity(body)),
            1.75f * 200.0f / (100.0f / 6.0f));
}

TEST_F(Actions, OldestShotIsRemovedAboveTheLimit) {
  const std::uint32_t limit = simulation_->scene().player.max_shots_alive;
  const std::size_t bodies = simulation_->world_def().bodies.size();
  for (std::uint32_t i = 0; i < limit + 5; ++i) {
    step(*simulation_, {input_of(ann, {{ActionKind::Shoot, {}, {5, 5, 0}, {0, 0, 30}}})});
  }
  EXPECT_EQ(simulation_->world_def().bodies.size(), bodies + limit);
  const state::BodyInfo& newest = simulation_->world_def().bodies.back();
  EXPECT_EQ(newest.owner, ann);
  EXPECT_NEAR(velocity_of(*simulation_, newest.id).z, 30.0f, 0.5f);

  step(*simulation_, {state::LeaveCommand{ann}});
  EXPECT_EQ(simulation_->world_def().bodies.size(), bodies - 1)
      << "shots are removed with their player";
}

TEST_F(Actions, ShotsMustStartNearTheirPlayerAndKeepTheSpeedLimit) {
  const std::size_t bodies = simulation_->world_def().bodies.size();
  step(*simulation_, {input_of(ann, {{ActionKind::Shoot, {}, {500, 5, 0}, {0, 0, 30}}})});
  EXPECT_EQ(simulation_->world_def().bodies.size(), bodies);
  step(*simulation_, {input_of(ann, {{ActionKind::Shoot, {}, {5, 5, 0}, {0, 0, 1e5f}}})});
  const state::BodyId shot = simulation_->world_def().bodies.back().id;
  EXPECT_LE(math::length(velocity_of(*simulation_, shot)),
            simulation_->scene().player.max_shot_speed * 1.01f);
}

TEST_F(Actions, DragMovesTheBodyToItsTargetUntilReleased) {
  const math::Vec3 target{1, 2, 1};
  for (int i = 0; i < 120; ++i) {
    step(*simulation_, {input_of(ann, {{ActionKind::Grab, crate_id, {}, target}})});
  }
  const math::Vec3 error = position_of(*simulation_, crate_id) - math::to_position(target);
  EXPECT_LT(math::length(error), 0.1f) << "the spring sags a little under gravity";
  // The velocity contains half a step of gravity, which the next drag removes.
  EXPECT_LT(math::length(velocity_of(*simulation_, crate_id)), 9.81f / 60.0f);
  step_many(*simulation_, 90);
  EXPECT_NEAR(position_of(*simulation_, crate_id).y, 0.5, 0.02) << "it falls after the drag ends";
}

TEST_F(Actions, DragAtACornerStaysStable) {
  for (int i = 0; i < 240; ++i) {
    step(*simulation_,
         {input_of(ann, {{ActionKind::Grab, crate_id, {0.5f, 0.5f, 0.5f}, {0, 3, 0}}})});
    const auto body = *simulation_->find_body(crate_id);
    ASSERT_LT(math::length(simulation_->world().angular_velocity(body)), 15.0f) << "tick " << i;
  }
}

TEST_F(Actions, SpawnedCrateCountsAsAShot) {
  const std::uint32_t limit = simulation_->scene().player.max_shots_alive;
  const std::size_t bodies = simulation_->world_def().bodies.size();
  step(*simulation_, {input_of(ann, {{ActionKind::Spawn, {}, {5, 5, 0}, {}}})});
  const state::BodyInfo& made = simulation_->world_def().bodies.back();
  EXPECT_EQ(made.owner, ann);
  EXPECT_EQ(made.shapes[0].shape.kind, state::ShapeKind::Box);
  EXPECT_NEAR(position_of(*simulation_, made.id).y, 5, 0.01);
  for (std::uint32_t i = 0; i < limit + 5; ++i)
    step(*simulation_, {input_of(ann, {{ActionKind::Shoot, {}, {5, 9, 0}, {0, 0, 30}}})});
  EXPECT_EQ(simulation_->world_def().bodies.size(), bodies + limit);
}

TEST_F(Actions, BlastPushesNearbyBodiesButNotItsPlayer) {
  const math::Position crate = position_of(*simulation_, crate_id);
  const math::Position own = position_of(*simulation_, simulation_->player_body(ann));
  const math::Vec3 beside = math::to_vec3(crate) - math::Vec3{3, 0, 0};
  step(*simulation_, {input_of(ann, {{ActionKind::Blast, {}, beside, {8, 0, 0}},
                                     {ActionKind::Blast, {}, beside, {8, 0, 0}}})});
  // At half of the radius, the speed is half of 8 m/s. The second blast in the tick has no effect.
  EXPECT_NEAR(velocity_of(*simulation_, crate_id).x, 4.0f, 0.3f);
  EXPECT_NEAR(position_of(*simulation_, simulation_->player_body(ann)).x, own.x, 0.01);
  EXPECT_NEAR(position_of(*simulation_, simulation_->player_body(bob)).y,
              position_of(*simulation_, simulation_->player_body(ann)).y, 0.05);
}

TEST_F(Actions, BlastIsLimitedInSpeedAndRadius) {
  const math::Vec3 at = math::to_vec3(position_of(*simulation_, crate_id));
  step(*simulation_,
       {input_of(ann, {{ActionKind::Blast, {}, at + math::Vec3{7, 0, 0}, {8, 0, 0}}})});
  EXPECT_NEAR(velocity_of(*simulation_, crate_id).x, 0, 0.05f);
  step(*simulation_, {input_of(ann, {{ActionKind::Blast, {}, at, {-8, 0, 0}}})});
  EXPECT_LT(velocity_of(*simulation_, crate_id).y, 0.1f);
  step(*simulation_,
       {input_of(ann, {{ActionKind::Blast, {}, at - math::Vec3{0, 1, 0}, {1e6f, 0, 0}}})});
  EXPECT_LE(velocity_of(*simulation_, crate_id).y, 15.0f);
  EXPECT_GT(velocity_of(*simulation_, crate_id).y, 8.0f);
}

TEST(ActionLimits, ShortenVectorsWithoutTurningThem) {
  EXPECT_EQ(limited({3, 4, 0}, 10), (math::Vec3{3, 4, 0}));
  EXPECT_EQ(limited({3, 4, 0}, 1), (math::Vec3{0.6f, 0.8f, 0}));
}

TEST(ActionLimits, ReplaceNonFiniteVectorsByZero) {
  EXPECT_EQ(limited({0, std::nanf(""), 0}, 1), math::Vec3{});
  EXPECT_EQ(limited({HUGE_VALF, 0, 0}, 1), math::Vec3{});
}

}  // namespace
}  // namespace jostle::sim
