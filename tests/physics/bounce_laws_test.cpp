// Restitution must not create energy (shared/physics/solver/kernels/bounce_kernel.h).
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

ShapeDef elastic(const state::Shape& shape) {
  ShapeDef def = shape_def(shape);
  def.material.friction = 0;
  def.material.restitution = 1;
  return def;
}

/// Returns the largest energy of a body within ten seconds on an elastic plane, relative to its
/// initial energy.
double most_on_a_plane(const state::Shape& shape, std::uint64_t seed) {
  base::Random random(seed);
  World world(without_sleep());
  add_body(world, MotionType::Static, {}, elastic(state::plane()));
  const BodyHandle body =
      add_body(world, MotionType::Dynamic, {{0, 3, 0}, random_rotation(random)}, elastic(shape));
  world.set_velocity(body, {0, -3, 0}, random_vector(random, 4));
  const double start = total_energy(world);
  double most = start;
  for (int i = 0; i < 600; ++i) {
    world.step();
    most = std::max(most, total_energy(world));
  }
  return most / start;
}

TEST(Restitution, CubeGainsNoEnergyOnAnElasticPlane) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    EXPECT_LT(most_on_a_plane(state::box({0.3f, 0.3f, 0.3f}), seed), 1.01) << seed;
}

TEST(Restitution, PlatesAndCylindersGainLittleEnergyOnAnElasticPlane) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    EXPECT_LT(most_on_a_plane(state::box({0.5f, 0.05f, 0.5f}), seed), 1.1) << seed;
    EXPECT_LT(most_on_a_plane(state::cylinder(0.3f, 0.4f), seed), 1.02) << seed;
  }
}

TEST(Restitution, CollidingBoxesGainNoEnergy) {
  WorldOptions options = without_sleep();
  options.gravity = {};
  options.restitution_threshold = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    base::Random random(seed);
    World world(options);
    for (const float x : {-1.0f, 1.0f}) {
      const Vec3 beside = random_vector(random, 0.15f);
      const BodyHandle box =
          add_body(world, MotionType::Dynamic, {{x, beside.y, beside.z}, random_rotation(random)},
                   elastic(state::box({0.3f, 0.3f, 0.3f})));
      const float speed = random.between(1, 10);
      world.set_velocity(box, {-x * speed, 0, 0}, random_vector(random, 5));
    }
    const double start = total_energy(world);
    run(world, 120);
    EXPECT_LT(total_energy(world), 1.001 * start) << seed;
  }
}

// Impacts of tumbling boxes may have several contacts at once.
TEST(Restitution, BoxesInAClosedBoxGainNoEnergy) {
  WorldOptions options = without_sleep();
  options.gravity = {};
  World world(options);
  for (int wall = 0; wall < 6; ++wall) {
    double at[3] = {0, 0, 0};
    float half[3] = {4, 4, 4};
    at[wall / 2] = wall % 2 == 0 ? 3.5 : -3.5;
    half[wall / 2] = 0.5f;
    add_body(world, MotionType::Static, {{at[0], at[1], at[2]}, {}},
             elastic(state::box({half[0], half[1], half[2]})));
  }
  base::Random random(4);
  for (int i = 0; i < 27; ++i) {
    const BodyHandle box =
        add_body(world, MotionType::Dynamic,
                 {{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0}, random_rotation(random)},
                 elastic(state::box({0.25f, 0.2f, 0.15f})));
    const Vec3 linear = random_vector(random, 10);
    world.set_velocity(box, linear, random_vector(random, 3));
  }
  const double start = total_energy(world);
  for (int i = 0; i < 600; ++i) {
    world.step();
    ASSERT_LT(total_energy(world), 1.01 * start) << "step " << i;
  }
}

}  // namespace
}  // namespace jostle::physics
