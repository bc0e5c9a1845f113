#include "shared/base/hash.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Adds a field of each kind, with a second pole on `pole_body`, and leaves one free slot.
void add_all_fields(World& world, BodyHandle thrust_body, BodyHandle pole_body) {
  const forces::Region ball{forces::RegionKind::Sphere, {1, 1, 0}, {}, 4};
  const forces::Region box{forces::RegionKind::Box, {0, 1, 0}, {3, 2, 2}, 0};
  world.create_force_field({forces::Attraction{{0, 3, 0}, {20, 0.5f, 30, 2}}, {}});
  const ForceFieldHandle gone = world.create_force_field({forces::Charges{}, {}});
  world.create_force_field({forces::Acceleration{ball, {1, 0, 0.5f}}, {}});
  world.create_force_field({forces::Wind{{}, {2, 0, 1}, 1.2f, 0.8f, 0.1f}, {}});
  world.create_force_field({forces::Drag{box, {0, 0, 1}, 0.2f, 0.1f, 0.3f}, {}});
  world.create_force_field({forces::Pole{{-2, 1, 0}, {-30, 0.4f, 0, 2}}, {}});
  world.create_force_field({forces::Pole{{0, 0.2, 0}, {40, 0.4f, 0, 3}}, pole_body});
  world.create_force_field({forces::Charges{{5, 0.3f, 9, 2}}, {}});
  forces::Fluid fluid{box, 1.2, 800, {0.3f, 0, 0}, 1, 0.5f, 1};
  world.create_force_field({fluid, {}});
  world.create_force_field(
      {forces::Thrust{{20, 5, 0}, {0, 4, 0}, {0.1f, 0, 0}, true}, thrust_body});
  world.destroy_force_field(gone);
}

World busy_fields(int count, std::uint64_t seed) {
  World world{WorldOptions{}};
  add_ground(world);
  const std::vector<BodyHandle> rain = add_mixed_rain(world, count, seed);
  BodyDef def;
  def.motion = MotionType::Kinematic;
  def.pose.position = {4, 1, 0};
  def.linear_velocity = {-0.5f, 0, 0};
  def.charge = 1;
  const BodyHandle mover = world.create_body(def);
  world.add_shape(mover, shape_def(state::sphere(0.2f)));
  for (std::size_t i = 0; i < rain.size(); i += 3)
    world.set_charge(rain[i], i % 2 == 0 ? 1.0f : -2.0f);
  def = {};
  def.pose.position = {0, 5, 3};
  def.ignores_force_fields = true;
  world.add_shape(world.create_body(def), shape_def(state::box({0.2f, 0.3f, 0.2f})));
  add_all_fields(world, rain[1], rain[2]);
  return world;
}

TEST(FieldState, RestoringAfterEveryStepChangesNothing) {
  World straight = busy_fields(24, 1), through = busy_fields(24, 1);
  for (int tick = 0; tick < 300; ++tick) {
    if (tick == 100) {
      for (World* world : {&straight, &through}) {
        world->destroy_force_field(world->force_fields()[3]);
        world->set_charge(world->bodies()[5], 4);
        world->explode({{0, 0.5, 0}, 4, 300});
      }
    }
    if (tick == 150) {
      for (World* world : {&straight, &through})
        world->destroy_body(world->bodies()[3]);  // the pole is attached to this body
    }
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash()) << tick;
    through = restored(saved(through));
    ASSERT_EQ(saved(straight), saved(through)) << tick;
  }
  EXPECT_EQ(straight.force_fields(), through.force_fields());
  for (const ForceFieldHandle field : straight.force_fields())
    EXPECT_EQ(straight.force_field_def(field), through.force_field_def(field));
}

TEST(FieldState, IsBitIdenticalForAllThreadCountsAndSimdLevels) {
  World one = busy_fields(450, 2), three = busy_fields(450, 2);
  three.set_execution({3, simd::best_instruction_set()});
  World plain = busy_fields(450, 2);
  plain.set_execution({1, simd::InstructionSet::Plain});
  for (int tick = 0; tick < 60; ++tick) {
    one.step();
    three.step();
    plain.step();
    ASSERT_EQ(one.hash(), three.hash()) << tick;
    ASSERT_EQ(one.hash(), plain.hash()) << tick;
  }
}

