#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

TEST(RigidBody, GravityScaleAndForcesAddUp) {
  World world{WorldOptions{}};
  const BodyHandle body = add_dynamic(world, {0, 100, 0}, state::sphere(0.5f));
  world.set_gravity_scale(body, -0.5f);
  for (int i = 0; i < 60; ++i) {
    world.apply_central_force(body, {world.mass(body) * 2.0f, 0, 0});
    world.step();
  }
  EXPECT_NEAR(world.linear_velocity(body).x, 2.0, 1e-3);
  EXPECT_NEAR(world.linear_velocity(body).y, g / 2, 1e-3);
  run(world, 60);
  EXPECT_NEAR(world.linear_velocity(body).x, 2.0, 1e-3) << "a force must act for one step only";
}

// The product of the damping and the substep is zero in floats.
TEST(RigidBody, DenormalDampingIsIgnored) {
  World world(without_sleep());
  BodyDef def;
  def.linear_damping = def.angular_damping = 1e-44f;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.5f)));
  run(world, 60);
  EXPECT_FALSE(world.is_quarantined(body));
  EXPECT_NEAR(world.linear_velocity(body).y, -9.81f, 1e-4f);
}

TEST(RigidBody, DampingDecaysVelocityExponentially) {
  World world(without_gravity());
  BodyDef def;
  def.linear_velocity = {10, 0, 0};
  def.angular_velocity = {0, 4, 0};
  def.linear_damping = 0.5f;
  def.angular_damping = 0.25f;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.5f)));
  run(world, 60);
  EXPECT_NEAR(world.linear_velocity(body).x, 10 * std::exp(-0.5), 0.01);
  EXPECT_NEAR(world.angular_velocity(body).y, 4 * std::exp(-0.25), 0.01);
}

TEST(RigidBody, CollisionsConserveMomentum) {
  World world(without_gravity());
  base::Random random(3);
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < 40; ++i) {
    const Position at{(i % 4) * 1.5, (i / 4 % 4) * 1.5, (i / 16) * 1.5};
    ShapeDef def = shape_def(random_shape(random));
    def.material.restitution = 0.5f;
    bodies.push_back(add_body(world, MotionType::Dynamic, {at, random_rotation(random)}, def));
    const Vec3 inward = math::to_vec3({2.25, 2.25, 1.5}) - math::to_vec3(at);
    world.set_velocity(bodies.back(), inward * 2.0f, random_vector(random, 3));
  }
  const auto sum = [&](auto&& of_body) {
    double x = 0, y = 0, z = 0;
    for (const BodyHandle body : bodies) {
      const Vec3 v = of_body(body);
      x += static_cast<double>(v.x);
      y += static_cast<double>(v.y);
      z += static_cast<double>(v.z);
    }
    return Position{x, y, z};
  };
  const auto linear = [&](BodyHandle b) { return world.linear_velocity(b) * world.mass(b); };
  const auto angular = [&](BodyHandle b) {
    return cross(math::to_vec3(world.centre_of_mass(b)), linear(b)) + angular_momentum(world, b);
  };
  double scale = 0, angular_scale = 0;
  for (const BodyHandle b : bodies) {
    scale += static_cast<double>(length(linear(b)));
    angular_scale += static_cast<double>(length(angular(b)));
  }
  const Position before = sum(linear), angular_before = sum(angular);
  std::size_t hits = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    hits += world.contact_hits().size();
  }
  EXPECT_GT(hits, 20U);
  EXPECT_LT(length(sum(linear) - before), 1e-5 * scale);
  EXPECT_LT(length(sum(angular) - angular_before), 1e-2 * angular_scale);
}

TEST(RigidBody, PileNeverGainsEnergy) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    World world(without_sleep());
    add_ground(world);
    add_mixed_rain(world, 100, seed);
    run(world, 30);  // the initial overlaps are gone
    double lowest = total_energy(world);
    for (int i = 0; i < 600; ++i) {
      world.step();
      const double energy = total_energy(world);
      ASSERT_LT(energy, lowest * 1.005) << "step " << i;
      lowest = std::min(lowest, energy);
    }
  }
}

TEST(RigidBody, DoesNotBounceWithoutRestitution) {
  World world(without_sleep());
  add_ground(world);
  const BodyHandle ball = add_dynamic(world, {0, 3, 0}, state::sphere(0.5f));
  float fastest_up = 0;
  for (int i = 0; i < 200; ++i) {
    world.step();
    fastest_up = std::max(fastest_up, world.linear_velocity(ball).y);
  }
  EXPECT_LT(fastest_up, 0.05f);
  EXPECT_NEAR(world.centre_of_mass(ball).y, 0.5, 1e-3);
}

