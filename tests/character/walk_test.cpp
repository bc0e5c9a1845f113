// A character on firm ground: standing, walking, steps and slopes.
#include "shared/geometry/surface.h"
#include "tests/character/figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::character {
namespace {

using namespace jostle::character::testing;

TEST(CharacterWalking, StandsStillForAMinuteBitExactly) {
  for (const bool is_plane : {true, false}) {
    Figure figure;
    if (is_plane) {
      add_ground(figure.world);
    } else {
      add_static_box(figure.world, {3, -0.5, 1}, {10, 0.5f, 10});
    }
    figure.put({0.3, 0, -0.2});
    figure.settle();
    const Position before = figure.character.position;
    figure.walk(3600, {});
    EXPECT_EQ(figure.character.position, before);
    EXPECT_EQ(figure.character.velocity, Vec3{});
    EXPECT_TRUE(figure.is_firm());
    EXPECT_NEAR(before.y, figure.standing(), 2e-4);
  }
}

TEST(CharacterWalking, StandsStillOnASlope) {
  Figure figure;
  add_slope(figure.world, 40 * degree);
  figure.put({2, 2, 0});
  figure.walk(120, {});
  const Position before = figure.character.position;
  figure.walk(1200, {});
  EXPECT_LT(length(figure.character.position - before), 1e-5f);
  EXPECT_TRUE(figure.is_firm());
}

TEST(CharacterWalking, MovesAtTheWantedSpeed) {
  Figure figure;
  add_ground(figure.world);
  figure.put({});
  figure.settle();
  const Position before = figure.character.position;
  figure.walk(120, {3, 0, -4});
  const Vec3 gone = figure.character.position - before;
  EXPECT_NEAR(gone.x, 6, 1e-3f);
  EXPECT_NEAR(gone.y, 0, 1e-5f);
  EXPECT_NEAR(gone.z, -8, 1e-3f);
  EXPECT_NEAR(length(figure.character.velocity - Vec3{3, 0, -4}), 0, 1e-3f);
}

TEST(CharacterWalking, IgnoresTheVerticalPartOfTheWantedVelocity) {
  Figure figure;
  add_ground(figure.world);
  figure.put({});
  figure.settle();
  figure.walk(60, {2, 9, 0});
  EXPECT_NEAR(figure.character.position.x, 2, 1e-3);
  EXPECT_NEAR(figure.character.position.y, figure.standing(), 1e-3);
}

TEST(CharacterWalking, StepsUpLedgesOfAtMostTheStepHeight) {
  for (const float speed : {0.3f, 1.5f, 6.0f}) {
    for (const float over : {-0.002f, 0.002f}) {
      SCOPED_TRACE(::testing::Message()
                   << speed << " m/s, ledge height minus step height " << over);
      Figure figure;
      add_ground(figure.world);
      const float height = figure.options.step_height + over;
      add_static_box(figure.world, {2, double(height) - 1, 0}, {1, 1, 5});
      figure.put({0.5, 0, 0});
      figure.settle();
      figure.walk(static_cast<int>(60 * 1.2f / speed), {speed, 0, 0});
      if (over < 0) {
        EXPECT_GT(figure.character.position.x, 1.5);
        EXPECT_NEAR(figure.foot().y, double(height + figure.skin()), 1e-3);
        EXPECT_TRUE(figure.is_firm());
      } else {
        EXPECT_LT(figure.character.position.x, 0.7);
        EXPECT_NEAR(figure.foot().y, double(figure.skin()), 1e-3);
      }
    }
  }
}

TEST(CharacterWalking, StaysOnTheGroundUpAndDownStairs) {
  for (const float run : {0.2f, 0.28f, 0.5f}) {
    SCOPED_TRACE(run);
    Figure figure;
    add_ground(figure.world);
    const float rise = 0.18f;
    for (int i = 1; i <= 10; ++i) {
      const float top = rise * float(i);
      add_static_box(figure.world, {1 + double(run) * (i - 1) + 20, double(top) - 2, 0},
                     {20, 2, 3});
    }
    figure.put({});
    figure.settle();
    int ticks = 0;
    double highest = 0;
    while (figure.foot().y < 1.79 && ticks < 400) {
      figure.step({2, 0, 0}, false);
      ++ticks;
      EXPECT_TRUE(figure.is_firm());
      EXPECT_GE(figure.foot().y, highest - 1e-3)
          << "the character must not move down on the way up";
      highest = std::max(highest, figure.foot().y);
    }
    ASSERT_LT(ticks, 400);
    figure.walk(60, {2, 0, 0});
    // The character walks down without leaving the ground in any tick.
    double before = figure.foot().y;
    for (int i = 0; i < 400; ++i) {
      figure.step({-4, 0, 0}, false);
      ASSERT_TRUE(figure.is_firm()) << "tick " << i;
      EXPECT_LE(figure.foot().y, before + 2e-3);
      EXPECT_GE(figure.foot().y, before - double(figure.options.step_down) - 1e-3);
      before = figure.foot().y;
    }
    EXPECT_NEAR(figure.foot().y, double(figure.skin()), 1e-3);
  }
}

TEST(CharacterWalking, KeepsItsHorizontalSpeedOnSlopes) {
  for (const float angle : {10.0f, 30.0f, 49.0f}) {
    for (const float direction : {1.0f, -1.0f}) {
      SCOPED_TRACE(::testing::Message() << angle << "°, direction " << direction);
      Figure figure;
      add_slope(figure.world, angle * degree);
      figure.put({0, 0.3, 0});
      figure.settle();
      const Position before = figure.character.position;
      for (int i = 0; i < 60; ++i) {
        figure.step({3 * direction, 0, 0}, false);
        ASSERT_TRUE(figure.is_firm());
      }
      const Vec3 gone = figure.character.position - before;
      EXPECT_NEAR(gone.x, 3 * direction, 5e-3f);
      EXPECT_NEAR(gone.y, 3 * direction * std::tan(angle * degree), 1e-2f);
      EXPECT_NEAR(figure.character.velocity.y, 3 * direction * std::tan(angle * degree), 1e-2f);
    }
  }
}

TEST(CharacterWalking, ClimbsOnlySlopesBelowTheLimit) {
  for (const float beyond : {-0.2f, 0.2f}) {
    SCOPED_TRACE(beyond);
    Figure figure;
    add_ground(figure.world);
    add_slope(figure.world, figure.options.max_slope + beyond * degree);
    figure.put({-1, 0, 0});
    figure.settle();
    double highest = 0;
    for (int i = 0; i < 240; ++i) {
      figure.step({3, 0, 0}, false);
      highest = std::max(highest, figure.foot().y);
    }
    if (beyond < 0) {
      EXPECT_GT(highest, 5);
    } else {
      EXPECT_LT(highest, 0.05);
      EXPECT_TRUE(figure.is_firm()) << "the character must stand in front of the slope";
    }
  }
}

TEST(CharacterWalking, CannotClimbSteepSlopesByJumping) {
  for (const float angle : {51.0f, 60.0f, 75.0f}) {
    SCOPED_TRACE(angle);
    Figure figure;
    add_ground(figure.world);
    add_slope(figure.world, angle * degree);
    figure.put({-1, 0, 0});
    figure.settle();
    double highest = 0;
    for (int i = 0; i < 900; ++i) {
      figure.step({6, 0, i % 300 < 150 ? 2.0f : -2.0f}, true);
      highest = std::max(highest, figure.foot().y);
    }
    const float v = figure.options.jump_speed;
    EXPECT_LT(highest, double(v * v / (2 * figure.options.gravity)) + 0.03)
        << "higher than a jump from the ground";
  }
}

// Without friction, the acceleration along the slope is g·sin θ.
TEST(CharacterWalking, SlidesDownSteepSlopesWithoutFriction) {
  const float angle = 60 * degree;
  Figure figure;
  add_slope(figure.world, angle);
  figure.put({8, 8 * std::tan(double(angle)) + 0.35, 0});
  int ticks = 0;
  while (figure.character.ground != GroundState::OnSteepGround && ticks++ < 60)
    figure.step({}, false);
  ASSERT_EQ(figure.character.ground, GroundState::OnSteepGround);
  const float before = length(figure.character.velocity);
  figure.walk(30, {1, 0, 0});  // the wanted velocity points up the slope and has no effect
  EXPECT_EQ(figure.character.ground, GroundState::OnSteepGround);
  EXPECT_NEAR(length(figure.character.velocity) - before,
              figure.options.gravity * std::sin(angle) * 0.5f, 0.03f);
  EXPECT_NEAR(figure.character.velocity.y / figure.character.velocity.x, std::tan(angle), 0.01f);
}

TEST(CharacterWalking, StandsBetweenTwoSteepSlopes) {
  Figure figure;
  add_slope(figure.world, 60 * degree);
  add_slope(figure.world, -60 * degree);
  figure.put({0.2, 1.5, 0});
  figure.walk(240, {});
  EXPECT_TRUE(figure.is_firm());
  const Position before = figure.character.position;
  figure.walk(600, {});
  EXPECT_LT(length(figure.character.position - before), 1e-3f);
  figure.step({}, true);
  EXPECT_GT(figure.character.velocity.y, 4);
}

TEST(CharacterWalking, LeavesTheGroundIfItDropsByMoreThanAStep) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {-5, 1, 0}, {5, 1, 5});
  figure.put({-1, 2, 0});
  figure.settle();
  bool was_in_the_air = false;
  for (int i = 0; i < 120; ++i) {
    figure.step({3, 0, 0}, false);
    was_in_the_air = was_in_the_air || figure.character.ground == GroundState::InAir;
    EXPECT_NEAR(figure.character.velocity.x, 3, 0.05f);
  }
  EXPECT_TRUE(was_in_the_air);
  EXPECT_NEAR(figure.foot().y, double(figure.skin()), 1e-3);
}