TEST(FieldState, FlippedBitsInSavesAreRejectedOrChangeTheHash) {
  World world = busy_fields(6, 3);
  run(world, 20);
  auto bytes = saved(world);
  const StateHash before = world.hash();
  int changed_fields = 0, refused = 0;
  // Fields are written last.
  const std::size_t first = bytes.size() - 1'000;
  for (std::size_t bit = first * 8; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(save_header_bytes));
    for (std::size_t i = 0; i < 8; ++i)
      bytes[16 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xFFU);
    World copy{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (copy.restore(reader).has_value()) {
      ASSERT_EQ(saved(copy), bytes) << "bit " << bit;
      ASSERT_NE(copy.hash().total, before.total) << "bit " << bit;
      if (copy.hash().fields != before.fields) ++changed_fields;
      // An accepted save can be stepped and stays finite.
      if (bit % 5 == 0) run(copy, 2);
      for (const BodyHandle body : copy.bodies()) {
        ASSERT_TRUE(is_finite(copy.pose(body).position)) << bit;
        ASSERT_TRUE(is_finite(copy.linear_velocity(body))) << bit;
      }
    } else {
      ++refused;
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_GT(changed_fields, 3'000);
  EXPECT_GT(refused, 500);
}

TEST(FieldState, FieldHashIsZeroWithoutFields) {
  World world{WorldOptions{}};
  add_stack(world, 3);
  EXPECT_EQ(world.hash().fields, 0U);
  world.create_force_field({forces::Charges{}, {}});
  EXPECT_NE(world.hash().fields, 0U);
}

TEST(FieldState, HashDependsOnChargesAndIgnoresFields) {
  const auto hash_with = [](float charge, bool ignores) {
    World world{WorldOptions{}};
    BodyDef def;
    def.charge = charge;
    def.ignores_force_fields = ignores;
    world.create_body(def);
    return world.hash().total;
  };
  EXPECT_NE(hash_with(1, false), hash_with(0, false));
  EXPECT_NE(hash_with(1, false), hash_with(2, false));
  EXPECT_NE(hash_with(0, true), hash_with(0, false));
  EXPECT_EQ(hash_with(-0.0f, false), hash_with(0, false));
}

/// Adds a charged box on the ground.
BodyHandle add_charged(World& world, double x, float charge) {
  const BodyHandle ball = add_dynamic(world, {x, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  world.set_charge(ball, charge);
  return ball;
}

TEST(FieldSleep, NewFieldWakesAllBodies) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 120);
  ASSERT_FALSE(world.is_awake(box));
  world.create_force_field({forces::Acceleration{{}, {0, 12, 0}}, {}});
  EXPECT_TRUE(world.is_awake(box));
  run(world, 60);
  EXPECT_GT(world.pose(box).position.y, 1);
}

TEST(FieldSleep, ChargedBodiesSleepAndWakeTogether) {
  World world{WorldOptions{}};
  add_ground(world);
  world.create_force_field({forces::Charges{{1, 0, 0, 2}}, {}});
  const BodyHandle a = add_charged(world, -8, 3), b = add_charged(world, 0, 3),
                   c = add_charged(world, 8, -3);
  const BodyHandle neutral = add_dynamic(world, {20, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  world.apply_central_impulse(a, {0, 0, 6'000});  // keeps sliding for a while
  for (int i = 0; i < 45; ++i) {
    world.step();
    ASSERT_TRUE(world.is_awake(b) && world.is_awake(c)) << i;
  }
  EXPECT_FALSE(world.is_awake(neutral));
  run(world, 300);
  EXPECT_FALSE(world.is_awake(a) || world.is_awake(b) || world.is_awake(c));
  world.apply_central_impulse(b, {0, 0, 10});
  EXPECT_TRUE(world.is_awake(a) && world.is_awake(c));
  EXPECT_FALSE(world.is_awake(neutral));
}

TEST(FieldSleep, MovingChargeWakesTheBodiesItActsOn) {
  World world{WorldOptions{}};
  add_ground(world);
  world.create_force_field({forces::Charges{{300'000, 0, 0, 2}}, {}});
  BodyDef def;
  def.motion = MotionType::Kinematic;
  def.pose.position = {60, 0.5, 0};
  def.charge = 5;
  const BodyHandle carried = world.create_body(def);
  const BodyHandle ball = add_charged(world, 0, 2);
  run(world, 120);
  ASSERT_FALSE(world.is_awake(ball));
  world.set_velocity(carried, {-20, 0, 0}, {});
  run(world, 160);
  EXPECT_LT(world.pose(ball).position.x, -0.1);
}

TEST(FieldSleep, TeleportedMagnetWakesTheBodiesItActsOn) {
  World world{WorldOptions{}};
  add_ground(world);
  BodyDef def;
  def.motion = MotionType::Static;
  def.pose.position = {0, 0.5, 60};
  const BodyHandle magnet = world.create_body(def);
  const ForceFieldHandle pole =
      world.create_force_field({forces::Pole{{}, {-20'000, 0.5f, 0, 2}}, magnet});
  const BodyHandle ball = add_charged(world, 0, 1);
  run(world, 120);
  ASSERT_FALSE(world.is_awake(ball));
  world.set_pose(magnet, {{0, 0.5, 1.5}, {}});
  EXPECT_TRUE(world.is_awake(ball));
  run(world, 20);
  EXPECT_GT(world.pose(ball).position.z, 0.02);
  run(world, 200);
  ASSERT_FALSE(world.is_awake(ball));
  world.destroy_body(magnet);
  EXPECT_FALSE(world.is_alive(pole));
  EXPECT_TRUE(world.is_awake(ball));
}

// The body is slow for a long time, but nothing supports it.
TEST(FieldSleep, BodyPulledByAWeakFieldStaysAwake) {
  WorldOptions options;
  options.gravity = {};
  World world(options);
  world.create_force_field({forces::Acceleration{{}, {0.02f, 0, 0}}, {}});
  const BodyHandle body = add_dynamic(world, {}, state::sphere(0.5f));
  run(world, 600);
  EXPECT_TRUE(world.is_awake(body));
  EXPECT_NEAR(static_cast<double>(world.linear_velocity(body).x), 0.2, 1e-4);
}

TEST(FieldSleep, SlowlySinkingBodyStaysAwake) {
  World world{WorldOptions{}};
  world.create_force_field({forces::Drag{{}, {}, 1'000, 0, 0}, {}});  // falls at 9.8 mm/s
  const BodyHandle body = add_dynamic(world, {}, state::sphere(0.5f));
  run(world, 600);
  EXPECT_TRUE(world.is_awake(body));
  EXPECT_NEAR(world.pose(body).position.y, -0.0981, 1e-3);
}

TEST(FieldLimits, OverflowingFieldQuarantinesOnlyTheBodyItActsOn) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  const BodyHandle other = add_dynamic(world, {0, 1.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 10);
  BodyDef def;
  def.mass = 1e-6f;
  def.pose.position = {0, 2.2, 0};
  def.charge = 1e12f;
  const BodyHandle speck = world.create_body(def);
  world.add_shape(speck, shape_def(state::sphere(0.2f)));
  world.create_force_field({forces::Pole{{0, 2.2 + 1e-9, 0}, {1e24f, 0, 0, 4}}, {}});
  run(world, 60);
  EXPECT_TRUE(world.is_quarantined(speck));
  EXPECT_FALSE(world.is_quarantined(box));
  EXPECT_FALSE(world.is_quarantined(other));
  EXPECT_NEAR(world.pose(other).position.y, 1.5, 0.01);
  // A shape that is added to a quarantined body is in no list of the world and is destroyed
  // together with the body.
  world.add_shape(speck, shape_def(state::sphere(0.3f)));
  world.destroy_body(speck);
  run(world, 10);
  EXPECT_NEAR(world.pose(other).position.y, 1.5, 0.01);
}

TEST(FieldLimits, StrongFieldDoesNotPullABallThroughAFloor) {
  for (const float strength : {200.0f, 2'000.0f}) {
    World world(without_sleep());
    add_body(world, MotionType::Static, {{0, -0.05, 0}, {}}, shape_def(state::box({5, 0.05f, 5})));
    world.create_force_field({forces::Acceleration{{}, {0, -strength, 0}}, {}});
    const BodyHandle ball = add_dynamic(world, {0, 0.6, 0}, state::sphere(0.5f));
    run(world, 120);
    EXPECT_NEAR(world.pose(ball).position.y, 0.5, 0.1) << strength;
  }
}

TEST(FieldLimits, StackStandsInAFieldAsUnderGravity) {
  for (const float strength : {9.81f, 100.0f}) {
    WorldOptions options;
    options.gravity = {};
    World world(options);
    add_ground(world);
    world.create_force_field({forces::Acceleration{{}, {0, -strength, 0}}, {}});
    const std::vector<BodyHandle> stack = add_stack(world, 10);
    run(world, 300);
    for (std::size_t i = 0; i < stack.size(); ++i) {
      EXPECT_NEAR(world.pose(stack[i]).position.y, 0.5 + static_cast<double>(i), 1e-4);
      EXPECT_FALSE(world.is_awake(stack[i]));
    }
  }
}

TEST(FieldLimits, StackStaysAtRestWhenAStrongFieldIsDestroyed) {
  World world{WorldOptions{}};
  add_ground(world);
  const std::vector<BodyHandle> stack = add_stack(world, 6);
  const ForceFieldHandle field =
      world.create_force_field({forces::Acceleration{{}, {0, -100, 0}}, {}});
  run(world, 200);
  world.destroy_force_field(field);
  float fastest = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    for (const BodyHandle box : stack)
      fastest = std::max(fastest, length(world.linear_velocity(box)));
  }
  EXPECT_LT(fastest, 1e-3f);
  for (std::size_t i = 0; i < stack.size(); ++i)
    EXPECT_NEAR(world.pose(stack[i]).position.y, 0.5 + static_cast<double>(i), 0.01);
}

}  // namespace
}  // namespace jostle::physics
