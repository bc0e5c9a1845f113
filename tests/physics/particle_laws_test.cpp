#include "shared/base/random.h"
#include "shared/geometry/surface.h"
#include "shared/physics/world.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

using namespace testing;
using forces::Integrator;
using math::Vec3d;

constexpr double dt = 1.0 / 60;

WorldOptions weightless() {
  WorldOptions options;
  options.gravity = {};
  return options;
}

Particle particle_at(Position at, Vec3d velocity) {
  Particle particle;
  particle.position = at;
  particle.velocity = velocity;
  return particle;
}

ParticleSetHandle add_set(World& world, Integrator integrator, bool collides) {
  ParticleSetDef def;
  def.integrator = integrator;
  def.collides = collides;
  return world.create_particle_set(def);
}

Vec3d place(const World& world, ParticleSetHandle set) {
  const Position& at = world.particles(set).positions[0];
  return {at.x, at.y, at.z};
}
Vec3d velocity(const World& world, ParticleSetHandle set) {
  return world.particles(set).velocities[0];
}

TEST(ParticleMotion, FreeFallHasTheErrorOfItsIntegrator) {
  World world{WorldOptions{}};
  const auto semi = add_set(world, Integrator::SemiImplicitEuler, false);
  const auto explicit_ = add_set(world, Integrator::ExplicitEuler, false);
  const auto exact = add_set(world, Integrator::RungeKutta4, false);
  for (const auto set : {semi, explicit_, exact})
    world.add_particle(set, particle_at({0, 10, 0}, {1, 5, 0}));
  run(world, 60);
  // The displacement along y is v₀t − g·t²/2. The errors of the two Euler methods are ±g·t·h/2,
  // where h is the step.
  const double fall = 10 + 5 - g / 2, miss = g * dt / 2;
  EXPECT_NEAR(place(world, exact).y, fall, 1e-5);
  EXPECT_NEAR(place(world, semi).y, fall - miss, 1e-5);
  EXPECT_NEAR(place(world, explicit_).y, fall + miss, 1e-5);
  EXPECT_NEAR(velocity(world, exact).y, 5 - g, 1e-5);
  EXPECT_NEAR(place(world, exact).x, 1, 1e-6);
}

/// Returns the distance of a particle from its start after one orbit around an attraction of
/// strength 1 at the distance 1, in `steps` steps.
double particle_orbit_error(Integrator integrator, int steps) {
  WorldOptions options = weightless();
  options.step_seconds = static_cast<float>(2 * 3.14159265358979 / steps);
  World world{options};
  forces::Attraction sun;
  sun.law.strength = 1;
  world.create_force_field({sun, {}});
  const auto set = add_set(world, integrator, false);
  world.add_particle(set, particle_at({1, 0, 0}, {0, 0, 1}));
  run(world, steps);
  return length(place(world, set) - Vec3d{1, 0, 0});
}

