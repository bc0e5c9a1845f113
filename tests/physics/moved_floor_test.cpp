// Floors that are moved by calls, and supports or loads that are removed.
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

BodyHandle add_floor(World& world, MotionType motion) {
  return add_body(world, motion, {{0, -0.5, 0}, {}}, shape_def(state::box({6, 0.5f, 6})));
}

double motion_energy(const World& world) {
  double sum = 0;
  for (const BodyHandle body : world.bodies())
    sum += testing::kinetic_energy(world, body);
  return sum;
}

TEST(MovedFloor, CarriesAStackWhenMovedBySetPose) {
  for (const MotionType motion : {MotionType::Static, MotionType::Kinematic}) {
    for (const double rise : {0.001, 0.003, 0.01, 0.02}) {
      World world{WorldOptions{}};
      const BodyHandle floor = add_floor(world, motion);
      const std::vector<BodyHandle> stack = add_stack(world, 3);
      run(world, 30);
      double deepest = 0;
      for (int i = 1; i <= 300; ++i) {
        world.set_pose(floor, {{0, i * rise - 0.5, 0}, {}});
        world.step();
        deepest = std::max(deepest, i * rise + 0.5 - world.pose(stack[0]).position.y);
      }
      EXPECT_LT(deepest, rise + 0.008) << "rise per step " << rise;
    }
  }
}

// A lift that moves more slowly than the sleep threshold must still carry its load.
TEST(MovedFloor, CarriesABoxEvenBelowTheSleepSpeed) {
  const WorldOptions options;
  World world(options);
  const BodyHandle floor = add_floor(world, MotionType::Kinematic);
  const BodyHandle box = add_stack(world, 1)[0];
  const float speed = 0.2f * options.sleep_linear_speed;
  run(world, 30);
  const double start = world.pose(box).position.y;
  world.set_velocity(floor, {0, speed, 0}, {});
  for (int i = 0; i < 600; ++i) {
    world.step();
    ASSERT_TRUE(world.is_awake(box)) << i;
  }
  EXPECT_NEAR(world.pose(box).position.y - start, 10 * static_cast<double>(speed), 1e-3);
}

TEST(MovedFloor, OverlappedStackIsPushedOutBeforeItSleeps) {
  for (const double rise : {0.005, 0.05, 0.4}) {
    World world{WorldOptions{}};
    const BodyHandle floor = add_floor(world, MotionType::Static);
    const std::vector<BodyHandle> stack = add_stack(world, 4);
    run(world, 120);
    ASSERT_FALSE(world.is_awake(stack[0]));
    world.set_pose(floor, {{0, rise - 0.5, 0}, {}});
    run(world, 300);
    for (std::size_t i = 0; i < stack.size(); ++i) {
      EXPECT_NEAR(world.pose(stack[i]).position.y, rise + 0.5 + static_cast<double>(i), 1e-3);
      EXPECT_FALSE(world.is_awake(stack[i]));
    }
  }
}

// The stack solver does not treat a ball as a supported body, so the overlap of the box below the
// ball is not corrected fully. At most 0.6 mm may remain.
TEST(MovedFloor, OverlapOfABoxUnderABallIsCorrected) {
  World world(without_sleep());
  add_ground(world);
  const BodyHandle box = add_stack(world, 1)[0];
  const BodyHandle ball = add_dynamic(world, {0, 1.2, 0}, state::sphere(0.2f));
  run(world, 60);
  for (const BodyHandle body : {box, ball}) {
    math::Pose pose = world.pose(body);
    pose.position.y -= 0.003;
    world.set_pose(body, pose);
  }
  run(world, 30);
  EXPECT_NEAR(world.pose(box).position.y, 0.5, 6e-4);
}

