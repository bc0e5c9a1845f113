// Moving ground and moving walls.
#include "tests/character/figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::character {
namespace {

using namespace jostle::character::testing;
using physics::MotionType;

TEST(CharacterOnPlatform, FollowsAnAcceleratingLiftWithinMillimetres) {
  Figure figure;
  const physics::BodyHandle lift =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
  figure.put({0.5, 0, 0.5});
  figure.settle();
  double worst = 0;
  for (int i = 1; i <= 720; ++i) {
    const double t = i / 60.0;
    const double height = 2 * std::sin(1.5 * t);  // up to 3 m/s and 4.5 m/s²
    figure.world.move_kinematic(lift, {{0, height - 0.5, 0}, {}});
    figure.step({}, false);
    ASSERT_TRUE(figure.is_firm()) << i;
    if (i == 1) continue;  // The lift starts in this tick, which the character cannot predict.
    worst = std::max(worst, std::abs(figure.foot().y - height - double(figure.skin())));
  }
  // The character predicts a constant velocity of the lift. The error of the prediction is a·dt² =
  // 1.25 mm per tick.
  EXPECT_LT(worst, 1.6e-3);
  EXPECT_NEAR(figure.character.position.x, 0.5, 1e-5);
  EXPECT_NEAR(figure.character.position.z, 0.5, 1e-5);
}

TEST(CharacterOnPlatform, FollowsALiftAtConstantSpeedExactly) {
  for (const float speed : {4.0f, -4.0f}) {
    Figure figure;
    const physics::BodyHandle lift =
        add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
    figure.put({});
    figure.settle();
    figure.world.set_velocity(lift, {0, speed, 0}, {});
    figure.walk(300, {});
    EXPECT_NEAR(figure.foot().y, double(speed * 5 + figure.skin()), 2e-4);
    EXPECT_NEAR(figure.character.velocity.y, speed, 1e-3f);
    EXPECT_TRUE(figure.is_firm());
  }
}

// The shuttle starts at 3 m/s, which the character cannot predict. After the first tick, the
// character must stay at the same point of the shuttle.
TEST(CharacterOnPlatform, KeepsItsPlaceOnAHorizontalShuttle) {
  Figure figure;
  const physics::BodyHandle shuttle =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
  figure.put({0.5, 0, 0.5});
  figure.settle();
  figure.walk(1, {});
  for (int i = 1; i <= 600; ++i) {
    const double place = 2 * std::sin(1.5 * i / 60.0);
    figure.world.move_kinematic(shuttle, {{place, -0.5, 0}, {}});
    figure.step({}, false);
    if (i > 1) {
      ASSERT_NEAR(figure.character.position.x - place, 0.5, 1.6e-3) << i;
    }
  }
}

TEST(CharacterOnPlatform, StaysOnItsCircleOnATurntable) {
  Figure figure;
  const physics::BodyHandle table =
      add_box(figure.world, MotionType::Kinematic, {1, -0.5, 2}, {6, 0.5f, 6});
  figure.put({4, 0, 2});
  figure.settle();
  figure.world.set_velocity(table, {}, {0, 2, 0});
  double angle = 0, before = 0;
  for (int i = 0; i < 1200; ++i) {
    figure.step({}, false);
    const double x = figure.character.position.x - 1, z = figure.character.position.z - 2;
    ASSERT_NEAR(std::hypot(x, z), 3, 1e-3) << i;
    const double now = std::atan2(-z, x);
    angle += std::remainder(now - before, 2 * double(math::pi));
    before = now;
    ASSERT_NEAR(figure.foot().y, double(figure.skin()), 1e-3);
  }
  EXPECT_NEAR(angle, 2 * 20, 0.01) << "angle in rad after 20 s";
}

TEST(CharacterOnPlatform, WalksRelativeToAMovingTrain) {
  Figure figure;
  const physics::BodyHandle train =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {10, 0.5f, 2});
  figure.put({});
  figure.settle();
  figure.world.set_velocity(train, {20, 0, 0}, {});
  const Position before = figure.character.position;
  figure.walk(120, {2, 0, 0});
  EXPECT_NEAR((figure.character.position - before).x, 44, 0.02f);
  EXPECT_NEAR(figure.character.velocity.x, 22, 0.02f);
}

TEST(CharacterOnPlatform, KeepsThePlatformsVelocityInAJump) {
  Figure figure;
  const physics::BodyHandle train =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {10, 0.5f, 10});
  figure.put({});
  figure.settle();
  figure.world.set_velocity(train, {7, 0, -3}, {});
  figure.walk(30, {});
  const Position before = figure.character.position;
  figure.step({}, true);
  figure.walk(29, {});
  EXPECT_NEAR(length(figure.character.position - before - Vec3{3.5f, 2.5f - 9.81f / 8, -1.5f}), 0,
              2e-3f);
  EXPECT_NEAR(figure.character.velocity.x, 7, 1e-3f);
  EXPECT_NEAR(figure.character.velocity.z, -3, 1e-3f);
}

TEST(CharacterOnPlatform, AddsTheLiftsVelocityToAJump) {
  Figure figure;
  const physics::BodyHandle lift =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
  figure.put({});
  figure.settle();
  figure.world.set_velocity(lift, {0, 3, 0}, {});
  figure.walk(30, {});
  const double before = figure.foot().y;
  figure.step({}, true);
  figure.walk(29, {});
  EXPECT_NEAR(figure.foot().y - before, 4 - 9.81 / 8, 3e-3);
}

