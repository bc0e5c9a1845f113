#include "shared/base/hash.h"
#include "shared/physics/world.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace jostle::physics {
namespace {

using namespace testing;
using forces::Integrator;
using math::Vec3d;

Emitter fountain(float rate) {
  Emitter emitter;
  emitter.kind = EmitterKind::Sphere;
  emitter.centre = {0, 1, 0};
  emitter.radius = 0.5f;
  emitter.rate = rate;
  emitter.velocity = {1, 6, 0};
  emitter.spread = 2;
  emitter.lifetime = 2;
  emitter.min_lifetime_fraction = 0.25f;
  emitter.mass = 0.02f;
  emitter.particle_radius = 0.03f;
  emitter.charge = 0.5f;
  emitter.seed = 42;
  return emitter;
}

/// Returns a world with one particle set per integrator, a wind, an attraction, and bodies that
/// fall onto the ground. `particles` is the maximum number of particles of each set.
World busy(std::uint32_t particles) {
  World world{WorldOptions{}};
  add_ground(world);
  base::Random random(3);
  for (int i = 0; i < 12; ++i) {
    const Vec3 at = random_vector(random, 3);
    add_dynamic(world, Position{0, 3, 0} + at, random_shape(random));
  }
  forces::Wind wind;
  wind.velocity = {2, 0, 1};
  world.create_force_field({wind, {}});
  forces::Attraction attraction;
  attraction.centre = {0, 4, 0};
  attraction.law.strength = 10;
  attraction.law.softening = 0.5f;
  world.create_force_field({attraction, {}});
  for (int i = 0; i < forces::integrator_count; ++i) {
    ParticleSetDef def;
    def.max_count = particles;
    def.integrator = static_cast<Integrator>(i);
    def.collides = i != 3;
    def.emitters.push_back(fountain(static_cast<float>(particles)));
    if (i == 2) {
      def.emitters.push_back(fountain(20));
      def.emitters.back().kind = EmitterKind::Box;
      def.emitters.back().radius = 0;
      def.emitters.back().half_extents = {1, 0.1f, 1};
      def.emitters.back().lifetime = 0;
    }
    world.create_particle_set(def);
  }
  return world;
}

TEST(Particles, RestoringAfterEveryStepChangesNothing) {
  World straight = busy(40);
  World through = busy(40);
  through.set_execution({2, simd::best_instruction_set()});
  for (int step = 0; step < 240; ++step) {
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash()) << step;
    through = restored(saved(through));
    ASSERT_EQ(saved(straight), saved(through)) << step;
  }
  EXPECT_EQ(straight.particle_sets(), through.particle_sets());
  for (const ParticleSetHandle set : straight.particle_sets())
    EXPECT_EQ(straight.particle_set_def(set), through.particle_set_def(set));
}

