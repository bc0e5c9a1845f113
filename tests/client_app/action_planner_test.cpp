#include "client/controls/action_planner.h"

#include "client/controls/script.h"
#include "client/render/picking.h"
#include "client/render/shown_bodies.h"
#include "tests/client_app/fake_scene.h"

#include <gtest/gtest.h>

namespace jostle::controls {
namespace {

constexpr state::PlayerId player{1};
constexpr state::BodyId crate{2}, ball{3};

/// A crate in front of the camera on the z axis and the player's ball beside it.
class ActionPlannerTest : public testing::Test {
 protected:
  ActionPlannerTest() : scene_({0, 0, 0}) {
    scene_.add(state::box({0.5f, 0.5f, 0.5f}), {0, 2, 0}, {}, state::MotionType::Dynamic, {});
    scene_.add(state::sphere(0.5f), {4, 0.5f, 0}, {}, state::MotionType::Dynamic, {}).owner =
        player;
    bodies_ = scene_.shown();
    rig_.set({.eye = {0, 2, 10}, .target = {0, 2, 0}});
  }

  Shown shown() const { return {bodies_, player, rig_.view(), {800, 600}, rig_.mode()}; }

  render::FakeScene scene_;
  std::vector<client::ShownBody> bodies_;
  render::CameraRig rig_;
  ActionPlanner planner_;
};

TEST_F(ActionPlannerTest, PicksTheNearestBodyExceptThePlayersOwn) {
  const auto hit = render::pick({{0, 2, 10}, {0, 0, -1}}, bodies_, player);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body->info->id, crate);
  EXPECT_NEAR(hit->distance, 9.5f, 1e-3f);
  EXPECT_NEAR(hit->point_local.z, 0.5f, 1e-3f);
  const render::Ray at_ball{{4, 0.5, 10}, {0, 0, -1}};
  EXPECT_EQ(render::pick(at_ball, bodies_, {})->body->info->id, ball);
  EXPECT_FALSE(render::pick(at_ball, bodies_, player));
}

TEST_F(ActionPlannerTest, MovesAwayFromTheCameraOnTheGround) {
  UserInput user;
  user.forward = 1;
  const state::PlayerInput input = planner_.plan(user, shown());
  EXPECT_NEAR(input.move_x, 0, 1e-5);
  EXPECT_NEAR(input.move_z, -1, 1e-5);
}

TEST_F(ActionPlannerTest, PushesAClickedBodyAwayFromTheCamera) {
  UserInput user;
  user.pushes = {{400, 300}};
  const state::PlayerInput input = planner_.plan(user, shown());
  ASSERT_EQ(input.actions.size(), 1U);
  EXPECT_EQ(input.actions[0].kind, state::ActionKind::Push);
  EXPECT_EQ(input.actions[0].body, crate);
  EXPECT_LT(input.actions[0].vector.z, 0);
}

TEST_F(ActionPlannerTest, PushesNothingIfTheGroundIsClicked) {
  UserInput user;
  user.pushes = {{100, 590}};
  EXPECT_TRUE(planner_.plan(user, shown()).actions.empty());
}

TEST_F(ActionPlannerTest, ShootsTowardsTheCursor) {
  UserInput user;
  user.shots = {{400, 300}};
  const state::PlayerInput input = planner_.plan(user, shown());
  ASSERT_EQ(input.actions.size(), 1U);
  const state::Action& shot = input.actions[0];
  EXPECT_EQ(shot.kind, state::ActionKind::Shoot);
  EXPECT_TRUE(shot.body.is_null());
  const auto hit =
      render::pick({math::to_position(shot.point), math::normalized_or(shot.vector, {0, 1, 0})},
                   bodies_, player);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body->info->id, crate);
}

TEST_F(ActionPlannerTest, DragsTheGrabbedPointOnAPlaneFacingTheCamera) {
  UserInput user;
  user.is_dragging = true;
  user.cursor = {400, 300};
  const state::PlayerInput first = planner_.plan(user, shown());
  ASSERT_EQ(first.actions.size(), 1U);
  EXPECT_EQ(first.actions[0].kind, state::ActionKind::Grab);
  EXPECT_NEAR(first.actions[0].vector.z, 0.5f, 1e-3f);

  user.cursor = {400, 100};
  const state::PlayerInput second = planner_.plan(user, shown());
  ASSERT_EQ(second.actions.size(), 1U);
  EXPECT_EQ(second.actions[0].point, first.actions[0].point);
  EXPECT_NEAR(second.actions[0].vector.z, 0.5f, 1e-3f);
  EXPECT_GT(second.actions[0].vector.y, 3.0f);

  user.is_dragging = false;
  EXPECT_TRUE(planner_.plan(user, shown()).actions.empty());
  EXPECT_FALSE(planner_.grab());
}

TEST_F(ActionPlannerTest, ReleasesABodyThatDisappears) {
  UserInput user;
  user.is_dragging = true;
  user.cursor = {400, 300};
  static_cast<void>(planner_.plan(user, shown()));
  ASSERT_TRUE(planner_.grab());
  bodies_.erase(bodies_.begin() + 1);
  EXPECT_TRUE(planner_.plan(user, shown()).actions.empty());
}

TEST_F(ActionPlannerTest, LimitsTheActionsOfAnInput) {
  UserInput user;
  user.shots.assign(9, {400, 300});
  EXPECT_EQ(planner_.plan(user, shown()).actions.size(), state::max_actions_per_input);
}

TEST_F(ActionPlannerTest, IgnoresSpectators) {
  UserInput user;
  user.forward = 1;
  user.shots = {{400, 300}};
  Shown spectator = shown();
  spectator.player = {};
  EXPECT_EQ(planner_.plan(user, spectator), state::PlayerInput{});
}

TEST_F(ActionPlannerTest, PlaysTheDemoScriptIndependentlyOfTheFrameRate) {
  std::size_t shots_at_10 = 0;
  for (const int rate : {10, 60}) {
    SCOPED_TRACE(rate);
    ScriptPlayer script(Script::Demo);
    std::size_t shots = 0, pushes = 0;
    bool has_walked = false, has_dragged = false;
    for (int i = 0; i < 10 * rate; ++i) {
      const UserInput user = script.play(static_cast<double>(i) / rate, shown());
      shots += user.shots.size();
      pushes += user.pushes.size();
      has_walked |= user.forward != 0 || user.right != 0;
      has_dragged |= user.is_dragging;
    }
    EXPECT_TRUE(has_walked && has_dragged);
    EXPECT_GE(pushes, 1U);
    EXPECT_GE(shots, 1U);
    if (rate == 10) shots_at_10 = shots;
    EXPECT_EQ(shots, shots_at_10);
  }
}

TEST_F(ActionPlannerTest, DoesNotConfuseAPlayersBodyWithItsShots) {
  scene_.add(state::sphere(0.2f), {0, 5, 0}, {}, state::MotionType::Dynamic, {}).owner = player;
  bodies_ = scene_.shown();
  const auto players = render::player_bodies(bodies_);
  ASSERT_EQ(players.size(), 1U);
  EXPECT_EQ(players[0]->info->id, ball);
  EXPECT_EQ(render::find_body_of(bodies_, player)->info->id, ball);
}

}  // namespace
}  // namespace jostle::controls