TEST(CharacterWalking, CrossesSeamsOfBoxesAndHeightFieldsWithoutBumps) {
  for (const bool is_mesh : {false, true}) {
    SCOPED_TRACE(is_mesh);
    Figure figure;
    if (is_mesh) {
      state::HeightField field;
      field.count_x = field.count_z = 40;
      field.cell_x = field.cell_z = 0.37f;
      field.heights.assign(1600, 0.0f);
      add_body(figure.world, physics::MotionType::Static, {-2, 0, -2}, {},
               state::solid(geometry::share(std::move(field))));
    } else {
      for (int x = 0; x < 20; ++x) {
        for (int z = 0; z < 20; ++z) {
          const Vec3 half{0.25f, 0.25f, 0.25f};
          add_static_box(figure.world, {0.5 * x - 1, -0.25, 0.5 * z - 1}, half);
        }
      }
    }
    figure.put({});
    figure.settle();
    for (int i = 0; i < 150; ++i) {
      figure.step({2.1f, 0, 1.3f}, false);
      ASSERT_TRUE(figure.is_firm());
      EXPECT_NEAR(figure.character.velocity.y, 0, 1e-4f);
      EXPECT_NEAR(figure.character.position.y, figure.standing(), 2e-4);
      EXPECT_NEAR(figure.character.velocity.x, 2.1f, 1e-3f);
    }
  }
}

// The character walks on the underside of a plane, on a wall, and on a wall that is not aligned
// with the axes.
TEST(CharacterWalking, WorksWithAnyUpDirection) {
  for (const Vec3 up : {Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0.6f, 0, 0.8f}}) {
    Figure figure;
    figure.character.up = up;
    const math::Quat turn = pose_of(figure.character).rotation;  // y to up
    EXPECT_NEAR(length(rotate(turn, {0, 1, 0}) - up), 0, 1e-6f);
    add_body(figure.world, physics::MotionType::Static, {}, turn, state::plane());
    figure.character.position = math::to_position(up * 1.2f);
    figure.settle();
    ASSERT_TRUE(figure.is_firm());
    EXPECT_NEAR(dot(math::to_vec3(figure.character.position), up), figure.standing(), 1e-3);
    const Vec3 along = rotate(turn, {2, 0, 0});
    const Position before = figure.character.position;
    figure.walk(60, along);
    EXPECT_NEAR(length(figure.character.position - before - along), 0, 1e-3f);
  }
}

}  // namespace
}  // namespace jostle::character