TEST(CharacterOnPlatform, IsNotCarriedThroughAWall) {
  Figure figure;
  const physics::BodyHandle train =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {30, 0.5f, 2});
  add_static_box(figure.world, {3, 1, 0}, {0.1f, 1, 4});
  figure.put({});
  figure.settle();
  figure.world.set_velocity(train, {3, 0, 0}, {});
  for (int i = 0; i < 240; ++i) {
    figure.step({i < 120 ? 0.0f : 1.0f, 0, 0}, false);
    ASSERT_LT(figure.character.position.x, 2.6 - double(figure.skin()) + 1e-3);
  }
  EXPECT_GT(figure.character.position.x, 2.55);
  // The character now walks back as fast as the train moves forwards, so it stays near the wall. It
  // must not be moved to the point of the train that it stood on before it reached the wall.
  figure.walk(60, {-3, 0, 0});
  EXPECT_NEAR(figure.character.position.x, 2.59, 0.2);
}

TEST(CharacterOnPlatform, IsNotCarriedThroughAWallByASuddenStart) {
  Figure figure;
  const physics::BodyHandle train =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {30, 0.5f, 2});
  add_static_box(figure.world, {0.4, 1, 0}, {0.02f, 1, 4});
  figure.put({});
  figure.settle();
  figure.walk(1, {});
  for (int i = 1; i <= 30; ++i) {
    figure.world.move_kinematic(train, {{0.45 * i, -0.5, 0}, {}});
    figure.step({}, false);
    ASSERT_LT(figure.character.position.x, 0.08 - double(figure.skin()) + 1e-3);
  }
}

TEST(CharacterOnPlatform, IsNotHeldByWallsThatMoveWithTheFloor) {
  Figure figure;
  const physics::BodyHandle floor =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {5, 0.5f, 2});
  const physics::BodyHandle front =
      add_box(figure.world, MotionType::Kinematic, {1, 1, 0}, {0.1f, 1, 2});
  const physics::BodyHandle back =
      add_box(figure.world, MotionType::Kinematic, {-1, 1, 0}, {0.1f, 1, 2});
  figure.put({0.55, 0, 0});
  figure.settle();
  figure.walk(10, {1, 0, 0});
  const double in_the_car = figure.character.position.x;
  for (const physics::BodyHandle body : {floor, front, back})
    figure.world.set_velocity(body, {6, 0, 0}, {});
  figure.walk(120, {});
  EXPECT_NEAR(figure.character.position.x - in_the_car, 12, 0.03);
}

TEST(CharacterOnPlatform, IsPushedByAMovingWall) {
  for (const float speed : {0.5f, 5.0f, 12.0f}) {
    SCOPED_TRACE(speed);
    Figure figure;
    add_ground(figure.world);
    const physics::BodyHandle wall =
        add_box(figure.world, MotionType::Kinematic, {-1, 1, 0}, {0.2f, 1, 4});
    figure.put({});
    figure.settle();
    figure.world.set_velocity(wall, {speed, 0, 0}, {});
    for (int i = 0; i < 120; ++i) {
      figure.step({-1, 0, 0}, false);
      const double gap =
          figure.character.position.x - 0.3 - figure.world.pose(wall).position.x - 0.2;
      ASSERT_GT(gap, 0.0) << i;
    }
    EXPECT_GT(figure.character.position.x, double(speed) * 2 - 0.5);
    EXPECT_FALSE(figure.character.is_crushed);
  }
}

TEST(CharacterOnPlatform, IsCrushedBetweenALiftAndACeiling) {
  Figure figure;
  const physics::BodyHandle lift =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
  add_static_box(figure.world, {0, 3, 0}, {2, 0.5f, 2});
  figure.put({});
  figure.settle();
  EXPECT_FALSE(figure.character.is_crushed);
  figure.world.set_velocity(lift, {0, 1, 0}, {});
  figure.walk(60, {});
  EXPECT_TRUE(figure.character.is_crushed);
}

TEST(CharacterOnPlatform, FallsWhenTheGroundBodyIsDestroyed) {
  Figure figure;
  const physics::BodyHandle lift =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
  figure.put({});
  figure.settle();
  ASSERT_EQ(figure.character.ground_body, lift);
  figure.world.destroy_body(lift);
  figure.walk(60, {});
  EXPECT_EQ(figure.character.ground, GroundState::InAir);
  EXPECT_NEAR(figure.foot().y, -9.81 / 2 + 0.01, 0.01);
}

TEST(CharacterOnPlatform, FallsWhenTheGroundBodyIsDisabled) {
  Figure figure;
  const physics::BodyHandle lift =
      add_box(figure.world, MotionType::Kinematic, {0, -0.5, 0}, {2, 0.5f, 2});
  figure.put({});
  figure.world.set_velocity(lift, {1, 0, 0}, {});
  figure.settle();
  ASSERT_EQ(figure.character.ground_body, lift);
  figure.world.set_enabled(lift, false);
  figure.walk(60, {});
  EXPECT_EQ(figure.character.ground, GroundState::InAir);
  EXPECT_LT(figure.foot().y, -4);
}

TEST(CharacterOnPlatform, DoesNotFollowATeleportedGroundBody) {
  Figure figure;
  add_ground(figure.world);
  const physics::BodyHandle lift =
      add_box(figure.world, MotionType::Kinematic, {0, 0.1, 0}, {2, 0.1f, 2});
  figure.put({0, 0.2, 0});
  figure.settle();
  ASSERT_EQ(figure.character.ground_body, lift);
  figure.world.set_pose(lift, {{50, 0.1, 0}, {}});
  figure.walk(60, {});
  EXPECT_NEAR(figure.character.position.x, 0, 1e-3);
  EXPECT_NEAR(figure.foot().y, double(figure.skin()), 1e-3);
}

}  // namespace
}  // namespace jostle::character
