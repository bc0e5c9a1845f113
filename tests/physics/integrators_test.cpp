#include "shared/base/hash.h"
#include "shared/physics/world.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace jostle::physics {
namespace {

using namespace testing;
using forces::Integrator;
using math::Vec3d;

constexpr double turn = 2 * 3.14159265358979;

BodyHandle add_free_ball(World& world, Position at, Vec3 velocity,
                         std::optional<Integrator> integrator) {
  BodyDef def;
  def.pose.position = at;
  def.linear_velocity = velocity;
  def.integrator = integrator;
  def.is_sleep_allowed = false;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.1f)));
  return body;
}

void add_spring(World& world, float strength) {
  forces::Attraction spring;
  spring.law = {strength, 0, 0, -1};
  world.create_force_field({spring, {}});
}

WorldOptions weightless_at(double step_seconds) {
  WorldOptions options;
  options.gravity = {};
  options.step_seconds = static_cast<float>(step_seconds);
  return options;
}

/// Returns the distance of a ball from its start after one orbit around a mass, in `steps` steps.
double orbit_error(Integrator integrator, int steps) {
  World world{weightless_at(turn / steps)};
  forces::Attraction sun;
  sun.law.strength = 1;
  world.create_force_field({sun, {}});
  const BodyHandle ball = add_free_ball(world, {1, 0, 0}, {0, 0, 1}, integrator);
  run(world, steps);
  return static_cast<double>(length(world.pose(ball).position - Position{1, 0, 0}));
}

TEST(Integrators, OrbitsConvergeWithTheirOrder) {
  const auto expect = [](Integrator integrator, double order, int steps) {
    SCOPED_TRACE(static_cast<int>(integrator));
    const double coarse = orbit_error(integrator, steps), fine = orbit_error(integrator, 2 * steps);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.3);
  };
  expect(Integrator::ExplicitEuler, 1, 4'000);
  expect(Integrator::BackwardEuler, 1, 4'000);
  expect(Integrator::Midpoint, 2, 100);
  expect(Integrator::PositionVerlet, 2, 100);
  expect(Integrator::VelocityVerlet, 2, 100);
  expect(Integrator::RungeKutta4, 4.3, 26);
}

struct Pair {
  double miss = 0;      // m, distance of the light body from its start after an orbit
  double momentum = 0;  // N·s; 0 at the start
  double strayed = 0;   // m, displacement of the centre of mass
};
/// Simulates one orbit, in `steps` steps, of bodies of 1 kg and 10 kg. They are 2 m apart and orbit
/// each other at 1 rad/s, because their charges attract. Bodies are integrated in the order of
/// their creation.
Pair circling(Integrator integrator, int steps) {
  World world{weightless_at(turn / steps)};
  forces::Charges charges;
  const double light = 2.0 / 1.1, heavy = 0.2 / 1.1;  // m from the centre of mass
  // The strength is the force between unit charges at a distance of 1 m. At 2 m, a quarter of it
  // keeps 1 kg on a circle of radius `light` at 1 rad/s.
  charges.law.strength = static_cast<float>(-light * 4);
  world.create_force_field({charges, {}});
  const auto add = [&](double x, float mass) {
    BodyDef def;
    def.pose.position = {x, 0, 0};
    def.mass = mass;
    def.charge = 1;
    def.linear_velocity = {0, 0, static_cast<float>(x)};
    def.integrator = integrator;
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, shape_def(state::sphere(0.1f)));
    return body;
  };
  const BodyHandle a = add(light, 1), b = add(-heavy, 10);
  run(world, steps);
  const auto of = [&](BodyHandle body) {
    return math::widened(world.centre_of_mass(body) - Position{});
  };
  const Vec3d momentum =
      math::widened(world.linear_velocity(a)) + math::widened(world.linear_velocity(b)) * 10.0;
  const Vec3d centre = (of(a) + of(b) * 10.0) * (1 / 11.0);
  return {length(of(a) - Vec3d{light, 0, 0}), length(momentum), length(centre)};
}