// A body would creep outwards (0.17 m in these 10 s) if friction only acted along the tangent.
TEST(MovedFloor, TurntableCarriesABoxAtConstantRadius) {
  for (const int substeps : {1, 4, 16}) {
    WorldOptions options = without_sleep();
    options.substeps = substeps;
    World world(options);
    const BodyHandle plate = add_floor(world, MotionType::Kinematic);
    world.set_velocity(plate, {}, {0, 1, 0});
    const BodyHandle box = add_dynamic(world, {2, 0.1, 0}, state::box({0.2f, 0.1f, 0.2f}));
    world.set_velocity(box, {0, 0, -2}, {0, 1, 0});
    run(world, 600);
    const Position at = world.pose(box).position;
    EXPECT_NEAR(std::hypot(at.x, at.z), 2, 1e-3) << substeps;
  }
}

// Friction holds the box as long as ω²r ≤ μ·g.
TEST(MovedFloor, TurntableThrowsOffABoxBeyondTheFrictionLimit) {
  for (const float share : {0.9f, 1.1f}) {
    World world(without_sleep());
    const BodyHandle plate = add_floor(world, MotionType::Kinematic);
    const BodyHandle box = add_dynamic(world, {2, 0.1, 0}, state::box({0.2f, 0.1f, 0.2f}));
    const float friction = 0.6f;  // friction of the default material
    const float speed = std::sqrt(share * friction * 9.81f / 2);
    world.set_velocity(plate, {}, {0, speed, 0});
    world.set_velocity(box, {0, 0, -2 * speed}, {0, speed, 0});
    run(world, 300);
    const Position at = world.pose(box).position;
    if (share < 1.0f) {
      EXPECT_NEAR(std::hypot(at.x, at.z), 2, 0.02);
    } else {
      EXPECT_GT(std::hypot(at.x, at.z), 3);
    }
  }
}

/// Adds a kinematic cylinder along z that turns at `speed`, rad/s.
BodyHandle add_roller(World& world, Position at, float radius, float speed) {
  const float half = std::sqrt(0.5f);
  const BodyHandle roller = add_body(world, MotionType::Kinematic, {at, {half, 0, 0, half}},
                                     shape_def(state::cylinder(radius, 1)));
  world.set_velocity(roller, {}, {0, 0, speed});
  return roller;
}

// The contact point stays in place, although the material of the roller moves through it.
TEST(MovedFloor, RollerTurnsUnderAHeldBoxWithoutLiftingIt) {
  for (const int substeps : {1, 4}) {
    WorldOptions options = without_sleep();
    options.substeps = substeps;
    World world(options);
    const BodyHandle roller = add_roller(world, {0, -0.5, 0}, 0.5f, 0);
    const BodyHandle wall = add_body(world, MotionType::Static, {{0, 5, 0}, {}},
                                     shape_def(state::box({0.1f, 0.1f, 0.1f})));
    const BodyHandle box = add_dynamic(world, {0, 0.2, 0}, state::box({0.3f, 0.2f, 0.3f}));
    world.create_joint(make_joint_def(world, JointKind::Slider, wall, box, {0, 0.2, 0}, {0, 1, 0}));
    run(world, 60);
    for (const float speed : {3.0f, 10.0f, 60.0f}) {
      world.set_velocity(roller, {}, {0, 0, speed});
      for (int i = 0; i < 120; ++i) {
        world.step();
        ASSERT_NEAR(world.pose(box).position.y, 0.2, substeps == 1 ? 6e-3 : 3e-4) << speed;
      }
    }
  }
}

