#include "shared/geometry/hull.h"
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

using std::numbers::pi;

forces::Fluid water(float drag) {
  forces::Fluid fluid;
  fluid.linear = drag;
  fluid.angular = drag;
  return fluid;
}

BodyHandle add_floater(World& world, const math::Pose& pose, const state::Shape& shape,
                       float density) {
  ShapeDef def = shape_def(shape);
  def.density = density;
  return add_body(world, MotionType::Dynamic, pose, def);
}

float height_over_upright(const World& world, BodyHandle body) {
  return rotate(world.pose(body).rotation, {0, 1, 0}).y;
}

TEST(FluidField, BoxFloatsAtTheDepthOfItsWeightAndSleeps) {
  World world{WorldOptions{}};
  world.create_force_field({water(3), {}});
  const BodyHandle box = add_floater(world, {{0, 0.4, 0}, {}}, state::box({1, 0.25f, 0.8f}), 600);
  run(world, 900);
  EXPECT_NEAR(world.centre_of_mass(box).y, 0.25 - 0.6 * 0.5, 1e-3);
  EXPECT_FALSE(world.is_awake(box));
  const Position at = world.centre_of_mass(box);
  run(world, 60);
  EXPECT_EQ(world.centre_of_mass(box), at);
}

TEST(FluidField, BallFloatsAtTheDepthOfItsDisplacedVolume) {
  World world(without_sleep());
  world.create_force_field({water(3), {}});
  const BodyHandle ball = add_floater(world, {{0, 0.5, 0}, {}}, state::sphere(0.5f), 300);
  run(world, 900);
  const double h = 0.5 - world.centre_of_mass(ball).y;  // height of the submerged cap
  EXPECT_NEAR(pi * h * h * (1.5 - h) / 3, 0.3 * pi * 4 / 3 * 0.125, 1e-5);
}

TEST(FluidField, HullOfABoxFloatsLikeTheBox) {
  World world(without_sleep());
  world.create_force_field({water(3), {}});
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(
        {i % 2 == 0 ? 1.0f : -1.0f, i / 2 % 2 == 0 ? 0.25f : -0.25f, i < 4 ? 0.8f : -0.8f});
  const state::Shape hull = state::solid(geometry::share(geometry::build_hull(corners).value()));
  const BodyHandle a = add_floater(world, {{0, 0.4, 0}, {}}, hull, 600);
  run(world, 900);
  EXPECT_NEAR(world.centre_of_mass(a).y, -0.05, 1e-4);
}

TEST(FluidField, TiltedRaftRightsItself) {
  World world{WorldOptions{}};
  world.create_force_field({water(2), {}});
  const math::Quat tilted = math::from_axis_angle({0, 0, 1}, 0.5f);
  const BodyHandle raft = add_floater(world, {{0, 0.1, 0}, tilted}, state::box({1, 0.2f, 1}), 500);
  run(world, 1200);
  EXPECT_GT(height_over_upright(world, raft), 0.9999f);
  EXPECT_FALSE(world.is_awake(raft));
}

TEST(FluidField, TallPostTipsOver) {
  World world(without_sleep());
  world.create_force_field({water(2), {}});
  const math::Quat tilted = math::from_axis_angle({0, 0, 1}, 0.02f);
  const BodyHandle post = add_floater(world, {{0, 0, 0}, tilted}, state::box({0.2f, 1, 0.2f}), 500);
  run(world, 900);
  EXPECT_LT(std::abs(height_over_upright(world, post)), 0.1f);
}

TEST(FluidField, BuoyFloatsWithItsHeavyEndDown) {
  World world{WorldOptions{}};
  world.create_force_field({water(2), {}});
  const BodyHandle buoy = world.create_body({});
  ShapeDef part = shape_def(state::sphere(0.4f));
  part.density = 200;
  part.local.offset = {0, 0.5f, 0};
  world.add_shape(buoy, part);
  part.shape = state::sphere(0.2f);
  part.density = 2000;
  part.local.offset = {0, -0.5f, 0};
  world.add_shape(buoy, part);
  world.set_pose(buoy, {{0, 0, 0}, math::from_axis_angle({1, 0, 0}, 1.2f)});
  run(world, 1500);
  EXPECT_GT(height_over_upright(world, buoy), 0.999f);
  EXPECT_FALSE(world.is_awake(buoy));
}

TEST(FluidField, StoneSinksAtItsTerminalVelocity) {
  World world(without_sleep());
  forces::Fluid fluid = water(2);
  fluid.quadratic = 0.5f;
  world.create_force_field({fluid, {}});
  const BodyHandle stone = add_floater(world, {{0, -5, 0}, {}}, state::sphere(0.3f), 2500);
  run(world, 900);
  // The weight minus the buoyancy equals the drag: (2500 − 1000)·g = 1000·(2·v + 0.5·v²).
  const double pull = 1.5 * 9.81;
  const double expected = -2 + std::sqrt(4 + 2 * pull);
  EXPECT_NEAR(-static_cast<double>(world.linear_velocity(stone).y), expected, 1e-4);
}

TEST(FluidField, FlowCarriesAFloatingLog) {
  World world{WorldOptions{}};
  forces::Fluid river = water(2);
  river.velocity = {1.5f, 0, 0};
  world.create_force_field({river, {}});
  const BodyHandle log = add_floater(world, {{0, 0, 0}, {}}, state::box({0.5f, 0.2f, 0.2f}), 500);
  run(world, 600);
  EXPECT_NEAR(static_cast<double>(world.linear_velocity(log).x), 1.5, 1e-3);
  EXPECT_TRUE(world.is_awake(log));
}