TEST(Particles, AreBitIdenticalForAllThreadCountsAndSimdLevels) {
  World one = busy(3'000), three = busy(3'000), plain = busy(3'000);
  three.set_execution({3, simd::best_instruction_set()});
  plain.set_execution({2, simd::InstructionSet::Plain});
  for (int step = 0; step < 90; ++step) {
    one.step();
    three.step();
    plain.step();
    ASSERT_EQ(one.hash(), three.hash()) << step;
    ASSERT_EQ(one.hash(), plain.hash()) << step;
  }
  EXPECT_GT(one.particles(one.particle_sets()[0]).size(), 2'500U);
}

TEST(Particles, FlippedBitsInSavesAreRejectedOrChangeTheHash) {
  World world{WorldOptions{}};
  ParticleSetDef def;
  def.max_count = 8;
  def.collides = true;
  def.emitters = {fountain(60), fountain(7)};
  def.emitters[1].kind = EmitterKind::Box;
  def.emitters[1].radius = 0;
  def.emitters[1].half_extents = {1, 2, 3};
  world.destroy_particle_set(world.create_particle_set(def));
  world.create_particle_set(def);
  run(world, 30);
  auto bytes = saved(world);
  const StateHash before = world.hash();
  int changed = 0, refused = 0;
  for (std::size_t bit = save_header_bytes * 8; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(save_header_bytes));
    for (std::size_t i = 0; i < 8; ++i)
      bytes[16 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xFFU);
    World copy{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (copy.restore(reader).has_value()) {
      ASSERT_EQ(saved(copy), bytes) << "bit " << bit;
      ASSERT_NE(copy.hash().total, before.total) << "bit " << bit;
      if (copy.hash().particles != before.particles) ++changed;
      if (bit % 7 == 0) run(copy, 2);
      for (const ParticleSetHandle set : copy.particle_sets()) {
        for (const Position& at : copy.particles(set).positions)
          ASSERT_TRUE(is_finite(at)) << bit;
      }
    } else {
      ++refused;
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_GT(changed, 3'000);
  EXPECT_GT(refused, 300);
}

TEST(Particles, HashIsZeroWithoutParticleSets) {
  World world{WorldOptions{}};
  EXPECT_EQ(world.hash().particles, 0U);
  const StateHash before = world.hash();
  world.create_particle_set(ParticleSetDef{});
  EXPECT_NE(world.hash().particles, 0U);
  EXPECT_NE(world.hash().total, before.total);
}

TEST(Particles, EmitterEmitsAtItsRateBetweenStartAndEnd) {
  World world{WorldOptions{}};
  ParticleSetDef def;
  Emitter emitter;
  emitter.rate = 100;
  emitter.start = 1;
  emitter.end = 4;
  def.emitters = {emitter};
  const ParticleSetHandle set = world.create_particle_set(def);
  run(world, 60);
  EXPECT_EQ(world.particles(set).size(), 0U);
  run(world, 60);
  EXPECT_NEAR(world.particles(set).size(), 100, 1);
  run(world, 240);
  EXPECT_NEAR(world.particles(set).size(), 300, 2);
}

TEST(Particles, RespectTheirLifetimeAndMaximumCount) {
  World world{WorldOptions{}};
  ParticleSetDef def;
  def.max_count = 70;
  Emitter emitter;
  emitter.rate = 60;
  emitter.lifetime = 0.5f;
  def.emitters = {emitter};
  const ParticleSetHandle half = world.create_particle_set(def);
  def.emitters[0].lifetime = 2;
  const ParticleSetHandle full = world.create_particle_set(def);
  def.emitters[0].min_lifetime_fraction = 0.5f;
  const ParticleSetHandle mixed = world.create_particle_set(def);
  run(world, 59);
  // Each particle is removed in the 30th step of its life.
  EXPECT_EQ(world.particles(half).size(), 29U);
  EXPECT_EQ(world.particles(full).size(), 59U);
  run(world, 55);
  EXPECT_EQ(world.particles(full).size(), 70U);
  EXPECT_FALSE(world.add_particle(full, Particle{}));
  for (const std::uint32_t left : world.particles(mixed).steps_left)
    EXPECT_LE(left, 120U);
}

TEST(Particles, StartUniformlyInTheirRegionWithTheirSpread) {
  World world{WorldOptions{}};
  ParticleSetDef def;
  def.max_count = 20'000;
  def.gravity_scale = 0;
  Emitter emitter;
  emitter.kind = EmitterKind::Sphere;
  emitter.centre = {5, 0, 0};
  emitter.radius = 2;
  emitter.rate = 1e6f;
  emitter.velocity = {0, 0, 3};
  emitter.spread = 1;
  def.emitters = {emitter};
  const ParticleSetHandle set = world.create_particle_set(def);
  world.step();
  const ParticleView view = world.particles(set);
  // For points that are uniform in a ball, the mean square distance is 3/5 of the squared radius.
  double squares = 0, spread_squares = 0;
  Vec3d mean;
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    const Vec3d v = view.velocities[i] - Vec3d{0, 0, 3};
    const Vec3d began = Vec3d{view.positions[i].x - 5, view.positions[i].y, view.positions[i].z} -
                        view.velocities[i] * (1.0 / 60);
    ASSERT_LE(length(began), 2 + 1e-5);
    ASSERT_LE(length(v), 1 + 1e-6);
    squares += dot(began, began);
    spread_squares += dot(v, v);
    mean = mean + began;
  }
  const double count = view.size();
  ASSERT_EQ(count, 1e6 / 60 - std::fmod(1e6 / 60, 1));
  EXPECT_NEAR(squares / count, 0.6 * 4, 0.03);
  EXPECT_NEAR(spread_squares / count, 0.6, 0.01);
  EXPECT_LT(length(mean) / count, 0.03);
}

TEST(Particles, LastParticleFillsTheSlotOfARemovedOne) {
  WorldOptions options;
  options.gravity = {};
  World world{options};
  const ParticleSetHandle set = world.create_particle_set(ParticleSetDef{});
  for (int i = 0; i < 4; ++i) {
    Particle particle;
    particle.position.x = i;
    particle.steps_left = i == 1 ? 1 : endless;
    world.add_particle(set, particle);
  }
  world.step();
  const ParticleView view = world.particles(set);
  ASSERT_EQ(view.size(), 3U);
  EXPECT_EQ(view.positions[1].x, 3);
  EXPECT_EQ(view.positions[2].x, 2);
}

TEST(Particles, AreRemovedIfTheirStateOverflows) {
  World world{WorldOptions{}};
  forces::Attraction field;
  field.law.strength = 1e24f;
  field.law.exponent = -1;
  world.create_force_field({field, {}});
  ParticleSetDef def;
  def.integrator = Integrator::RungeKutta4;
  def.collides = true;
  const ParticleSetHandle set = world.create_particle_set(def);
  Particle particle;
  particle.position = {1e8, 0, 0};
  world.add_particle(set, particle);
  add_ground(world);
  run(world, 10);
  EXPECT_EQ(world.particles(set).size(), 0U);
}

TEST(Particles, DefinitionsOutsideTheLimitsAreInvalid) {
  ParticleSetDef good;
  good.emitters = {fountain(10)};
  ASSERT_TRUE(is_valid(good));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto expect_bad = [&](const auto& change) {
    ParticleSetDef def = good;
    change(def);
    EXPECT_FALSE(is_valid(def));
  };
  expect_bad([](ParticleSetDef& d) { d.max_count = 0; });
  expect_bad([](ParticleSetDef& d) { d.max_count = max_particles_per_set + 1; });
  expect_bad([](ParticleSetDef& d) { d.restitution = 1.5f; });
  expect_bad([](ParticleSetDef& d) { d.friction = -1; });
  expect_bad([&](ParticleSetDef& d) { d.gravity_scale = nan; });
  expect_bad([](ParticleSetDef& d) { d.emitters.resize(max_emitters_per_set + 1); });
  expect_bad([&](ParticleSetDef& d) { d.emitters[0].rate = nan; });
  expect_bad([](ParticleSetDef& d) { d.emitters[0].mass = 0; });
  expect_bad([](ParticleSetDef& d) { d.emitters[0].lifetime = -1; });
  expect_bad([](ParticleSetDef& d) { d.emitters[0].min_lifetime_fraction = 2; });
  expect_bad([](ParticleSetDef& d) { d.emitters[0].half_extents = {1, 1, 1}; });
  expect_bad([&](ParticleSetDef& d) { d.emitters[0].velocity.y = nan; });
  expect_bad([](ParticleSetDef& d) { d.emitters[0].particle_radius = 2e3f; });
  Particle particle;
  EXPECT_TRUE(is_valid(particle));
  particle.steps_left = 0;
  EXPECT_FALSE(is_valid(particle));
}

}  // namespace
}  // namespace jostle::physics