TEST(Integrators, MutualAttractionConservesMomentumAndConverges) {
  for (const Integrator integrator : {Integrator::PositionVerlet, Integrator::VelocityVerlet,
                                      Integrator::Midpoint, Integrator::RungeKutta4}) {
    SCOPED_TRACE(static_cast<int>(integrator));
    const Pair coarse = circling(integrator, 100), fine = circling(integrator, 200);
    const bool is_verlet =
        integrator == Integrator::PositionVerlet || integrator == Integrator::VelocityVerlet;
    EXPECT_GT(std::log2(coarse.miss / fine.miss),
              integrator == Integrator::RungeKutta4 ? 2.5 : 1.8);
    EXPECT_LT(coarse.momentum, is_verlet ? 1e-5 : 1e-2);
    EXPECT_LT(coarse.strayed, is_verlet ? 1e-5 : 1e-2);
  }
  EXPECT_LT(circling(Integrator::SemiImplicitEuler, 100).momentum, 1e-5);
}

/// Returns the energy of an oscillation of 1 rad/s after four periods of 60 steps each, relative to
/// the start.
double energy_share(std::optional<Integrator> integrator) {
  World world{weightless_at(turn / 60)};
  add_spring(world, 1);
  const BodyHandle ball = add_free_ball(world, {1, 0, 0}, {}, integrator);
  run(world, 240);
  const Vec3 x = world.pose(ball).position - Position{}, v = world.linear_velocity(ball);
  return static_cast<double>(dot(x, x) + dot(v, v));
}

TEST(Integrators, EnergyDriftMatchesTheTheory) {
  // At 1 rad/s and with the step length h, explicit Euler multiplies the energy by (1 + h²)^steps,
  // and backward Euler by the inverse of this factor.
  const double gain = std::pow(1 + turn * turn / 3'600, 240);
  EXPECT_NEAR(energy_share(Integrator::ExplicitEuler) / gain, 1, 1e-2);
  EXPECT_NEAR(energy_share(Integrator::BackwardEuler) * gain, 1, 1e-2);
  EXPECT_NEAR(energy_share(Integrator::Midpoint), std::pow(1 + std::pow(turn / 60, 4) / 4, 240),
              1e-3);
  EXPECT_NEAR(energy_share(Integrator::SemiImplicitEuler), 1, 0.06);
  EXPECT_NEAR(energy_share(Integrator::PositionVerlet), 1, 4e-3);
  EXPECT_NEAR(energy_share(Integrator::VelocityVerlet), 1, 4e-3);
  EXPECT_NEAR(energy_share(Integrator::RungeKutta4), 1, 1e-4);
}

TEST(Integrators, IncludeForcesOfCallsAndDamping) {
  World world{weightless_at(1.0 / 60)};
  BodyDef def;
  def.integrator = Integrator::RungeKutta4;
  def.linear_damping = 2;
  def.mass = 4;
  def.linear_velocity = {1, 0, 0};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.1f)));
  for (int i = 0; i < 60; ++i) {
    world.apply_central_force(body, {0, 12, 0});
    world.step();
  }
  EXPECT_NEAR(world.linear_velocity(body).x, std::exp(-2.0), 1e-5);
  EXPECT_NEAR(world.linear_velocity(body).y, 3 * (1 - std::exp(-2.0)) / 2, 1e-5);
}

TEST(Integrators, AreNotUsedForBodiesInContact) {
  World with{WorldOptions{}}, without{WorldOptions{}};
  BodyHandle bodies[2];
  for (World* world : {&with, &without}) {
    add_ground(*world);
    const bool is_with = world == &with;
    bodies[is_with ? 0 : 1] =
        add_free_ball(*world, {0, 0.1, 0}, {2, 0, 0},
                      is_with ? std::optional(Integrator::ExplicitEuler) : std::nullopt);
  }
  for (int i = 0; i < 60; ++i) {
    with.step();
    without.step();
    ASSERT_EQ(with.pose(bodies[0]), without.pose(bodies[1])) << i;
  }
}