TEST(ParticleMotion, OrbitsConvergeWithTheOrderOfTheIntegrator) {
  const auto expect = [](Integrator integrator, double order, int steps) {
    SCOPED_TRACE(static_cast<int>(integrator));
    const double coarse = particle_orbit_error(integrator, steps),
                 fine = particle_orbit_error(integrator, 2 * steps);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.25);
  };
  expect(Integrator::ExplicitEuler, 1, 12'000);
  expect(Integrator::BackwardEuler, 1, 12'000);
  expect(Integrator::Midpoint, 2, 500);
  expect(Integrator::PositionVerlet, 2, 500);
  expect(Integrator::VelocityVerlet, 2, 500);
  expect(Integrator::RungeKutta4, 4, 60);
  // Semi-implicit Euler is of first order, but its error along the path after a full orbit is of
  // second order.
  EXPECT_GT(particle_orbit_error(Integrator::SemiImplicitEuler, 500), 1e-4);
}

TEST(ParticleMotion, WindAcceleratesToItsSpeedAndNeverBeyond) {
  for (int i = 0; i < forces::integrator_count; ++i) {
    SCOPED_TRACE(i);
    World world{weightless()};
    forces::Wind wind;
    wind.velocity = {4, 0, 0};
    wind.linear = 3;
    world.create_force_field({wind, {}});
    const auto set = add_set(world, static_cast<Integrator>(i), false);
    // The drag of the dust is too strong for explicit steps of 1/60 s.
    Particle ball = particle_at({}, {}), dust = particle_at({}, {});
    ball.radius = dust.radius = 0.1f;
    ball.mass = 0.1f;
    dust.mass = 1e-5f;
    world.add_particle(set, ball);
    world.add_particle(set, dust);
    double before = 0;
    for (int step = 0; step < 600; ++step) {
      world.step();
      const double now = velocity(world, set).x;
      ASSERT_GE(now, before);
      ASSERT_LE(now, 4 + 1e-9);
      ASSERT_LE(std::abs(world.particles(set).velocities[1].x - 4), 4.0);
      before = now;
    }
    EXPECT_NEAR(world.particles(set).velocities[1].x, 4, 1e-6);
    // With the wind's speed u relative to the ball, u̇ = −(c + q·u)·u, so 1/u + q/c grows as e^ct.
    const double area = 3.14159265358979 * 0.01;
    const double c = 3 * area / 0.1, q = 0.6 * area / 0.1;
    const double left = 1 / ((1.0 / 4 + q / c) * std::exp(c * 10) - q / c);
    const double tolerance = i < 3 ? 2e-3 : 2e-4;
    EXPECT_NEAR(4 - before, left, tolerance);
  }
}

TEST(ParticleMotion, ChargesAccelerateByChargePerMass) {
  World world{weightless()};
  BodyDef def;
  def.motion = MotionType::Static;
  def.charge = 3;
  world.create_body(def);
  forces::Charges charges;
  charges.law.strength = 8;
  world.create_force_field({charges, {}});
  const auto set = add_set(world, Integrator::RungeKutta4, false);
  Particle particle = particle_at({2, 0, 0}, {});
  particle.charge = -0.5f;
  particle.mass = 4;
  world.add_particle(set, particle);
  world.step();
  // The acceleration is strength·q₁·q₂/(r²·m).
  EXPECT_NEAR(velocity(world, set).x, -8 * 3 * 0.5 / (4 * 4) * dt, 1e-4);
}

TEST(ParticleMotion, SetsCanIgnoreFieldsAndScaleGravity) {
  World world{WorldOptions{}};
  forces::Acceleration field;
  field.acceleration = {5, 0, 0};
  world.create_force_field({field, {}});
  ParticleSetDef def;
  def.ignores_force_fields = true;
  def.gravity_scale = 0.5f;
  const auto set = world.create_particle_set(def);
  world.add_particle(set, particle_at({}, {}));
  run(world, 60);
  EXPECT_EQ(velocity(world, set).x, 0);
  EXPECT_NEAR(velocity(world, set).y, -g / 2, 1e-5);
}

/// Returns the heights of a particle's bounces on `floor` after a fall from 2 m. `top` is the
/// height of the floor's surface.
std::vector<double> bounce_heights(float restitution, const state::Shape& floor, double top) {
  World world{WorldOptions{}};
  ShapeDef shape = shape_def(floor);
  add_body(world, MotionType::Static, {}, shape);
  ParticleSetDef def;
  def.collides = true;
  def.integrator = Integrator::VelocityVerlet;
  def.restitution = restitution;
  const auto set = world.create_particle_set(def);
  Particle particle = particle_at({0.1, top + 2.05, 0.2}, {});
  particle.radius = 0.05f;
  world.add_particle(set, particle);
  std::vector<double> heights;
  double highest = 0;
  bool was_rising = false;
  for (int i = 0; i < 1'200; ++i) {
    world.step();
    const double height = place(world, set).y - top - 0.05;
    EXPECT_GT(height, -1e-3);
    const bool is_rising = velocity(world, set).y > 0;
    highest = std::max(highest, height);
    if (was_rising && !is_rising) heights.push_back(highest);
    if (!is_rising) highest = 0;
    was_rising = is_rising;
  }
  return heights;
}

TEST(ParticleMotion, BounceHeightFollowsTheSquareOfRestitution) {
  struct Floor {
    state::Shape shape;
    double top = 0;
  };
  for (const Floor& floor : {Floor{state::plane(), 0}, Floor{state::box({2, 0.5f, 2}), 0.5},
                             Floor{state::cylinder(2, 0.25f), 0.25}}) {
    SCOPED_TRACE(static_cast<int>(floor.shape.kind));
    const std::vector<double> elastic = bounce_heights(1, floor.shape, floor.top);
    ASSERT_GE(elastic.size(), 10U);
    for (const double height : elastic)
      EXPECT_NEAR(height, 2, 0.02);
    const std::vector<double> half = bounce_heights(0.7f, floor.shape, floor.top);
    ASSERT_GE(half.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(half[i], 2 * std::pow(0.49, static_cast<double>(i + 1)), 0.01) << i;
  }
}

TEST(ParticleMotion, DoesNotTunnelThroughThinWalls) {
  base::Random random(7);
  for (const float thickness : {0.5f, 0.005f}) {
    for (const float radius : {0.0f, 0.03f}) {
      WorldOptions options = weightless();
      World world{options};
      add_body(world, MotionType::Static, {}, shape_def(state::box({thickness, 20, 20})));
      ParticleSetDef def;
      def.collides = true;
      const auto set = world.create_particle_set(def);
      for (int i = 0; i < 500; ++i) {
        const math::Vec3 at = random_vector(random, 2);
        Particle particle = particle_at({-1.5 - static_cast<double>(random.unit()), at.y, at.z},
                                        {390, static_cast<double>(random.between(-50, 50)), 0});
        particle.radius = radius;
        world.add_particle(set, particle);
      }
      for (int step = 0; step < 10; ++step) {
        world.step();
        const double nearest = static_cast<double>(-thickness - std::max(radius, 1e-3f));
        for (const Position& at : world.particles(set).positions)
          ASSERT_LE(at.x, nearest + 2e-3) << thickness << ' ' << radius;
      }
    }
  }
}

TEST(ParticleMotion, DoesNotFallThroughATerrain) {
  // The terrain has waves with an amplitude of 0.4 m. Particles range from grazing points to balls
  // that fall into valleys.
  state::HeightField field;
  field.count_x = field.count_z = 33;
  field.cell_x = field.cell_z = 0.5f;
  const auto height_at = [](double x, double z) {
    return 0.4 * std::sin(2 * x) * std::cos(1.5 * z);
  };
  for (int i = 0; i < 33; ++i) {
    for (int j = 0; j < 33; ++j) {
      field.heights.push_back(static_cast<float>(height_at((i - 16) * 0.5, (j - 16) * 0.5)));
    }
  }
  World world{WorldOptions{}};
  add_body(world, MotionType::Static, {{-8, 0, -8}, {}},
           shape_def(state::solid(geometry::share(field))));
  ParticleSetDef def;
  def.collides = true;
  def.friction = 0.05f;
  const auto set = world.create_particle_set(def);
  base::Random random(2);
  for (int i = 0; i < 400; ++i) {
    Particle particle = particle_at(Position{0, 1.5, 0} + random_vector(random, 1),
                                    math::widened(random_vector(random, i % 4 == 0 ? 60 : 6)));
    particle.radius = i % 3 == 0 ? 0.0f : i % 3 == 1 ? 0.01f : 0.1f;
    world.add_particle(set, particle);
  }
  for (int step = 0; step < 240; ++step) {
    world.step();
    for (const Position& at : world.particles(set).positions) {
      if (std::abs(at.x) > 7.9 || std::abs(at.z) > 7.9) continue;  // it has left the terrain
      // The triangles are at most 0.12 m below the wave, because the cells are 0.5 m wide.
      ASSERT_GT(at.y, height_at(at.x, at.z) - 0.12) << step;
    }
  }
}

TEST(ParticleMotion, FrictionDeceleratesByItsCoefficientTimesGravity) {
  World world{WorldOptions{}};
  Material ground;
  ground.friction = 0.9f;
  add_ground(world, ground);
  ParticleSetDef def;
  def.collides = true;
  def.friction = 0.1f;  // √(0.9·0.1) = 0.3
  const auto set = world.create_particle_set(def);
  Particle particle = particle_at({0, 0.01, 0}, {6, 0, 0});
  particle.radius = 0.01f;
  world.add_particle(set, particle);
  run(world, 60);
  EXPECT_NEAR(velocity(world, set).x, 6 - 0.3 * g, 1e-3);
  run(world, 120);
  EXPECT_EQ(velocity(world, set).x, 0);
  EXPECT_NEAR(place(world, set).x, 6 * 6 / (2 * 0.3 * g), 0.06);
}

TEST(ParticleMotion, FollowsALiftAndItsSurfaceVelocity) {
  World world{WorldOptions{}};
  BodyDef def;
  def.motion = MotionType::Kinematic;
  def.linear_velocity = {0, 2, 0};
  const BodyHandle lift = world.create_body(def);
  ShapeDef shape = shape_def(state::box({1, 0.1f, 1}));
  shape.surface_velocity = {0.25f, 0, 0};
  world.add_shape(lift, shape);
  const auto set = add_set(world, Integrator::SemiImplicitEuler, true);
  Particle particle = particle_at({0, 0.12, 0}, {});
  particle.radius = 0.02f;
  world.add_particle(set, particle);
  run(world, 60);
  EXPECT_NEAR(place(world, set).y, 2.12, 2e-3);
  EXPECT_NEAR(velocity(world, set).x, 0.25, 1e-3);
}

TEST(ParticleMotion, MovingWallHitsAParticle) {
  World world{weightless()};
  BodyDef def;
  def.motion = MotionType::Kinematic;
  def.pose.position = {-3, 0, 0};
  def.linear_velocity = {20, 0, 0};
  const BodyHandle wall = world.create_body(def);
  world.add_shape(wall, shape_def(state::box({0.3f, 2, 2})));
  ParticleSetDef set_def;
  set_def.collides = true;
  set_def.restitution = 1;
  const auto set = world.create_particle_set(set_def);
  world.add_particle(set, particle_at({0, 0.5, 0.5}, {}));
  run(world, 30);
  EXPECT_NEAR(velocity(world, set).x, 40, 1e-3);
}

TEST(ParticleMotion, LeavesAShapeAtItsNearestSide) {
  World world{weightless()};
  add_ground(world);
  add_body(world, MotionType::Static, {{0, 5, 0}, {}}, shape_def(state::box({1, 1, 1})));
  add_body(world, MotionType::Static, {{9, 5, 0}, {}}, shape_def(state::sphere(1)));
  const auto set = add_set(world, Integrator::SemiImplicitEuler, true);
  const Position inside[] = {{0.2, -0.3, 0}, {0.1, 5.2, 0.8}, {9, 5.5, 0}};
  for (const Position& at : inside) {
    Particle particle = particle_at(at, {});
    particle.radius = 0.1f;
    world.add_particle(set, particle);
  }
  world.step();
  const auto expect_near = [&](std::size_t i, Vec3d at) {
    const Position& is = world.particles(set).positions[i];
    EXPECT_LT(length(Vec3d{is.x, is.y, is.z} - at), 1e-3) << i;
  };
  expect_near(0, {0.2, 0.1, 0});
  expect_near(1, {0.1, 5.2, 1.1});
  expect_near(2, {9, 6.1, 0});
}

TEST(ParticleMotion, DoesNotDependOnTheNumberOfOtherParticles) {
  constexpr int count = 1'500, alone = 40;
  World many{WorldOptions{}}, few{WorldOptions{}};
  base::Random random(12);
  for (int i = 0; i < 60; ++i) {
    const math::Vec3 at = random_vector(random, 6);
    const math::Quat rotation = random_rotation(random);
    const ShapeDef shape = shape_def(random_shape(random));
    for (World* world : {&many, &few})
      add_body(*world, MotionType::Static, {Position{0, 3, 0} + at, rotation}, shape);
  }
  const auto all = add_set(many, Integrator::SemiImplicitEuler, true);
  const auto some = add_set(few, Integrator::SemiImplicitEuler, true);
  for (int i = 0; i < count; ++i) {
    Particle particle = particle_at(Position{0, 6, 0} + random_vector(random, 6),
                                    math::widened(random_vector(random, 4)));
    particle.radius = 0.04f;
    many.add_particle(all, particle);
    if (i < alone) few.add_particle(some, particle);
  }
  for (int step = 0; step < 120; ++step) {
    many.step();
    few.step();
    for (std::size_t i = 0; i < alone; ++i)
      ASSERT_EQ(many.particles(all).positions[i], few.particles(some).positions[i]) << step;
  }
}

TEST(ParticleMotion, PassesShapesThatItsMaskExcludes) {
  World world{WorldOptions{}};
  ShapeDef floor = shape_def(state::box({5, 0.5f, 5}));
  floor.filter.category = 4;
  add_body(world, MotionType::Static, {}, floor);
  ShapeDef sensor = shape_def(state::box({5, 0.5f, 5}));
  sensor.is_sensor = true;
  add_body(world, MotionType::Static, {{0, -3, 0}, {}}, sensor);
  ParticleSetDef def;
  def.collides = true;
  def.mask = 3;
  const auto passes = world.create_particle_set(def);
  def.mask = 4;
  const auto stays = world.create_particle_set(def);
  for (const auto set : {passes, stays})
    world.add_particle(set, particle_at({0, 1, 0}, {}));
  run(world, 120);
  EXPECT_LT(place(world, passes).y, -10);
  EXPECT_NEAR(place(world, stays).y, 0.501, 1e-3);
}

}  // namespace
}  // namespace jostle::physics
