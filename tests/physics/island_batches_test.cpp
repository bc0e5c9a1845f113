// Islands that are solved in batches, in parallel or pass by pass
// (shared/physics/islands/clusters.h).
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

const state::Shape crate = state::box({0.5f, 0.5f, 0.5f});

/// Number of rows of a pyramid with more bodies and contacts than one batch can hold.
constexpr int rows = 20;

/// Adds two crates, one of which is thrown at the other.
std::vector<BodyHandle> add_pair(World& world, double x, double z) {
  const std::vector<BodyHandle> bodies{add_dynamic(world, {x, 0.5, z}, crate),
                                       add_dynamic(world, {x + 1.3, 0.7, z + 0.2}, crate)};
  world.set_velocity(bodies[1], {-3, 0, 0.5f}, {1, 2, 3});
  return bodies;
}

/// Adds a turning plate under crates that do not touch each other.
void add_turntable(World& world, double x) {
  const BodyHandle plate = add_body(world, MotionType::Kinematic, {{x, 0.3, -20}, {}},
                                    shape_def(state::box({6, 0.1f, 6})));
  world.set_velocity(plate, {}, {0, 0.5f, 0});
  for (int i = 0; i < 9; ++i)
    add_dynamic(world, {x + 3 * (i % 3 - 1), 0.9, -20.0 + 3 * (i / 3 - 1)}, crate);
}

void add_islands(World& world) {
  add_ground(world);
  add_turntable(world, 0);
  for (int i = 0; i < 60; ++i)
    add_pair(world, 4.0 * i, 20);
  add_pyramid(world, rows);
  for (int i = 0; i < 8; ++i)
    add_ragdoll(world, {6.0 * i, 1.3, 40}, 0.8f * static_cast<float>(i));
  add_pyramid(world, rows, 60);
  for (int i = 0; i < 60; ++i)
    add_pair(world, 4.0 * i, 60);
  add_turntable(world, 40);
}

TEST(IslandBatches, AreBitIdenticalForAllThreadCounts) {
  World one{WorldOptions{}};
  add_islands(one);
  std::vector<World> others;
  for (const int threads : {2, 3, 8}) {
    World& world = others.emplace_back(WorldOptions{});
    world.set_execution({threads, simd::best_instruction_set()});
    add_islands(world);
  }
  for (int step = 0; step < 150; ++step) {
    one.step();
    for (World& world : others) {
      world.step();
      ASSERT_EQ(world.hash(), one.hash())
          << "step " << step << ", threads " << world.execution().threads;
    }
  }
}

TEST(IslandBatches, DoNotChangeTheMotionOfAnUnrelatedPair) {
  World alone{WorldOptions{}}, among{WorldOptions{}};
  add_ground(alone);
  const std::vector<BodyHandle> here = add_pair(alone, 100, 90);
  add_islands(among);
  const std::vector<BodyHandle> there = add_pair(among, 100, 90);
  for (int step = 0; step < 150; ++step) {
    alone.step();
    among.step();
    for (std::size_t i = 0; i < here.size(); ++i) {
      ASSERT_EQ(among.pose(there[i]), alone.pose(here[i])) << "step " << step;
      ASSERT_EQ(among.angular_velocity(there[i]), alone.angular_velocity(here[i]));
    }
  }
}

// The ragdoll falls so fast that its joints need position correction. They are corrected in SIMD
// bundles together with joints of other islands.
TEST(IslandBatches, DoNotChangeTheMotionOfAnUnrelatedRagdoll) {
  World alone{WorldOptions{}}, among{WorldOptions{}};
  add_ground(alone);
  const std::vector<BodyHandle> here = add_ragdoll(alone, {100, 6, 90}, 0.3f);
  add_islands(among);
  const std::vector<BodyHandle> there = add_ragdoll(among, {100, 6, 90}, 0.3f);
  for (int step = 0; step < 150; ++step) {
    alone.step();
    among.step();
    for (std::size_t i = 0; i < here.size(); ++i) {
      ASSERT_EQ(among.pose(there[i]), alone.pose(here[i])) << "step " << step;
      ASSERT_EQ(among.angular_velocity(there[i]), alone.angular_velocity(here[i]));
    }
  }
}

ShapeDef random_part(base::Random& random, float half) {
  const state::Shape shapes[]{state::box({half, half, half}), state::sphere(half),
                              state::cylinder(half, half)};
  ShapeDef def = shape_def(shapes[random.below(3)]);
  if (random.chance(0.125f)) def.material.rolling_resistance = 0.02f;
  if (random.chance(0.2f)) def.material.restitution = 0.7f;
  return def;
}

/// Adds bodies of very different masses on top of each other, on their own ground. Some overlap;
/// some have a joint to the ground or to the body below.
void add_pillar(World& world, Position at, base::Random& random) {
  const BodyHandle ground = add_body(world, MotionType::Static, {{at.x, at.y - 0.5, at.z}, {}},
                                     shape_def(state::box({2, 0.5f, 2})));
  BodyHandle below = ground;
  const std::uint32_t count = 1 + random.below(5);
  for (std::uint32_t i = 0; i < count; ++i) {
    const float half = random.between(0.1f, 0.4f);
    BodyDef def;
    at.y += half - (random.chance(0.2f) ? 0.03f : 0.0f);
    def.pose.position = {at.x + random.between(-0.05f, 0.05f), at.y,
                         at.z + random.between(-0.05f, 0.05f)};
    def.mass = std::pow(10.0f, random.between(-2, 4));
    def.linear_velocity = {0, random.between(-2, 0), 0};
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, random_part(random, half));
    at.y += half;
    if (random.chance(0.33f)) {
      const BodyHandle other = random.chance(0.5f) ? ground : below;
      const auto kind = static_cast<JointKind>(random.below(4));
      world.create_joint(make_joint_def(world, kind, other, body, def.pose.position, {0, 1, 0}));
    }
    below = body;
  }
}

// Deep overlaps, uneven masses, joints to the common ground and rolling resistance of one island
// must not affect another island in the same batch. Some seeds have no gravity and therefore no up
// direction.
TEST(IslandBatches, UnevenIslandsAreBitIdenticalForAllThreadCounts) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::vector<World> worlds;
    for (const int threads : {1, 3}) {
      WorldOptions options;
      if (seed % 3 != 0) options.gravity = {};
      World& world = worlds.emplace_back(options);
      world.set_execution({threads, simd::best_instruction_set()});
      base::Random random(seed);
      for (int i = 0; i < 60; ++i)
        add_pillar(world, {8.0 * (i % 10), 0, 8.0 * (i / 10)}, random);
    }
    for (int step = 0; step < 150; ++step) {
      for (World& world : worlds) {
        if (step == 60) world.set_gravity({-0.1f, -9.81f, -0.1f});
        if (step == 100) world.set_gravity({});
        world.step();
      }
      ASSERT_EQ(worlds[0].hash(), worlds[1].hash()) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace jostle::physics