/// Returns the distance that a box slides down a slope in two seconds. The slope is inclined by
/// `tilt` and turned about y by `heading`, in rad.
double slide_down(float tilt, float friction, float heading) {
  World world(without_sleep());
  const math::Quat turn = math::from_axis_angle({0, 1, 0}, heading);
  const math::Quat slope = turn * math::from_axis_angle({0, 0, 1}, tilt);
  ShapeDef plane = shape_def(state::plane());
  plane.material.friction = friction;
  add_body(world, MotionType::Static, {{}, slope}, plane);
  ShapeDef box = shape_def(state::box({0.5f, 0.1f, 0.5f}));
  box.material.friction = friction;
  const Vec3 at = rotate(slope, {0, 0.1f, 0});
  const BodyHandle body = add_body(world, MotionType::Dynamic, {math::to_position(at), slope}, box);
  run(world, 120);
  return static_cast<double>(length(world.centre_of_mass(body) - math::to_position(at)));
}

TEST(Friction, HoldsUpToTheFrictionAngleInEveryDirection) {
  constexpr float friction = 0.5f;
  const float onset = math::atan2(friction, 1.0f);
  const float margin = 0.2f * math::pi / 180.0f;
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const float heading = static_cast<float>(i) * math::pi / 6.0f;
    EXPECT_LT(slide_down(onset - margin, friction, heading), 0.003);
    const double tilt = static_cast<double>(onset + margin);
    const double acceleration = g * (std::sin(tilt) - 0.5 * std::cos(tilt));
    EXPECT_NEAR(slide_down(onset + margin, friction, heading), acceleration * 2, 0.02);
  }
}

TEST(Friction, StopsASlidingBoxAfterTheExactDistance) {
  for (const float heading : {0.0f, 0.3f, 0.7854f, 2.0f}) {
    SCOPED_TRACE(heading);
    World world(without_sleep());
    add_ground(world, Material{0.5f, 0});
    ShapeDef def = shape_def(state::box({0.5f, 0.1f, 0.5f}));
    def.material.friction = 0.5f;
    const BodyHandle body = add_body(world, MotionType::Dynamic, {{0, 0.1, 0}, {}}, def);
    run(world, 30);
    const Position start = world.centre_of_mass(body);
    const math::SinCos direction = math::sin_cos(heading);
    world.set_velocity(body, Vec3{direction.cos, 0, direction.sin} * 5.0f, {});
    run(world, 120);
    EXPECT_NEAR(length(world.centre_of_mass(body) - start), 25 / (2 * 0.5 * g), 0.02);
    EXPECT_LT(length(world.linear_velocity(body)), 1e-3f);
  }
}

TEST(Friction, RollsABallDownASlopeAtFiveSeventhsOfGravity) {
  World world(without_sleep());
  const math::Quat slope = math::from_axis_angle({0, 0, 1}, 0.3f);
  ShapeDef plane = shape_def(state::plane());
  add_body(world, MotionType::Static, {{}, slope}, plane);
  const BodyHandle ball =
      add_body(world, MotionType::Dynamic, {math::to_position(rotate(slope, {0, 0.5f, 0})), {}},
               shape_def(state::sphere(0.5f)));
  run(world, 120);
  const double expected = 5.0 / 7.0 * g * std::sin(0.3) * 2.0;
  EXPECT_NEAR(length(world.linear_velocity(ball)), expected, 0.005 * expected);
}

TEST(RigidBody, TopplesIfItsCentreOfMassLeavesItsBase) {
  for (const float past : {-1.0f, 1.0f}) {
    SCOPED_TRACE(past);
    World world(without_sleep());
    const float tilt = math::atan2(0.5f, 1.0f) + past * 0.01f;
    const math::Quat slope = math::from_axis_angle({0, 0, 1}, tilt);
    ShapeDef def = shape_def(state::plane());
    def.material.friction = 2;
    add_body(world, MotionType::Static, {{}, slope}, def);
    def.shape = state::box({0.5f, 1, 0.5f});
    const BodyHandle body = add_body(world, MotionType::Dynamic,
                                     {math::to_position(rotate(slope, {0, 1, 0})), slope}, def);
    run(world, 240);
    const float upright =
        dot(rotate(world.pose(body).rotation, {0, 1, 0}), rotate(slope, {0, 1, 0}));
    EXPECT_EQ(upright > 0.9f, past < 0);
  }
}

TEST(RigidBody, FreeRotationConservesAngularMomentumAndEnergy) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::box({0.1f, 0.2f, 0.3f}));
  world.set_velocity(body, {}, {2, 5, 3});
  const Vec3 momentum = angular_momentum(world, body);
  const double energy = kinetic_energy(world, body);
  for (int i = 0; i < 600; ++i) {
    world.step();
    ASSERT_LT(length(angular_momentum(world, body) - momentum), 1e-5f * length(momentum));
    ASSERT_NEAR(kinetic_energy(world, body), energy, 1e-5 * energy);
  }
}

