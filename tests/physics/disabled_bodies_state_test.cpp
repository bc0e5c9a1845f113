// State of worlds with disabled bodies: saves, hashes and determinism.
#include "shared/base/hash.h"
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// A world with a pile, ragdolls, a rod, a sensor and charges. act() enables, disables and
/// teleports bodies at random. Its choices depend only on the seed.
class SwitchingWorld {
 public:
  explicit SwitchingWorld(std::uint64_t seed) : random_(seed) {
    add_ground(world);
    bodies_ = add_mixed_rain(world, 30, 9);
    for (int i = 0; i < 3; ++i)
      add_ragdoll(world, {1.0 * i - 1, 2.5, 1.5}, 0.4f * static_cast<float>(i));
    world.create_joint(make_distance_joint_def(world, bodies_[0], bodies_[9],
                                               world.pose(bodies_[0]).position,
                                               world.pose(bodies_[9]).position));
    ShapeDef zone = shape_def(state::box({0.7f, 0.7f, 0.7f}));
    zone.is_sensor = true;
    add_body(world, MotionType::Kinematic, {{0, 0.5, 0}, {}}, zone);
    world.create_force_field({forces::Charges{{5, 0.3f, 9, 2}}, {}});
    for (std::size_t i = 0; i < bodies_.size(); i += 5)
      world.set_charge(bodies_[i], 1);
    bodies_ = world.bodies();
  }
  void act(World& on) {
    for (int i = 0; i < 2; ++i) {
      const BodyHandle body = bodies_[random_.below(static_cast<std::uint32_t>(bodies_.size()))];
      if (random_.chance(0.3f)) on.set_enabled(body, !on.is_enabled(body));
    }
    const BodyHandle body = bodies_[random_.below(static_cast<std::uint32_t>(bodies_.size()))];
    const Position above{random_.between(-1, 1), 2, random_.between(-1, 1)};
    if (random_.chance(0.05f)) on.set_pose(body, {above, {}});
  }

  World world{WorldOptions{}};

 private:
  base::Random random_;
  std::vector<BodyHandle> bodies_;
};

TEST(DisabledBodiesState, RestoringAtEveryStepChangesNothing) {
  for (const std::uint64_t seed : {1U, 2U}) {
    SwitchingWorld straight(seed), through(seed);
    for (int tick = 0; tick < 300; ++tick) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " tick " << tick);
      straight.act(straight.world);
      through.act(through.world);
      if (tick % 2 == 0) through.world = restored(saved(through.world));
      straight.world.step();
      through.world.step();
      ASSERT_EQ(straight.world.hash(), through.world.hash());
      const World &x = straight.world, &y = through.world;
      ASSERT_TRUE(std::ranges::equal(x.contact_ends(), y.contact_ends()));
      ASSERT_TRUE(std::ranges::equal(x.sleep_changes(), y.sleep_changes()));
      ASSERT_TRUE(std::ranges::equal(x.sensor_ends(), y.sensor_ends()));
      if (tick % 2 == 1) through.world = restored(saved(through.world));
    }
  }
}

TEST(DisabledBodiesState, FlippedBitsInSavesAreRejectedOrChangeTheHash) {
  constexpr std::size_t hash_at = 16;
  World world{WorldOptions{}};
  const BodyHandle hook =
      add_body(world, MotionType::Static, {{0, 5, 0}, {}}, shape_def(state::sphere(0.1f)));
  const BodyHandle bob = add_dynamic(world, {1, 5, 0}, state::sphere(0.2f));
  world.create_joint(make_joint_def(world, JointKind::Ball, hook, bob, {0, 5, 0}, {0, 0, 1}));
  world.set_enabled(bob, false);
  add_dynamic(world, {1, 5.3, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 3);
  const std::vector<std::byte> good = saved(world);
  int refused = 0, changed = 0;
  for (std::size_t bit = 8 * save_header_bytes; bit < 8 * good.size(); ++bit) {
    std::vector<std::byte> bytes = good;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(save_header_bytes));
    for (std::size_t i = 0; i < 8; ++i)
      bytes[hash_at + i] = static_cast<std::byte>(hash >> (8 * i));
    World other{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (!other.restore(reader).has_value()) {
      ++refused;
      continue;
    }
    ++changed;
    ASSERT_EQ(saved(other), bytes) << bit;
    ASSERT_NE(other.hash(), world.hash()) << bit;
    for (const BodyHandle body : other.bodies())
      other.set_enabled(body, !other.is_enabled(body));
    run(other, 2);
    for (const BodyHandle body : other.bodies()) {
      ASSERT_TRUE(is_finite(other.pose(body).position)) << bit;
      ASSERT_TRUE(is_finite(other.linear_velocity(body))) << bit;
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(changed, 500);
}

TEST(DisabledBodiesState, IsBitIdenticalForAllThreadCountsAndSimdLevels) {
  SwitchingWorld plain(5), wide(5);
  plain.world.set_execution({.threads = 1, .simd = simd::InstructionSet::Plain});
  wide.world.set_execution({.threads = 3, .simd = simd::best_instruction_set()});
  for (int tick = 0; tick < 300; ++tick) {
    plain.act(plain.world);
    wide.act(wide.world);
    plain.world.step();
    wide.world.step();
    ASSERT_EQ(plain.world.hash(), wide.world.hash()) << tick;
  }
}

TEST(DisabledBodiesState, HashDependsOnWhetherABodyIsEnabled) {
  World world{WorldOptions{}};
  const BodyHandle body = add_body(world, MotionType::Static, {{0, 1, 0}, {}},
                                   shape_def(state::box({0.5f, 0.5f, 0.5f})));
  const StateHash before = world.hash();
  const std::uint64_t alone = world.hash(body);
  world.set_enabled(body, false);
  EXPECT_NE(world.hash().bodies, before.bodies);
  EXPECT_NE(world.hash(body), alone);
}

}  // namespace
}  // namespace jostle::physics
