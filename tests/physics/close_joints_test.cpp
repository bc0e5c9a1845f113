// What blows and loads open is closed at the end of the step; what is made open is not.
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

using namespace testing;

constexpr float most_gap = 0.41e-3f, most_lean = 1.51e-3f;  // m, rad

struct Worst {
  float gap = 0, lean = 0;

  void take(const World& world) {
    for (const JointHandle joint : world.joints()) {
      const JointState state = world.joint_state(joint);
      gap = std::max(gap, state.gap);
      lean = std::max(lean, state.lean);
    }
  }
};

BodyHandle add_box(World& world, Position at, Vec3 half, float mass) {
  BodyDef def;
  def.pose.position = at;
  def.mass = mass;
  def.is_sleep_allowed = false;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::box(half)));
  return body;
}

WorldOptions weightless() {
  WorldOptions options;
  options.gravity = {};
  return options;
}

struct Arm {
  World world{weightless()};
  std::vector<BodyHandle> bars;
};

/// Four bars in a row, unalike in mass, held together by joints of a kind; the first is free.
Arm arm(JointKind kind) {
  Arm made;
  for (int i = 0; i < 4; ++i) {
    made.bars.push_back(
        add_box(made.world, {1.0 * i, 0, 0}, {0.4f, 0.05f, 0.1f}, i % 2 == 0 ? 1.0f : 20.0f));
    if (i == 0) continue;
    made.world.create_joint(joint_at(made.world, kind, made.bars[i - 1], made.bars[i],
                                     {i - 0.5, 0, 0}, Vec3{0.6f, 0, 0.8f}));
  }
  return made;
}

class CloseJoints : public ::testing::TestWithParam<JointKind> {};

TEST_P(CloseJoints, HoldsWhatIsStruckHard) {
  Arm made = arm(GetParam());
  World& world = made.world;
  Worst worst;
  Vec3 momentum;
  for (int tick = 0; tick < 240; ++tick) {
    if (tick % 20 == 0) {
      const Vec3 blow{0, tick % 40 == 0 ? 60.0f : -60.0f, 15};
      world.apply_impulse(made.bars[3], blow,
                          world.centre_of_mass(made.bars[3]) + Vec3{0.4f, 0, 0});
      momentum += blow;
    }
    world.step();
    worst.take(world);
  }
  EXPECT_LT(worst.gap, most_gap);
  EXPECT_LT(worst.lean, most_lean);
  Vec3 sum;
  for (const BodyHandle bar : made.bars)
    sum += world.linear_velocity(bar) * world.mass(bar);
  EXPECT_LT(length(sum - momentum), 1e-3f * length(momentum)) << "momenta are not touched";
}
INSTANTIATE_TEST_SUITE_P(Kinds, CloseJoints,
                         ::testing::Values(JointKind::Ball, JointKind::Hinge, JointKind::Slider,
                                           JointKind::Fixed));

// The centre of mass of all stays on its way.
TEST(CloseJointsLaws, WhatIsFreeGoesOnAsItWas) {
  Arm made = arm(JointKind::Ball);
  World& world = made.world;
  const auto centre = [&] {
    math::Vec3d sum;
    double mass = 0;
    for (const BodyHandle bar : made.bars) {
      const auto m = static_cast<double>(world.mass(bar));
      sum = sum + math::widened(world.centre_of_mass(bar) - Position{}) * m;
      mass += m;
    }
    return sum * (1 / mass);
  };
  const math::Vec3d start = centre();
  const Vec3 blow{0, 80, 0};
  world.apply_impulse(made.bars[3], blow, world.centre_of_mass(made.bars[3]));
  run(world, 60);
  const math::Vec3d expected = start + math::Vec3d{0, 80.0 / 42, 0};
  EXPECT_LT(length(centre() - expected), 2e-4);
}

// A limit is held as the rest is.
TEST(CloseJointsLaws, ALimitIsNotPassed) {
  World world{weightless()};
  const BodyHandle post = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  const BodyHandle door = add_box(world, {0.5, 0, 0}, {0.4f, 0.5f, 0.02f}, 10);
  JointDef def = joint_at(world, JointKind::Hinge, post, door, {0, 0, 0}, {0, 1, 0});
  def.limits = {true, -0.5f, 0.5f};
  const JointHandle joint = world.create_joint(def);
  world.set_velocity(door, {0, 0, -10}, {0, 20, 0});
  for (int tick = 0; tick < 120; ++tick) {
    world.step();
    EXPECT_LT(std::abs(world.joint_state(joint).angle), 0.5f + most_lean) << tick;
  }
}

/// Two boxes whose hinge is made open.
World open_hinge(Vec3 apart) {
  World world{weightless()};
  const BodyHandle a = add_box(world, {}, {0.2f, 0.2f, 0.2f}, 1);
  const BodyHandle b = add_box(world, {1, 0, 0}, {0.2f, 0.2f, 0.2f}, 1);
  JointDef def = joint_at(world, JointKind::Hinge, a, b, {0.5, 0, 0}, {0, 0, 1});
  def.frame_b.offset += apart;
  world.create_joint(def);
  return world;
}

TEST(CloseJointsLaws, WhatIsMadeOpenClosesWithSpeed) {
  World world = open_hinge({0, 0.3f, 0});
  const JointHandle joint = world.joints()[0];
  world.step();
  EXPECT_GT(world.joint_state(joint).gap, 0.02f) << "not at once";
  run(world, 60);
  EXPECT_LT(world.joint_state(joint).gap, most_gap);
}

// Two rods that cannot both have their length: nothing is thrown about, all stays finite.
TEST(CloseJointsLaws, JointsThatContradictEachOtherLeaveTheirBodies) {
  World world{WorldOptions{}};
  const BodyHandle post = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  const BodyHandle bob = add_box(world, {0, -1, 0}, {0.1f, 0.1f, 0.1f}, 1);
  JointDef def = joint_at(world, JointKind::Ball, post, bob, {0, 0, 0}, {0, 1, 0});
  def.cone = {true, 0.1f};
  def.limits = {true, 0.2f, 0.2f};
  world.create_joint(def);
  for (int tick = 0; tick < 300; ++tick) {
    world.apply_force(bob, {400, 0, 300}, world.centre_of_mass(bob));
    world.step();
    ASSERT_TRUE(is_finite(world.linear_velocity(bob)));
    ASSERT_LT(length(world.linear_velocity(bob)), 20.0f);
  }
  EXPECT_EQ(world.stats().quarantined_bodies, 0U);
}

// Strikes open joints in most steps: each of them is the same in a world that is restored.
TEST(CloseJointsLaws, SavesGoOnWithTheSameBitsOnAllNumbersOfThreads) {
  Arm straight = arm(JointKind::Hinge);
  World through = restored(saved(straight.world));
  through.set_execution({3, simd::Level::Plain});
  for (int tick = 0; tick < 120; ++tick) {
    for (World* world : {&straight.world, &through})
      world->apply_impulse(straight.bars[3], {0, tick % 2 == 0 ? 30.0f : -30.0f, 5},
                           world->centre_of_mass(straight.bars[3]) + Vec3{0.4f, 0, 0});
    straight.world.step();
    through.step();
    ASSERT_EQ(straight.world.hash(), through.hash()) << tick;
    through = restored(saved(through));
    through.set_execution({3, simd::Level::Plain});
  }
}

}  // namespace
}  // namespace jostle::physics
