#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr float arm = 0.05f, radius = 0.5f;

Material resisting(float rolling, float spinning) {
  Material material;
  material.rolling_resistance = rolling;
  material.spinning_resistance = spinning;
  return material;
}

ShapeDef ball_with(const Material& material) {
  ShapeDef def = shape_def(state::sphere(radius));
  def.material = material;
  return def;
}

/// Returns the distance that a ball rolls down a slope in two seconds. The slope is inclined by
/// `tilt` and turned about y by `heading`, in rad.
double roll_down(float tilt, float heading) {
  World world(without_sleep());
  const math::Quat slope =
      math::from_axis_angle({0, 1, 0}, heading) * math::from_axis_angle({0, 0, 1}, tilt);
  add_body(world, MotionType::Static, {{}, slope}, shape_def(state::plane()));
  const Position at = math::to_position(rotate(slope, {0, radius, 0}));
  const BodyHandle ball =
      add_body(world, MotionType::Dynamic, {at, {}}, ball_with(resisting(arm, 0)));
  run(world, 120);
  return length(world.centre_of_mass(ball) - at);
}

TEST(RollingResistance, BallRollsOnlyDownSteepEnoughSlopes) {
  const float onset = math::atan2(arm, radius);
  for (int i = 0; i < 6; ++i) {
    SCOPED_TRACE(i);
    const float heading = static_cast<float>(i) * math::pi / 5.0f;
    EXPECT_LT(roll_down(onset * 0.98f, heading), 0.002);
    // Beyond the onset, m·a·7/5 = m·g·(sin θ − ρ/r·cos θ), with the slope θ, the rolling resistance
    // ρ and the radius r.
    const double tilt = static_cast<double>(onset) * 1.5;
    const double acceleration = 5.0 / 7.0 * g * (std::sin(tilt) - 0.1 * std::cos(tilt));
    EXPECT_NEAR(roll_down(onset * 1.5f, heading), acceleration * 2, 0.01 * acceleration * 2);
  }
}

TEST(RollingResistance, BallDeceleratesUniformlyAndStops) {
  World world(without_sleep());
  add_ground(world);
  const BodyHandle ball =
      add_body(world, MotionType::Dynamic, {{0, radius, 0}, {}}, ball_with(resisting(arm, 0)));
  run(world, 30);
  const double speed = 2, deceleration = 5.0 / 7.0 * g * 0.1;
  world.set_velocity(ball, {2, 0, 0}, {0, 0, -2 / radius});
  const Position start = world.centre_of_mass(ball);
  run(world, 60);
  EXPECT_NEAR(world.linear_velocity(ball).x, speed - deceleration, 0.005);
  run(world, 180);
  EXPECT_NEAR(length(world.centre_of_mass(ball) - start), speed * speed / (2 * deceleration), 0.03);
  EXPECT_LT(length(world.linear_velocity(ball)), 1e-4f);
  EXPECT_LT(length(world.angular_velocity(ball)), 1e-4f);
}

TEST(SpinningResistance, BallDeceleratesByTheExactMoment) {
  World world(without_sleep());
  add_ground(world);
  const BodyHandle ball =
      add_body(world, MotionType::Dynamic, {{0, radius, 0}, {}}, ball_with(resisting(0, 0.01f)));
  run(world, 30);
  world.set_velocity(ball, {}, {0, 5, 0});
  run(world, 60);
  EXPECT_NEAR(world.angular_velocity(ball).y, 5 - 2.5 * g * 0.01 / 0.25, 0.01);
  run(world, 400);
  EXPECT_LT(length(world.angular_velocity(ball)), 1e-4f);
}

TEST(SpinningResistance, ActsOnBoxesBesideFriction) {
  // Without friction only the spinning resistance ρ acts: I·α = ρ·m·g with I = m·(w² + d²)/12, for
  // the width w and the depth d.
  World world(without_sleep());
  add_ground(world, Material{0, 0});
  ShapeDef def = shape_def(state::box({0.5f, 0.2f, 0.5f}));
  def.material = resisting(0, 0.02f);
  def.material.friction = 0;
  const BodyHandle box = add_body(world, MotionType::Dynamic, {{0, 0.2, 0}, {}}, def);
  run(world, 30);
  world.set_velocity(box, {}, {0, 3, 0});
  run(world, 60);
  EXPECT_NEAR(world.angular_velocity(box).y, 3 - 0.02 * g * 6, 0.01);
}

TEST(RollingResistance, LargerOfTwoMaterialsCounts) {
  World world(without_sleep());
  add_ground(world, resisting(arm, 0));
  const BodyHandle ball = add_dynamic(world, {0, radius, 0}, state::sphere(radius));
  run(world, 30);
  world.set_velocity(ball, {1, 0, 0}, {0, 0, -1 / radius});
  run(world, 30);
  EXPECT_NEAR(world.linear_velocity(ball).x, 1 - 5.0 / 7.0 * g * 0.1 / 2, 0.005);
}

}  // namespace
}  // namespace jostle::physics