// The spins are far above the limit ν = ½ (solver/kernels/body_kernels.h), above which the
// integrator slows the nutation. This must not change the energy.
TEST(RigidBody, FastSpinningNeedleConservesEnergy) {
  for (const Vec3 spin : {Vec3{150, 3, 0}, Vec3{40, 60, 20}, Vec3{5, 190, 30}}) {
    World world(without_gravity());
    const BodyHandle body = add_dynamic(world, {}, state::box({0.02f, 0.5f, 0.03f}));
    world.set_velocity(body, {}, spin);
    const double energy = kinetic_energy(world, body);
    for (int i = 0; i < 600; ++i) {
      world.step();
      ASSERT_NEAR(kinetic_energy(world, body), energy, 1e-3 * energy) << "step " << i;
    }
  }
}

TEST(KinematicPlatform, CarriesABoxAndStopsAtItsTarget) {
  World world(without_sleep());
  const BodyHandle platform =
      add_body(world, MotionType::Kinematic, {{0, 0, 0}, {}}, shape_def(state::box({2, 0.5f, 2})));
  const BodyHandle box = add_dynamic(world, {0.5, 1, 0.5}, state::box({0.5f, 0.5f, 0.5f}));
  double way = 0;
  for (int i = 0; i < 240; ++i) {
    way += std::min(i * 0.05, 1.5) / 60;  // accelerates to 1.5 m/s
    world.move_kinematic(platform, {{way, 0, 0}, {}});
    world.step();
  }
  EXPECT_EQ(world.pose(platform).position.x, way) << "the platform must arrive exactly";
  EXPECT_NEAR(world.centre_of_mass(box).x - way, 0.5, 0.02);
  EXPECT_NEAR(world.centre_of_mass(box).y, 1, 0.005);
  EXPECT_NEAR(world.linear_velocity(box).x, 1.5, 0.01);

  run(world, 120);
  EXPECT_EQ(world.pose(platform).position.x, way) << "the platform must stay at its last target";
  EXPECT_EQ(world.linear_velocity(platform), Vec3{});
  EXPECT_LT(length(world.linear_velocity(box)), 1e-2f);
}

TEST(KinematicPlatform, TurnsABoxThatStandsOnIt) {
  World world(without_sleep());
  const BodyHandle platform =
      add_body(world, MotionType::Kinematic, {{0, 0, 0}, {}}, shape_def(state::box({2, 0.5f, 2})));
  const BodyHandle box = add_dynamic(world, {0, 1, 0}, state::box({0.5f, 0.5f, 0.5f}));
  for (int i = 1; i <= 180; ++i) {
    world.move_kinematic(platform,
                         {{}, math::from_axis_angle({0, 1, 0}, static_cast<float>(i) / 180)});
    world.step();
  }
  EXPECT_NEAR(world.angular_velocity(platform).y, 60.0f / 180.0f, 1e-3f);
  EXPECT_NEAR(world.angular_velocity(box).y, 60.0f / 180.0f, 1e-2f);
}

TEST(RigidBody, ImpulseAtAPointChangesLinearAndAngularVelocity) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {1, 2, 3}, state::box({0.5f, 0.5f, 0.5f}));
  world.apply_impulse(body, {100, 0, 0}, {1, 2.5, 3});
  EXPECT_FLOAT_EQ(world.linear_velocity(body).x, 0.1f);
  // L = r × J = (0, .5, 0) × (100, 0, 0); I = m·(2·.25)/3
  EXPECT_FLOAT_EQ(world.angular_velocity(body).z, -50.0f / (1000.0f / 6.0f));
  EXPECT_FLOAT_EQ(world.velocity_at(body, {1, 2.5, 3}).x, 0.1f + 0.15f);
}

TEST(RigidBody, DoesNotTurnWithLockedRotation) {
  World world(without_sleep());
  add_ground(world);
  BodyDef def;
  def.locks = state::lock_rotation;
  def.pose.position = {0, 2, 0};
  def.angular_velocity = {1, 2, 3};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::capsule(0.3f, 0.5f)));
  world.apply_impulse(body, {200, 0, 50}, {0, 3, 0});
  world.apply_angular_impulse(body, {10, 10, 10});
  run(world, 120);
  EXPECT_EQ(world.pose(body).rotation, math::Quat{});
  EXPECT_EQ(world.angular_velocity(body), Vec3{});
  EXPECT_NEAR(world.centre_of_mass(body).y, 0.8, 1e-3);
}

TEST(RigidBody, StackFarFromTheOriginSettlesTheSame) {
  const auto settle = [](Position origin) {
    World world(without_sleep());
    add_body(world, MotionType::Static, {origin, {}}, shape_def(state::plane()));
    std::vector<BodyHandle> bodies;
    for (int i = 0; i < 5; ++i) {
      bodies.push_back(add_dynamic(world, origin + Vec3{0, 0.5f + static_cast<float>(i), 0},
                                   state::box({0.5f, 0.5f, 0.5f})));
    }
    run(world, 300);
    return world.centre_of_mass(bodies.back()) - origin;
  };
  const Vec3 near = settle({}), far = settle({1e5, 0, -1e5});
  EXPECT_NEAR(length(near - far), 0.0f, 1e-3f);
}

}  // namespace
}  // namespace jostle::physics
