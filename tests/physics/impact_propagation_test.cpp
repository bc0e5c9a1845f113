// Impact propagation through touching bodies
// (shared/physics/stabilizers/impact_propagation/impact_chains.h).
#include "shared/math/vec3d.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

WorldOptions elastic_space() {
  WorldOptions options = without_sleep();
  options.gravity = {};
  options.restitution_threshold = 0;
  return options;
}
ShapeDef smooth_ball(float radius, float restitution) {
  ShapeDef def = shape_def(state::sphere(radius));
  def.material.friction = 0;
  def.material.restitution = restitution;
  return def;
}
BodyHandle add_ball(World& world, Position at, float mass = 1, float restitution = 1,
                    float radius = 0.5f) {
  BodyDef def;
  def.pose.position = at;
  def.mass = mass;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, smooth_ball(radius, restitution));
  return body;
}

TEST(NewtonsCradle, AsManyBallsLeaveAsArrive) {
  for (int count = 1; count < 7; ++count) {
    World world(elastic_space());
    std::vector<BodyHandle> balls;
    for (int i = 0; i < 7; ++i) {
      balls.push_back(add_ball(world, {i - (i < count ? 0.3 : 0.0), 0, 0}));
      if (i < count) world.set_velocity(balls.back(), {3, 0, 0}, {});
    }
    run(world, 60);
    for (int i = 0; i < 7; ++i)
      EXPECT_NEAR(world.linear_velocity(balls[static_cast<std::size_t>(i)]).x,
                  i >= 7 - count ? 3 : 0, 1e-5)
          << count << " in, ball " << i;
  }
}

TEST(NewtonsCradle, ImpactsFromBothEndsPassThroughEachOther) {
  World world(elastic_space());
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 6; ++i)
    balls.push_back(add_ball(world, {i + (i == 0 ? -0.3 : i == 5 ? 0.3 : 0.0), 0, 0}));
  world.set_velocity(balls.front(), {3, 0, 0}, {});
  world.set_velocity(balls.back(), {-3, 0, 0}, {});
  run(world, 60);
  EXPECT_NEAR(world.linear_velocity(balls.front()).x, -3, 1e-5);
  EXPECT_NEAR(world.linear_velocity(balls.back()).x, 3, 1e-5);
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_NEAR(world.linear_velocity(balls[i]).x, 0, 1e-5);
}

// An elastic impact of a mass m with the speed u on a mass M at rest leaves m the speed u·(m −
// M)/(m + M). M gets the speed 2·m·u/(m + M).
TEST(NewtonsCradle, ShrinkingMassesAccelerateTheLastBall) {
  World world(elastic_space());
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 4; ++i)
    balls.push_back(
        add_ball(world, {i - (i == 0 ? 0.3 : 0.0), 0, 0}, std::pow(0.5f, static_cast<float>(i))));
  world.set_velocity(balls.front(), {3, 0, 0}, {});
  run(world, 30);
  double speed = 3;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(world.linear_velocity(balls[static_cast<std::size_t>(i)]).x, speed / 3, 1e-4);
    speed *= 4.0 / 3;
  }
  EXPECT_NEAR(world.linear_velocity(balls.back()).x, speed, 1e-4);
}

// With a restitution e < 1, the striking ball keeps (1 − e)/2 of its speed, and an equal ball at
// rest gets (1 + e)/2 of this speed.
TEST(NewtonsCradle, InelasticImpactsLoseSpeedOneByOne) {
  constexpr double e = 0.8;
  World world(elastic_space());
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 3; ++i)
    balls.push_back(add_ball(world, {i - (i == 0 ? 0.3 : 0.0), 0, 0}, 1, static_cast<float>(e)));
  world.set_velocity(balls.front(), {3, 0, 0}, {});
  run(world, 12);
  // There are three impacts: of the first ball on the second, of the second on the third, and of
  // the first on the second again.
  const double first = 3 * (1 - e) / 2, second = 3 * (1 - e * e) / 4;
  const double closing = first - second;
  EXPECT_NEAR(world.linear_velocity(balls[0]).x, first - closing * (1 + e) / 2, 1e-5);
  EXPECT_NEAR(world.linear_velocity(balls[1]).x, second + closing * (1 + e) / 2, 1e-5);
  EXPECT_NEAR(world.linear_velocity(balls[2]).x, 3 * (1 + e) * (1 + e) / 4, 1e-5);
}

