#include "shared/base/hash.h"
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

JointHandle join(World& world, JointKind kind, BodyHandle a, BodyHandle b, Position anchor) {
  return world.create_joint(make_joint_def(world, kind, a, b, anchor, {0, 1, 0}));
}

/// Returns a world with a ragdoll on the ground, and a slider, a fixed joint and a distance joint,
/// each with a spring and a motor, and with limits unless it is fixed.
World busy_joints() {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  add_ragdoll(world, {0, 1.3, 0}, 0.3f);
  double x = 2;
  for (const JointKind kind : {JointKind::Slider, JointKind::Fixed, JointKind::Distance}) {
    const BodyHandle box = add_dynamic(world, {x, 1, 0}, state::box({0.2f, 0.3f, 0.4f}));
    JointDef def = make_joint_def(world, kind, ground, box, {x, 1.5, 0}, {0, 1, 0});
    def.limits = {kind != JointKind::Fixed, 0, 0.5f};
    def.spring = {true, 3, 0.2f};
    def.motor = {true, 1, 20};
    world.create_joint(def);
    x += 2;
  }
  return world;
}

TEST(JointSave, RestoringAfterEveryStepChangesNothing) {
  World straight = busy_joints(), through = busy_joints();
  for (int tick = 0; tick < 200; ++tick) {
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash()) << tick;
    through = restored(saved(through));
  }
}

TEST(JointSave, FlippedBitsAreRejectedOrChangeTheHash) {
  World world = busy_joints();
  run(world, 30);
  auto bytes = saved(world);
  const StateHash before = world.hash();
  constexpr std::size_t header = 24;
  int changed_joints = 0;
  for (std::size_t bit = header * 8; bit < bytes.size() * 8; bit += 3) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(header));
    for (std::size_t i = 0; i < 8; ++i)
      bytes[16 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xFFU);
    World copy{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (copy.restore(reader).has_value()) {
      ASSERT_EQ(saved(copy), bytes) << "bit " << bit;
      ASSERT_NE(copy.hash().total, before.total) << "bit " << bit;
      if (copy.hash().joints != before.joints) ++changed_joints;
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_GT(changed_joints, 1'000);
}

TEST(JointedPairs, DoNotCollideUntilTheJointIsDestroyed) {
  WorldOptions options;
  options.gravity = {};
  World world(options);
  const BodyHandle a = add_dynamic(world, {0, 0, 0}, state::sphere(0.5f));
  const BodyHandle b = add_dynamic(world, {0.8, 0, 0}, state::sphere(0.5f));
  const JointHandle joint = join(world, JointKind::Ball, a, b, {0.4, 0, 0});
  run(world, 20);
  EXPECT_TRUE(world.contacts().empty());
  world.destroy_joint(joint);
  EXPECT_FALSE(world.is_alive(joint));
  run(world, 2);
  EXPECT_EQ(world.contacts().size(), 1U);
  join(world, JointKind::Ball, a, b, {0.4, 0, 0});
  EXPECT_TRUE(world.contacts().empty());
}

TEST(JointedPairs, CollideIfTheJointAllowsIt) {
  World world{WorldOptions{}};
  const BodyHandle a = add_dynamic(world, {0, 0, 0}, state::sphere(0.5f));
  const BodyHandle b = add_dynamic(world, {0.99, 0, 0}, state::sphere(0.5f));
  JointDef def = make_joint_def(world, JointKind::Ball, a, b, {0.5, 0, 0}, {0, 1, 0});
  def.collide_connected = true;
  world.create_joint(def);
  run(world, 2);
  EXPECT_EQ(world.contacts().size(), 1U);
}

TEST(JointSleep, JointedBodiesSleepAndWakeTogether) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle a = add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  const BodyHandle b = add_dynamic(world, {3, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  JointDef def = make_distance_joint_def(world, a, b, {0, 0.5, 0}, {3, 0.5, 0});
  world.create_joint(def);
  run(world, 120);
  EXPECT_FALSE(world.is_awake(a));
  EXPECT_FALSE(world.is_awake(b));
  EXPECT_EQ(world.stats().awake_bodies, 0U);
  world.apply_central_impulse(a, {0, 500, 0});
  EXPECT_TRUE(world.is_awake(b));
}

TEST(JointBreaks, AreReportedOnceAndDestroyTheJoint) {
  World world{WorldOptions{}};
  const BodyHandle pivot = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  const BodyHandle bob = add_dynamic(world, {0, -1, 0}, state::sphere(0.2f));
  JointDef def = make_joint_def(world, JointKind::Ball, pivot, bob, {}, {0, 1, 0});
  const float weight = world.mass(bob) * 9.81f;
  def.break_force = 2 * weight;
  const JointHandle joint = world.create_joint(def);
  run(world, 60);
  EXPECT_TRUE(world.is_alive(joint));
  world.apply_central_force(bob, {0, -2 * weight, 0});
  world.step();
  ASSERT_EQ(world.joint_breaks().size(), 1U);
  EXPECT_EQ(world.joint_breaks()[0].joint, joint);
  EXPECT_FALSE(world.is_alive(joint));
  world.step();
  EXPECT_TRUE(world.joint_breaks().empty());
}

// If a distance joint has a motor, the difference from the initial length does not count as a joint
// gap. The same holds for springs and slack ropes.
TEST(JointStates, MotorDrivenDistanceHasNoGap) {
  WorldOptions options = without_sleep();
  options.gravity = {};
  World world(options);
  const BodyHandle drum = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  const BodyHandle load = add_dynamic(world, {2, 0, 0}, state::sphere(0.1f));
  JointDef def = make_distance_joint_def(world, drum, load, {}, {2, 0, 0});
  def.motor = {true, 1, 1000};
  const JointHandle winch = world.create_joint(def);
  run(world, 60);
  const JointState state = world.joint_state(winch);
  EXPECT_NEAR(state.translation, 3.0f, 0.05f);
  EXPECT_EQ(state.gap, 0.0f);
}

TEST(JointHandles, AreInvalidAfterTheirBodyIsDestroyed) {
  World world{WorldOptions{}};
  const BodyHandle a = add_dynamic(world, {0, 0, 0}, state::sphere(0.5f));
  const BodyHandle b = add_dynamic(world, {2, 0, 0}, state::sphere(0.5f));
  const JointHandle joint = join(world, JointKind::Fixed, a, b, {1, 0, 0});
  EXPECT_EQ(world.joint_count(), 1U);
  world.destroy_body(b);
  EXPECT_FALSE(world.is_alive(joint));
  EXPECT_EQ(world.joint_count(), 0U);
  run(world, 5);
}

TEST(JointScenes, SheetOfBallJointsSwingsWithoutLargeGaps) {
  World world{WorldOptions{}};
  add_joint_grid(world, 12, 12);
  EXPECT_EQ(world.joint_count(), 12U * 11U + 11U * 11U);
  for (int i = 0; i < 300; ++i) {
    world.step();
    ASSERT_LT(worst_failure(world).gap, 0.037f) << i;
  }
}

TEST(JointScenes, RagdollsFallWithoutLargeGaps) {
  World world{WorldOptions{}};
  add_ground(world);
  for (int i = 0; i < 4; ++i)
    add_ragdoll(world, {0.4 * i, 1.3 + 2 * i, 0.1 * i}, 0.8f * static_cast<float>(i));
  for (int i = 0; i < 400; ++i) {
    world.step();
    ASSERT_LT(worst_failure(world).gap, 0.111f) << i;
  }
  EXPECT_LT(worst_failure(world).gap, 0.007f);
}

}  // namespace
}  // namespace jostle::physics