// A plank lies on two rollers at ±d that turn towards each other. Friction is larger at the roller
// that carries more, so the offset x of the plank follows x'' = −(μg/d)·x as long as both rollers
// slide. The plank must not turn about the vertical axis: the rollers push its ends towards each
// other, and sliding friction does not hold it across, so it would buckle.
TEST(MovedFloor, PlankOnTwoRollersOscillatesWithTheExactPeriod) {
  World world(without_sleep());
  const float radius = 0.25f;
  for (const int side : {-1, 1})
    add_roller(world, {double(side), -0.25, 0}, radius, 40.0f * static_cast<float>(side));
  BodyDef def;
  def.pose.position = {0.3, 0.02, 0};
  def.locks = state::lock_angular_y;
  const BodyHandle plank = world.create_body(def);
  world.add_shape(plank, shape_def(state::box({3, 0.02f, 0.3f})));
  const double friction = 0.6;  // friction of the default material
  const double period = 2 * 3.14159265358979 * std::sqrt(1 / (friction * 9.81));
  double before = 0.3;
  std::vector<double> crossings;  // s
  for (int i = 1; i <= 1200; ++i) {
    world.step();
    const Position at = world.pose(plank).position;
    ASSERT_NEAR(at.y, 0.02, 1e-3);
    if (at.x * before < 0) crossings.push_back((i - at.x / (at.x - before)) / 60);
    before = at.x;
  }
  ASSERT_GE(crossings.size(), 15U);
  EXPECT_NEAR((crossings[14] - crossings[0]) / 7, period, 0.05 * period);
}

TEST(EndOfLoads, StackDoesNotJumpWhenGravityIsReduced) {
  for (const float left : {0.0f, 0.1f, 0.5f}) {
    World world(without_sleep());
    add_ground(world);
    add_stack(world, 30);
    run(world, 120);
    world.set_gravity(world.options().gravity * left);
    run(world, 1);
    EXPECT_LT(motion_energy(world), 1e-6) << "J; gravity reduced to " << left;
  }
}

TEST(EndOfLoads, TowerFallsAsOneWhenItsFloorIsRemoved) {
  const std::function<void(World&, BodyHandle)> ways[]{
      [](World& world, BodyHandle floor) { world.destroy_body(floor); },
      [](World& world, BodyHandle floor) {
        world.set_pose(floor, {{0, -1000, 0}, {}});
      },
      [](World& world, BodyHandle floor) {
        world.set_velocity(floor, {0, -50, 0}, {});
      },
      [](World& world, BodyHandle floor) {
        world.move_kinematic(floor, {{0, -30, 0}, {}});
      },
  };
  for (const auto& take_away : ways) {
    World world(without_sleep());
    const BodyHandle floor = add_floor(world, MotionType::Kinematic);
    const std::vector<BodyHandle> tower = add_stack(world, 30);
    run(world, 120);
    take_away(world, floor);
    run(world, 60);
    const float middle = world.linear_velocity(tower[15]).y;
    EXPECT_NEAR(middle, -9.81f, 0.01f);
    for (const BodyHandle body : tower)
      EXPECT_NEAR(world.linear_velocity(body).y, middle, 0.01f);
  }
}

// The squares of these accelerations overflow a float.
TEST(EndOfLoads, HugeGravityLeavesOnlyFiniteState) {
  World world(without_sleep());
  add_ground(world);
  const std::vector<BodyHandle> stack = add_stack(world, 5);
  run(world, 60);
  world.set_gravity({0, -2e19f, 0});
  world.set_gravity({0, -3e19f, 0});
  world.set_gravity({0, -9.81f, 0});
  run(world, 60);
  EXPECT_EQ(world.stats().quarantined_bodies, 0U);
  EXPECT_NEAR(world.pose(stack[4]).position.y, 4.5, 1e-4);
}

TEST(EndOfLoads, SlowlyFallingBodyDoesNotSleep) {
  WorldOptions options;
  options.gravity = {0, -0.05f, 0};
  World world(options);
  const BodyHandle body = add_dynamic(world, {0, 10, 0}, state::sphere(0.5f));
  run(world, 300);
  EXPECT_TRUE(world.is_awake(body));
  EXPECT_NEAR(world.pose(body).position.y, 10 - 0.5 * 0.05 * 25, 0.01);
}

}  // namespace
}  // namespace jostle::physics