TEST(Integrators, AreNotUsedForJointedBodies) {
  World with{WorldOptions{}}, without{WorldOptions{}};
  BodyHandle bodies[2];
  for (World* world : {&with, &without}) {
    const bool is_with = world == &with;
    BodyDef def;
    def.motion = MotionType::Static;
    const BodyHandle post = world->create_body(def);
    const BodyHandle bob = add_free_ball(
        *world, {1, 0, 0}, {}, is_with ? std::optional(Integrator::ExplicitEuler) : std::nullopt);
    world->create_joint(make_joint_def(*world, JointKind::Ball, post, bob, {0, 0, 0}, {0, 0, 1}));
    bodies[is_with ? 0 : 1] = bob;
  }
  run(with, 60);
  run(without, 60);
  EXPECT_EQ(with.pose(bodies[0]), without.pose(bodies[1]));
}

TEST(Integrators, BodiesLandAndStopAtWalls) {
  for (int i = 0; i < forces::integrator_count; ++i) {
    SCOPED_TRACE(i);
    World world{WorldOptions{}};
    add_ground(world);
    add_body(world, MotionType::Static, {{5, 1, 0}, {}}, shape_def(state::box({0.02f, 2, 2})));
    const BodyHandle falls = add_free_ball(world, {0, 3, 0}, {}, static_cast<Integrator>(i));
    const BodyHandle flies =
        add_free_ball(world, {0, 2, 0}, {200, 0, 0}, static_cast<Integrator>(i));
    run(world, 240);
    EXPECT_NEAR(world.pose(falls).position.y, 0.1, 5e-3);
    EXPECT_LT(world.pose(flies).position.x, 5);
  }
}

TEST(Integrators, RespectLocks) {
  World world{WorldOptions{}};
  BodyDef def;
  def.integrator = Integrator::VelocityVerlet;
  def.locks = state::lock_linear_y;
  def.linear_velocity = {1, 0, 0};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.1f)));
  run(world, 60);
  EXPECT_EQ(world.pose(body).position.y, 0);
  EXPECT_NEAR(world.pose(body).position.x, 1, 1e-5);
}

World some_free() {
  World world{WorldOptions{}};
  add_ground(world);
  add_spring(world, 4);
  for (int i = 0; i < 9; ++i) {
    const auto integrator =
        i < forces::integrator_count ? std::optional(static_cast<Integrator>(i)) : std::nullopt;
    add_free_ball(world, {1.5 * i, 1 + 0.3 * i, 0}, {0, 0, 2}, integrator);
  }
  return world;
}

TEST(Integrators, RestoringAfterEveryStepChangesNothing) {
  World straight = some_free(), through = some_free();
  through.set_execution({3, simd::InstructionSet::Plain});
  for (int step = 0; step < 120; ++step) {
    if (step == 60) {
      for (World* world : {&straight, &through})
        world->destroy_body(world->bodies()[3]);
    }
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash()) << step;
    const auto bytes = saved(through);
    base::ByteReader reader(bytes);
    ASSERT_TRUE(through.restore(reader).has_value());
    ASSERT_EQ(straight.hash(), through.hash()) << step;
  }
  EXPECT_EQ(through.integrator(through.bodies()[1]), Integrator::ExplicitEuler);
  EXPECT_EQ(through.integrator(through.bodies()[0]), std::nullopt);
}

TEST(Integrators, FlippedBitsInSavesAreRejectedOrChangeTheHash) {
  World world = some_free();
  auto bytes = saved(world);
  const StateHash before = world.hash();
  int changed = 0, refused = 0;
  // Integrators are written last: seven entries of a slot and a number.
  for (std::size_t bit = (bytes.size() - 7 * 8) * 8; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(24));
    for (std::size_t i = 0; i < 8; ++i)
      bytes[16 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xFFU);
    World copy{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (copy.restore(reader).has_value()) {
      ASSERT_EQ(saved(copy), bytes) << bit;
      ASSERT_NE(copy.hash().bodies, before.bodies) << bit;
      ++changed;
    } else {
      ++refused;
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_GT(changed, 0);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace jostle::physics