TEST(FluidField, SlowFlowKeepsAFloatingLogAwake) {
  World world{WorldOptions{}};
  forces::Fluid river = water(2);
  river.velocity = {0.03f, 0, 0};
  world.create_force_field({river, {}});
  const BodyHandle log = add_floater(world, {{0, 0, 0}, {}}, state::box({0.5f, 0.2f, 0.2f}), 500);
  run(world, 600);
  EXPECT_TRUE(world.is_awake(log));
  // The log moves all the time, but needs half a second to reach the speed of the flow.
  EXPECT_NEAR(world.centre_of_mass(log).x, 0.03 * 9.5, 0.006);
}

TEST(FluidField, ActsOnlyInsideItsRegion) {
  World world(without_sleep());
  forces::Fluid pool = water(3);
  pool.region = {forces::RegionKind::Box, {0, -1, 0}, {2, 1, 2}, 0};
  pool.level = 10;  // the box is filled to the top at y = 0
  world.create_force_field({pool, {}});
  const BodyHandle inside =
      add_floater(world, {{0, 0, 0}, {}}, state::box({0.3f, 0.2f, 0.3f}), 500);
  const BodyHandle beside =
      add_floater(world, {{3, 0, 0}, {}}, state::box({0.3f, 0.2f, 0.3f}), 500);
  run(world, 300);
  EXPECT_NEAR(world.centre_of_mass(inside).y, 0, 1e-3);
  EXPECT_LT(world.centre_of_mass(beside).y, -50);
}

TEST(FluidField, StackOfDenseBoxesStandsUnderWater) {
  World world{WorldOptions{}};
  add_ground(world);
  forces::Fluid sea = water(1);
  sea.level = 20;
  world.create_force_field({sea, {}});
  std::vector<BodyHandle> stack;
  for (int i = 0; i < 5; ++i)
    stack.push_back(
        add_floater(world, {{0, 0.5 + i, 0}, {}}, state::box({0.5f, 0.5f, 0.5f}), 2000));
  run(world, 300);
  for (std::size_t i = 0; i < stack.size(); ++i) {
    EXPECT_NEAR(world.centre_of_mass(stack[i]).y, 0.5 + static_cast<double>(i), 2e-3);
    EXPECT_FALSE(world.is_awake(stack[i]));
  }
}

TEST(FluidField, HasNoBuoyancyWithoutGravity) {
  WorldOptions options = without_sleep();
  options.gravity = {};
  World world(options);
  forces::Fluid fluid = water(0);
  world.create_force_field({fluid, {}});
  const BodyHandle ball = add_floater(world, {{0, -3, 0}, {}}, state::sphere(0.3f), 100);
  run(world, 60);
  EXPECT_EQ(world.centre_of_mass(ball).y, -3);
}

TEST(FluidField, AllShapesFloatToRestAndSleep) {
  World world{WorldOptions{}};
  world.create_force_field({water(2), {}});
  std::vector<BodyHandle> bodies;
  double x = 0;
  for (const state::Shape& shape :
       {state::sphere(0.5f), state::box({0.6f, 0.3f, 0.4f}), state::capsule(0.3f, 0.5f),
        state::cylinder(0.5f, 0.3f), state::cone(0.6f, 0.4f)}) {
    bodies.push_back(add_floater(world, {{x, 0.5, 0}, {}}, shape, 400));
    x += 4;
  }
  run(world, 3600);
  for (const BodyHandle body : bodies) {
    EXPECT_FALSE(world.is_awake(body)) << body.index;
    EXPECT_NEAR(world.centre_of_mass(body).y, 0, 0.5);
  }
}

TEST(FluidField, LoweringTheLevelWakesAndLowersFloatingBodies) {
  World world{WorldOptions{}};
  const ForceFieldHandle sea = world.create_force_field({water(3), {}});
  const BodyHandle box = add_floater(world, {{0, 0, 0}, {}}, state::box({1, 0.25f, 0.8f}), 500);
  run(world, 300);
  ASSERT_FALSE(world.is_awake(box));
  forces::Fluid lower = water(3);
  lower.level = -2;
  world.set_force_field(sea, {lower, {}});
  EXPECT_TRUE(world.is_awake(box));
  run(world, 600);
  EXPECT_NEAR(world.centre_of_mass(box).y, -2, 1e-3);
  EXPECT_EQ(std::get<forces::Fluid>(world.force_field_def(sea).field), lower);
}

// If a body is woken within a step, buoyancy must act on it in the same step.
TEST(FluidField, BuoyancyActsInTheStepThatWakesABody) {
  World world{WorldOptions{}};
  world.create_force_field({water(3), {}});
  const BodyHandle box = add_floater(world, {{0, 0, 0}, {}}, state::box({1, 0.25f, 0.8f}), 500);
  run(world, 300);
  ASSERT_FALSE(world.is_awake(box));
  BodyDef def;
  def.pose.position = {0, 0.45, 0};
  def.gravity_scale = 0;
  def.linear_velocity = {0, -0.3f, 0};
  def.ignores_force_fields = true;
  def.mass = 0.001f;
  const BodyHandle feather = world.create_body(def);
  world.add_shape(feather, shape_def(state::sphere(0.1f)));
  world.set_velocity(feather, def.linear_velocity, {});
  for (int i = 0; i < 120 && !world.is_awake(box); ++i)
    world.step();
  ASSERT_TRUE(world.is_awake(box));
  EXPECT_LT(std::abs(world.linear_velocity(box).y), 0.01f);
}

}  // namespace
}  // namespace jostle::physics
