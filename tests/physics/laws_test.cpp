#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr double g = 9.81;

WorldOptions without_gravity() {
  WorldOptions options = without_sleep();
  options.gravity = {};
  return options;
}

TEST(Laws, ABodyInFreeFallIsOnTheParabola) {
  World world{WorldOptions{}};
  const BodyHandle body = add_dynamic(world, {1, 100, 2}, state::box({0.3f, 0.4f, 0.5f}));
  world.set_velocity(body, {3, 7, -2}, {1, 2, 3});
  run(world, 120);
  const double t = 120 / 60.0;
  const Position at = world.centre_of_mass(body);
  EXPECT_NEAR(at.x, 1 + 3 * t, 3e-4);
  EXPECT_NEAR(at.y, 100 + 7 * t - g * t * t / 2, 3e-4);
  EXPECT_NEAR(at.z, 2 - 2 * t, 3e-4);
  EXPECT_NEAR(world.linear_velocity(body).y, 7 - g * t, 1e-4);
}

TEST(Laws, GravityScaleAndForceAddUp) {
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
  EXPECT_NEAR(world.linear_velocity(body).x, 2.0, 1e-3) << "a force lasts for one step";
}

// Its product with the substep is zero.
TEST(Laws, DampingTooSmallForAFloatIsNone) {
  World world(without_sleep());
  BodyDef def;
  def.linear_damping = def.angular_damping = 1e-44f;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.5f)));
  run(world, 60);
  EXPECT_FALSE(world.is_quarantined(body));
  EXPECT_NEAR(world.linear_velocity(body).y, -9.81f, 1e-4f);
}

TEST(Laws, DampingDecaysVelocityExponentially) {
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

TEST(Laws, CollisionsKeepMomentum) {
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

TEST(Laws, APileNeverGainsEnergy) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    World world(without_sleep());
    add_ground(world);
    add_mixed_rain(world, 100, seed);
    run(world, 30);  // overlaps of the start are gone
    double lowest = total_energy(world);
    for (int i = 0; i < 600; ++i) {
      world.step();
      const double energy = total_energy(world);
      ASSERT_LT(energy, lowest * 1.005) << "step " << i;
      lowest = std::min(lowest, energy);
    }
  }
}

