// Materials are part of the state: saved, restored and hashed.
#include "shared/base/hash.h"
#include "tests/physics/material_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

World mixed(int count, std::uint64_t seed) {
  WorldOptions options;
  options.gravity = {2, -g_single, 1};
  World world{options};
  world.set_pair_material({1}, {2}, {.friction = 0.1f, .static_friction = 0.3f});
  world.set_pair_material({2}, {2}, {.restitution = 0.5f, .rolling_resistance = 0.02f});
  world.set_pair_material({3}, {1}, {.friction = 0.0f, .spinning_resistance = 0.1f});
  add_ground(world, named({1}));
  base::Random random(seed);
  for (int i = 0; i < count; ++i) {
    ShapeDef def = shape_def(random_shape(random));
    const float at_rest = random.between(0.4f, 0.8f), sliding = random.between(0.1f, 0.4f);
    def.material = sticking(at_rest, sliding);
    def.material.id = {random.below(4)};
    def.material.restitution = random.between(0, 0.5f);
    def.material.friction_rule = static_cast<CombineRule>(random.below(combine_rule_count));
    def.material.restitution_rule = static_cast<CombineRule>(random.below(combine_rule_count));
    const Position at{(i % 4 - 1.5) * 1.1, 1.0 + 1.1 * (i / 16), (i / 4 % 4 - 1.5) * 1.1};
    add_body(world, MotionType::Dynamic, {at, random_rotation(random)}, def);
  }
  ParticleSetDef set;
  set.material = {2};
  set.collides = true;
  world.create_particle_set(set);
  return world;
}

TEST(MaterialState, RestoringAfterEveryStepChangesNothing) {
  World straight = mixed(30, 1), through = mixed(30, 1);
  for (int tick = 0; tick < 300; ++tick) {
    if (tick == 150) {
      for (World* world : {&straight, &through}) {
        world->set_pair_material({1}, {2}, {.friction = 0.5f});
        world->set_pair_material({2}, {2}, {});
      }
    }
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash()) << tick;
    through = restored(saved(through));
    ASSERT_EQ(saved(straight), saved(through)) << tick;
  }
  EXPECT_TRUE(std::ranges::equal(straight.material_pairs(), through.material_pairs()));
  for (const BodyHandle body : straight.bodies())
    EXPECT_EQ(straight.shape_def(straight.shapes(body)[0]),
              through.shape_def(through.shapes(body)[0]));
}

// The slope is between the angles of dynamic and static friction. The slab continues to slide only
// if the save contains that it slides.
TEST(MaterialState, SlidingSlabContinuesBitExactlyAfterRestore) {
  WorldOptions options = without_sleep();
  options.gravity = {g_single * 0.4f, -g_single, 0};
  World world(options);
  add_ground(world, sticking(0.6f, 0.3f));
  const BodyHandle slab = add_slab(world, {0, 0.1, 0}, sticking(0.6f, 0.3f));
  run(world, 30);
  world.set_velocity(slab, {0.5f, 0, 0}, {});
  run(world, 20);
  World other = restored(saved(world));
  run(world, 60);
  run(other, 60);
  EXPECT_EQ(world.hash(), other.hash());
  EXPECT_NEAR(world.linear_velocity(slab).x, 0.5f + g_single * 0.1f * 80 / 60, 0.01f);
}

TEST(MaterialState, IsBitIdenticalForAllThreadCountsAndSimdLevels) {
  World one = mixed(450, 2), three = mixed(450, 2), plain = mixed(450, 2);
  three.set_execution({3, simd::best_instruction_set()});
  plain.set_execution({1, simd::InstructionSet::Plain});
  for (int tick = 0; tick < 90; ++tick) {
    one.step();
    three.step();
    plain.step();
    ASSERT_EQ(one.hash(), three.hash()) << tick;
    ASSERT_EQ(one.hash(), plain.hash()) << tick;
  }
}

TEST(MaterialState, HashDependsOnEveryUsedProperty) {
  const auto hash_with = [](const Material& material) {
    World world{WorldOptions{}};
    add_ground(world, material);
    return world.hash();
  };
  const StateHash plain = hash_with({});
  std::vector<StateHash> hashes{plain};
  Material material = sticking(0.7f, 0.6f);
  hashes.push_back(hash_with(material));
  material.static_friction = 0.8f;
  hashes.push_back(hash_with(material));
  for (int i = 1; i < combine_rule_count; ++i)
    hashes.push_back(hash_with(ruled(0.6f, static_cast<CombineRule>(i))));
  for (int i = 0; i < combine_rule_count - 1; ++i)
    hashes.push_back(hash_with(bouncing(0, static_cast<CombineRule>(i))));
  hashes.push_back(hash_with(named(ice)));
  World world{WorldOptions{}};
  add_ground(world, Material{});
  EXPECT_EQ(world.hash(), plain);
  world.set_pair_material(ice, rubber, {.friction = 0.6f});
  hashes.push_back(world.hash());
  world.set_pair_material(ice, rubber, {.friction = 0.6f, .restitution = 0.0f});
  hashes.push_back(world.hash());
  world.set_pair_material(ice, rubber, {});
  EXPECT_EQ(world.hash(), plain);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_NE(hashes[i].total, hashes[k].total) << i << ' ' << k;
}

TEST(MaterialState, FlippedBitsInSavesAreRejectedOrChangeTheHash) {
  World world = mixed(6, 3);
  run(world, 20);
  auto bytes = saved(world);
  const StateHash before = world.hash();
  int changed = 0, refused = 0;
  // Materials are written last.
  for (std::size_t bit = (bytes.size() - 200) * 8; bit < bytes.size() * 8; ++bit) {
    const auto flip = [&] {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(save_header_bytes));
      for (std::size_t i = 0; i < 8; ++i)
        bytes[16 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xFFU);
    };
    flip();
    World copy{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (copy.restore(reader).has_value()) {
      ASSERT_EQ(saved(copy), bytes) << "bit " << bit;
      ASSERT_NE(copy.hash().total, before.total) << "bit " << bit;
      if (copy.hash().shapes != before.shapes) ++changed;
      run(copy, 2);
      for (const BodyHandle body : copy.bodies()) {
        ASSERT_TRUE(is_finite(copy.pose(body).position)) << bit;
        ASSERT_TRUE(is_finite(copy.linear_velocity(body))) << bit;
      }
    } else {
      ++refused;
    }
    flip();
  }
  EXPECT_GT(changed, 400);
  EXPECT_GT(refused, 400);
}

}  // namespace
}  // namespace jostle::physics
