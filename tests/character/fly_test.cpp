// A character in the air: jumps, falls, edges and speed limits.
#include "shared/geometry/surface.h"
#include "tests/character/figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::character {
namespace {

using namespace jostle::character::testing;

TEST(CharacterInAir, JumpsToTheBallisticHeightAtAnyTickRate) {
  for (const float rate : {30.0f, 60.0f, 144.0f}) {
    SCOPED_TRACE(rate);
    Figure figure;
    physics::WorldOptions options = awake_options();
    options.step_seconds = 1 / rate;
    figure.world = World(options);
    add_ground(figure.world);
    figure.put({});
    figure.settle();
    const double ground = figure.foot().y;
    double top = 0;
    figure.step({}, true);
    int ticks = 1;
    while (figure.character.ground == GroundState::InAir && ticks < 600) {
      top = std::max(top, figure.foot().y - ground);
      figure.step({}, false);
      ++ticks;
    }
    const float v = figure.options.jump_speed, g = figure.options.gravity;
    // The highest point may lie between two ticks. It is then up to g·(dt/2)²/2 above the highest
    // position at a tick.
    const double unseen = double(g / (8 * rate * rate));
    EXPECT_LE(top, double(v * v / (2 * g)) + 1e-4);
    EXPECT_GE(top, double(v * v / (2 * g)) - unseen - 1e-4);
    EXPECT_NEAR(float(ticks) / rate, 2 * v / g, 1.5f / rate);
    EXPECT_TRUE(figure.is_firm());
    EXPECT_NEAR(figure.foot().y, ground, 3e-4);
  }
}

TEST(CharacterInAir, FollowsTheBallisticParabola) {
  Figure figure;
  figure.put({0, 100, 0});
  figure.character.velocity = {3, 2, 0};
  const Position before = figure.character.position;
  figure.walk(120, {});
  const Vec3 gone = figure.character.position - before;
  EXPECT_NEAR(gone.x, 6, 1e-3f);
  EXPECT_NEAR(gone.y, 4 - 9.81f * 2, 1e-3f);
  EXPECT_NEAR(figure.character.velocity.y, 2 - 9.81f * 2, 1e-3f);
}

TEST(CharacterInAir, ObeysTheSpeedLimitOfTheWorld) {
  Figure figure;
  figure.put({0, 100, 0});
  figure.character.velocity = {3000, 0, 4000};
  const Position before = figure.character.position;
  figure.step({}, false);
  EXPECT_NEAR(length(figure.character.position - before), 400.0f / 60, 1e-2f);
  EXPECT_NEAR(figure.character.velocity.x, 240, 0.1f);
}

TEST(CharacterInAir, CannotJumpAgainInTheAir) {
  Figure figure;
  add_ground(figure.world);
  figure.put({});
  figure.settle();
  double top = 0;
  for (int i = 0; i < 55; ++i) {
    figure.step({}, true);  // the jump key stays pressed
    top = std::max(top, figure.foot().y);
  }
  EXPECT_LT(top, 1.3);
}

TEST(CharacterInAir, StopsRisingAtACeiling) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {0, 3, 0}, {2, 0.5f, 2});  // the underside is at a height of 2.5 m
  figure.put({});
  figure.settle();
  double top = 0;
  int ticks = 0;
  figure.step({}, true);
  while (figure.character.ground == GroundState::InAir && ticks++ < 100) {
    top = std::max(top, figure.character.position.y + 0.9);
    figure.step({}, false);
  }
  EXPECT_NEAR(top, 2.5 - double(figure.skin()), 1e-3);
  // The character starts the rise of 0.69 m at 5 m/s. The ceiling stops it, so the fall starts at 0
  // m/s.
  EXPECT_LT(ticks, 36);
}

TEST(CharacterInAir, SteersUpToTheWantedSpeedAndDoesNotBrake) {
  Figure figure;
  figure.put({0, 100, 0});
  figure.walk(60, {2, 0, 0});
  EXPECT_NEAR(figure.character.velocity.x, 2, 1e-4f);
  // Changing the direction all the time does not raise the speed.
  for (int i = 0; i < 300; ++i) {
    const float turn = 0.05f * float(i);
    figure.step({2 * std::cos(turn), 0, 2 * std::sin(turn)}, false);
    const Vec3 v = figure.character.velocity;
    ASSERT_LT(std::hypot(v.x, v.z), 2.001f);
  }
  figure.character.velocity = {20, 0, 0};
  figure.walk(60, {2, 0, 0});
  EXPECT_EQ(figure.character.velocity.x, 20) << "steering must not brake a faster character";
}

TEST(CharacterInAir, LandsOnALedgeAndWalksOn) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {3, 0.5, 0}, {1, 0.5f, 3});
  figure.put({0.5, 0, 0});
  figure.settle();
  for (int i = 0; i < 75; ++i)
    figure.step({3, 0, 0}, i == 25);
  EXPECT_NEAR(figure.foot().y, 1 + double(figure.skin()), 1e-3);
  EXPECT_TRUE(figure.is_firm());
}

TEST(CharacterInAir, StandsOnAnEdgeOnlyNearItsAxis) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {0, 4, 0}, {1, 1, 1});
  // The edge is 0.27 m from the axis of the capsule, whose radius is 0.3 m. The character falls
  // off.
  figure.put({1.27, 5.2, 0});
  figure.walk(120, {});
  EXPECT_NEAR(figure.foot().y, double(figure.skin()), 1e-3);
  // If the edge is 0.1 m from the axis, the character stands on it.
  figure.put({1.1, 5.2, 0});
  figure.walk(120, {});
  EXPECT_GT(figure.foot().y, 4.9);
  EXPECT_TRUE(figure.is_firm());
}

TEST(CharacterInAir, LeavesAnEdgeWhereTheContactExceedsTheSlopeLimit) {
  Figure figure;
  add_static_box(figure.world, {0, 4, 0}, {1, 1, 1});
  figure.put({0.5, 5, 0});
  figure.settle();
  int ticks = 0;
  while (figure.is_firm() && ticks++ < 600)
    figure.step({0.3f, 0, 0}, false);
  // The character leaves the edge when the contact normal on the rounded end of the capsule is 50°
  // from the vertical.
  const float reach = (figure.options.radius + figure.skin()) * std::sin(50 * degree);
  EXPECT_NEAR(figure.character.position.x, 1 + double(reach), 0.012);
}

TEST(CharacterInAir, DoesNotTunnelAtAnySpeed) {
  for (const float speed : {30.0f, 400.0f, 5000.0f, 100000.0f}) {
    SCOPED_TRACE(speed);
    Figure figure;
    physics::WorldOptions options = awake_options();
    options.max_linear_speed = 1e6f;
    figure.world = World(options);
    add_static_box(figure.world, {10, 0, 0}, {0.01f, 50, 50});
    add_static_box(figure.world, {0, -10, 0}, {50, 0.01f, 50});
    state::TriangleMesh sheet;
    sheet.vertices = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
    sheet.triangles = {{0, 2, 1}, {0, 3, 2}};  // the front face points to −z
    add_body(figure.world, physics::MotionType::Static, {0, 0, 12}, {},
             state::solid(geometry::share(std::move(sheet))));
    figure.put({});
    figure.character.velocity = {speed, -speed, speed};
    for (int i = 0; i < 300; ++i) {
      figure.step({speed, 0, speed}, false);
      ASSERT_LT(figure.character.position.x, 9.7);
      ASSERT_GT(figure.foot().y, -10.0);
      ASSERT_LT(figure.character.position.z, 11.71);
    }
  }
}

}  // namespace
}  // namespace jostle::character