TEST(Laws, WithoutRestitutionNothingBounces) {
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

TEST(Laws, EqualBallsExchangeTheirSpeeds) {
  WorldOptions options = without_gravity();
  options.restitution_threshold = 0;
  for (const float speed : {0.1f, 1.0f, 20.0f}) {
    SCOPED_TRACE(speed);
    World world(options);
    ShapeDef def = shape_def(state::sphere(0.5f));
    def.material = {0, 1};
    const BodyHandle a = add_body(world, MotionType::Dynamic, {{-1, 0, 0}, {}}, def);
    const BodyHandle b = add_body(world, MotionType::Dynamic, {{1, 0, 0}, {}}, def);
    world.set_velocity(a, {speed, 0, 0}, {});
    run(world, static_cast<int>(90.0f / speed));
    EXPECT_NEAR(world.linear_velocity(a).x, 0, 1e-3f * speed);
    EXPECT_NEAR(world.linear_velocity(b).x, speed, 1e-3f * speed);
  }
}

/// How far a box on a slope has come along it in two seconds, the direction turned about y.
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

TEST(Laws, FrictionHoldsUpToItsAngleAndNoFartherInEveryDirection) {
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

TEST(Laws, ASlidingBoxStopsAfterTheKnownWay) {
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

TEST(Laws, ABallRollsDownAtFiveSeventhsOfTheSlope) {
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

TEST(Laws, ABoxTopplesWhereItsCentreLeavesItsBase) {
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

/// Torque-free rotation of a body with moments I by Runge and Kutta's rule in doubles, with steps
/// small enough that nothing is left of its own error. Angular momentum is the world's.
struct FreeTumble {
  double moments[3], momentum[3];
  double q[4] = {1, 0, 0, 0};  // w, x, y, z

  std::array<double, 4> rate(const std::array<double, 4>& at) const {
    const double w = at[0], x = at[1], y = at[2], z = at[3], n = w * w + x * x + y * y + z * z;
    const double m[3][3] = {
        {1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
        {2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n},
        {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n}};
    double o[3];
    for (int i = 0; i < 3; ++i) {
      o[i] = (m[0][i] * momentum[0] + m[1][i] * momentum[1] + m[2][i] * momentum[2]) / moments[i];
    }
    return {(-x * o[0] - y * o[1] - z * o[2]) / 2, (w * o[0] + y * o[2] - z * o[1]) / 2,
            (w * o[1] + z * o[0] - x * o[2]) / 2, (w * o[2] + x * o[1] - y * o[0]) / 2};
  }
  void step(double h) {
    std::array<double, 4> at{q[0], q[1], q[2], q[3]}, sum{};
    std::array<double, 4> slope{};
    const double reach[4] = {0, h / 2, h / 2, h}, weight[4] = {1, 2, 2, 1};
    for (int stage = 0; stage < 4; ++stage) {
      std::array<double, 4> probe = at;
      for (std::size_t i = 0; i < 4; ++i)
        probe[i] += reach[stage] * slope[i];
      slope = rate(probe);
      for (std::size_t i = 0; i < 4; ++i)
        sum[i] += weight[stage] * slope[i] * h / 6;
    }
    for (std::size_t i = 0; i < 4; ++i)
      q[i] += sum[i];
  }
};

TEST(Laws, ATumblingBodyIsTurnedAsTheExactSolutionSays) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::box({0.1f, 0.2f, 0.3f}));
  world.set_velocity(body, {}, {2, 5, 3});
  const double mass = static_cast<double>(world.mass(body));
  FreeTumble exact;
  const double side[3] = {0.2, 0.4, 0.6}, spin[3] = {2, 5, 3};
  for (int i = 0; i < 3; ++i) {
    const double u = side[(i + 1) % 3], v = side[(i + 2) % 3];
    exact.moments[i] = mass * (u * u + v * v) / 12;
    exact.momentum[i] = exact.moments[i] * spin[i];
  }
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    for (int k = 0; k < 20; ++k)
      exact.step(1.0 / 1200);
    // The rotation between the two: twice the length of its vector part.
    const math::Quat is = world.pose(body).rotation;
    const double w = static_cast<double>(is.w), x = static_cast<double>(is.x);
    const double y = static_cast<double>(is.y), z = static_cast<double>(is.z);
    const auto& q = exact.q;
    const double apart[3] = {w * q[1] - x * q[0] - y * q[3] + z * q[2],
                             w * q[2] - y * q[0] - z * q[1] + x * q[3],
                             w * q[3] - z * q[0] - x * q[2] + y * q[1]};
    worst = std::max(worst, 2 * std::hypot(apart[0], apart[1], apart[2]));
  }
  EXPECT_LT(worst, 1e-4);  // rad
}

TEST(Laws, FreeRotationKeepsAngularMomentumAndEnergy) {
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

// Its substep is longer than a nutation, which is not followed, and must not be mistaken for
// energy.
TEST(Laws, ANeedleThatSpinsTooFastToFollowKeepsItsEnergy) {
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

/// Steps at which the spin about the middle axis changes its sign.
std::vector<double> dzhanibekov_flips(double seconds) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::box({0.1f, 0.2f, 0.3f}));
  world.set_velocity(body, {}, {0.05f, 5, 0.05f});
  std::vector<double> flips;
  float before = 5;
  for (int i = 1; i <= static_cast<int>(seconds * 60); ++i) {
    world.step();
    const float spin = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body)).y;
    if ((spin < 0) != (before < 0)) {
      // Between the two steps, on the straight line.
      flips.push_back((i - static_cast<double>(spin / (spin - before))) / 60.0);
    }
    before = spin;
  }
  return flips;
}

TEST(Laws, TheMiddleAxisFlipsWhenItShould) {
  const std::vector<double> flips = dzhanibekov_flips(100);
  ASSERT_EQ(flips.size(), 20U);
  EXPECT_NEAR(flips[0], 2.097, 0.02);
  EXPECT_NEAR(flips[1], 7.207, 0.02);
  EXPECT_NEAR(flips[2], 12.317, 0.02);
}

TEST(Laws, AKinematicPlatformCarriesABox) {
  World world(without_sleep());
  const BodyHandle platform =
      add_body(world, MotionType::Kinematic, {{0, 0, 0}, {}}, shape_def(state::box({2, 0.5f, 2})));
  const BodyHandle box = add_dynamic(world, {0.5, 1, 0.5}, state::box({0.5f, 0.5f, 0.5f}));
  double way = 0;
  for (int i = 0; i < 240; ++i) {
    way += std::min(i * 0.05, 1.5) / 60;  // speeds up to 1.5 m/s
    world.move_kinematic(platform, {{way, 0, 0}, {}});
    world.step();
  }
  EXPECT_EQ(world.pose(platform).position.x, way) << "arrives exactly";
  EXPECT_NEAR(world.centre_of_mass(box).x - way, 0.5, 0.02);
  EXPECT_NEAR(world.centre_of_mass(box).y, 1, 0.005);
  EXPECT_NEAR(world.linear_velocity(box).x, 1.5, 0.01);

  run(world, 120);
  EXPECT_EQ(world.pose(platform).position.x, way) << "stands where its last target was";
  EXPECT_EQ(world.linear_velocity(platform), Vec3{});
  EXPECT_LT(length(world.linear_velocity(box)), 1e-2f);
}

TEST(Laws, ATurningPlatformTurnsWhatStandsOnIt) {
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

TEST(Laws, AnImpulseAtAPointTurnsAndPushes) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {1, 2, 3}, state::box({0.5f, 0.5f, 0.5f}));
  world.apply_impulse(body, {100, 0, 0}, {1, 2.5, 3});
  EXPECT_FLOAT_EQ(world.linear_velocity(body).x, 0.1f);
  // L = r × J = (0, .5, 0) × (100, 0, 0); I = m·(2·.25)/3
  EXPECT_FLOAT_EQ(world.angular_velocity(body).z, -50.0f / (1000.0f / 6.0f));
  EXPECT_FLOAT_EQ(world.velocity_at(body, {1, 2.5, 3}).x, 0.1f + 0.15f);
}

TEST(Laws, ARotationLockedBodyDoesNotTurn) {
  World world(without_sleep());
  add_ground(world);
  BodyDef def;
  def.is_rotation_locked = true;
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

TEST(Laws, ASceneFarFromTheOriginBehavesTheSame) {
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