struct Rack {
  BodyHandle cue;
  std::vector<BodyHandle> balls;
};
Rack add_rack(World& world, int rows) {
  Rack rack;
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i <= row; ++i)
      rack.balls.push_back(add_ball(world, {row * std::sqrt(0.75) * 1.0000001, 0, i - 0.5 * row}));
  rack.cue = add_ball(world, {-1.4, 0, 0});
  world.set_velocity(rack.cue, {10, 0, 0}, {});
  return rack;
}

TEST(BilliardRack, BreaksSymmetrically) {
  World world(elastic_space());
  const Rack rack = add_rack(world, 2);
  run(world, 10);
  const Vec3 left = world.linear_velocity(rack.balls[1]),
             right = world.linear_velocity(rack.balls[2]);
  EXPECT_GT(left.x, 1.0f);
  EXPECT_NEAR(left.x, right.x, 1e-3);
  EXPECT_NEAR(left.z, -right.z, 1e-3);
}

TEST(BilliardRack, ConservesMomentumAndEnergy) {
  World world(elastic_space());
  add_rack(world, 5);
  const double energy = total_energy(world);
  run(world, 60);
  EXPECT_NEAR(total_energy(world), energy, 1e-3 * energy);
  math::Vec3d momentum;
  for (const BodyHandle body : world.bodies())
    momentum = momentum +
               math::widened(world.linear_velocity(body)) * static_cast<double>(world.mass(body));
  EXPECT_NEAR(momentum.x, 10, 1e-4);
  EXPECT_NEAR(momentum.z, 0, 1e-4);
}

// A light ball falls on top of a heavy one, both with the speed v. After the heavy one has bounced,
// they meet with the relative speed 2·v.
TEST(ImpactPropagation, HeavyBallThrowsALightOneUpAfterABounce) {
  WorldOptions options = without_sleep();
  options.restitution_threshold = 0;
  World world(options);
  Material material;
  material.restitution = 1;
  material.friction = 0;
  add_ground(world, material);
  const BodyHandle lower = add_ball(world, {0, 1.5, 0}, 3, 1, 0.5f);
  const BodyHandle upper = add_ball(world, {0, 2.25, 0}, 1, 1, 0.25f);
  const double speed = std::sqrt(2 * 9.81 * 1.0);
  const double energy = total_energy(world);
  run(world, 30);  // the fall takes 0.452 s
  // With masses 3 and 1 the heavy ball stops and the light one gets 2·v.
  EXPECT_NEAR(world.linear_velocity(lower).y, 0, 0.2);  // the heavy ball stays on the floor
  EXPECT_NEAR(world.linear_velocity(upper).y + 9.81 * (0.5 - 0.4515), 2 * speed, 0.15);
  EXPECT_LT(total_energy(world), energy * 1.001);
}

TEST(ImpactPropagation, BallsInARowStayOnTheFloorWhenStruck) {
  WorldOptions options = without_sleep();
  options.restitution_threshold = 0.01f;
  World world(options);
  Material material;
  material.restitution = 0;
  material.friction = 0;
  add_ground(world, material);
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 5; ++i)
    balls.push_back(add_ball(world, {i - (i == 0 ? 0.5 : 0.0), 0.5, 0}));
  run(world, 30);
  world.set_velocity(balls.front(), {2, 0, 0}, {});
  run(world, 60);
  for (const BodyHandle body : balls)
    EXPECT_NEAR(world.centre_of_mass(body).y, 0.5, 1e-3);
  EXPECT_NEAR(world.linear_velocity(balls.back()).x, 2, 0.01);
  EXPECT_NEAR(world.linear_velocity(balls[2]).x, 0, 0.01);
}

// There are more impacts than the solver propagates one by one.
TEST(ImpactPropagation, PileOfBouncingBallsGainsNoEnergy) {
  for (const int side : {3, 6}) {
    WorldOptions options = without_sleep();
    options.restitution_threshold = 0;
    World world(options);
    Material material;
    material.restitution = 1;
    add_ground(world, material);
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y)
        for (int z = 0; z < side; ++z)
          add_ball(world, {x * 1.0, 1.0 + y, z * 1.0}, 1, 0.9f);
    const double energy = total_energy(world);
    for (int i = 0; i < 300; ++i) {
      world.step();
      ASSERT_LT(total_energy(world), 1.01 * energy) << "step " << i;
    }
  }
}

}  // namespace
}  // namespace jostle::physics
