// Several joints between the same two bodies
// (shared/physics/stabilizers/articulations/joint_trees.h).
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

WorldOptions restless(Vec3 gravity) {
  WorldOptions options;
  options.gravity = gravity;
  options.is_sleeping_enabled = false;
  return options;
}

// Two ball joints close to each other act as a hinge and must hold a load beside them.
TEST(ParallelJoints, HoldALoadEvenIfCloseTogether) {
  for (const float mass : {1.0f, 1'000.0f}) {
    for (const double apart : {0.1, 0.02, 0.005}) {
      SCOPED_TRACE(::testing::Message() << mass << " kg, " << apart << " m");
      World world(restless({0, -9.81f, 0}));
      const BodyHandle post =
          add_body(world, MotionType::Static, {}, ghost(state::box({0.1f, 0.1f, 0.1f})));
      const BodyHandle beam = add_ghost_box(world, {1, 0, 0}, {1, 0.05f, 0.05f}, 10);
      const BodyHandle load = add_ghost_box(world, {2, 0, 0.3}, {0.2f, 0.2f, 0.2f}, mass);
      for (const double side : {-0.5, 0.5}) {
        world.create_joint(
            make_joint_def(world, JointKind::Ball, post, beam, {0, 0, side * apart}, {0, 0, 1}));
      }
      world.create_joint(make_joint_def(world, JointKind::Fixed, beam, load, {2, 0, 0}, {0, 1, 0}));
      const double energy = total_energy(world);
      for (int i = 0; i < 600; ++i) {
        world.step();
        ASSERT_LT(worst_failure(world).gap, 2e-4f) << i;
        const Vec3 axis = rotate(world.pose(beam).rotation, Vec3{0, 0, 1});
        ASSERT_GT(axis.z, 0.99999f) << i;
      }
      // `reach` is the energy that the arm releases when it swings from horizontal to vertical. The
      // total energy may grow by at most 0.01 % of it, and shrink by at most 10 %, even if the ball
      // joints are close together.
      const double reach = 9.81 * static_cast<double>(10 + 2 * mass);
      EXPECT_LT(total_energy(world) - energy, 1e-4 * reach);
      EXPECT_GT(total_energy(world) - energy, -0.1 * reach);
    }
  }
}

TEST(ParallelJoints, ShareTheirLoadEqually) {
  for (const float mass : {1.0f, 100.0f}) {
    World world(restless({0, -9.81f, 0}));
    const BodyHandle post =
        add_body(world, MotionType::Static, {{0, 1, 0}, {}}, ghost(state::box({1, 0.1f, 0.1f})));
    const BodyHandle link = add_ghost_box(world, {}, {0.4f, 0.2f, 0.1f}, 1);
    const BodyHandle load = add_ghost_box(world, {0, -1, 0}, {0.2f, 0.2f, 0.2f}, mass);
    std::vector<JointHandle> joints;
    for (const double x : {-0.3, -0.1, 0.1, 0.3}) {
      joints.push_back(world.create_joint(
          make_joint_def(world, JointKind::Ball, post, link, {x, 0.2, 0}, {0, 1, 0})));
    }
    world.create_joint(make_joint_def(world, JointKind::Ball, link, load, {0, -0.5, 0}, {0, 1, 0}));
    for (int i = 0; i < 600; ++i)
      world.step();
    for (const JointHandle joint : joints) {
      EXPECT_NEAR(world.joint_state(joint).force.y, 0.25f * 9.81f * (1 + mass),
                  0.05f * 9.81f * (1 + mass));
    }
  }
}

TEST(ParallelJoints, TumblingPairConservesEnergy) {
  for (const JointKind kind : {JointKind::Ball, JointKind::Hinge, JointKind::Fixed}) {
    for (const float mass : {1.0f, 30.0f}) {
      SCOPED_TRACE(::testing::Message() << "kind " << static_cast<int>(kind) << ", mass " << mass);
      World world(restless({}));
      const BodyHandle a = add_ghost_box(world, {-0.5, 0, 0}, {0.2f, 0.1f, 0.15f}, 1),
                       b = add_ghost_box(world, {0.5, 0, 0}, {0.3f, 0.1f, 0.05f}, mass);
      for (const double side : {-0.2, 0.2})
        world.create_joint(make_joint_def(world, kind, a, b, {0, 0.05, side}, {0, 0, 1}));
      const Vec3 spin = normalized_or(Vec3{0.3f, 0.5f, 0.81f}, Vec3{}) * 10.0f;
      const float middle = 0.5f * (mass - 1) / (mass + 1);
      world.set_velocity(a, cross(spin, Vec3{-0.5f - middle, 0, 0}), spin);
      world.set_velocity(b, cross(spin, Vec3{0.5f - middle, 0, 0}), spin);
      const double energy = total_energy(world);
      for (int i = 0; i < 1'200; ++i)
        world.step();
      EXPECT_NEAR(total_energy(world) / energy, 1, 2e-3);
      EXPECT_LT(worst_failure(world).gap, 2e-4f);
    }
  }
}

/// A rod of 1 kg with a load fixed to its end. Joints of one kind, at the z coordinates `places`,
/// connect the rod to a post.
struct Swing {
  World world;
  std::vector<JointHandle> joints;
  BodyHandle load;

  Swing(JointKind kind, const std::vector<double>& places, float mass, state::MotionLocks locks)
      : world(restless({0, -9.81f, 0})) {
    const BodyHandle post = add_body(world, MotionType::Static, {}, ghost(state::sphere(0.1f)));
    const BodyHandle rod = add_ghost_box(world, {0.5, 0, 0}, {0.5f, 0.1f, 0.1f}, 1, locks);
    load = add_ghost_box(world, {1.2, 0, 0}, {0.2f, 0.2f, 0.2f}, mass, locks);
    for (const double z : places)
      joints.push_back(
          world.create_joint(make_joint_def(world, kind, post, rod, {0, 0, z}, {0, 0, 1})));
    world.create_joint(make_joint_def(world, JointKind::Fixed, rod, load, {1, 0, 0}, {1, 0, 0}));
  }
  // Returns the magnitude of the total force of the joints. Statics does not determine how the
  // joints share it.
  float force() const {
    Vec3 sum;
    for (const JointHandle joint : joints)
      sum += world.joint_state(joint).force;
    return length(sum);
  }
};

// In a planar world, some rows of the joints constrain axes that are already locked. The joint's
// axis also differs from the world's z axis by rounding.
TEST(ParallelJoints, SwingInAPlanarWorldAsInAFreeOne) {
  for (const float mass : {1.0f, 20.0f, 100.0f}) {
    for (const JointKind kind : {JointKind::Hinge, JointKind::Ball}) {
      for (const std::vector<double>& places :
           {std::vector<double>{0}, {-0.01, 0.01}, {-0.1, 0.1}, {-0.5, 0.5}, {-0.2, 0.0, 0.1}}) {
        // with a single ball joint, the free rod could turn about all axes
        if (kind == JointKind::Ball && places.size() == 1) continue;
        Swing free(kind, places, mass, 0), flat(kind, places, mass, state::lock_planar);
        double lowest = 0;
        for (int i = 0; i < 60; ++i) {
          free.world.step();
          flat.world.step();
          const Position there = flat.world.pose(flat.load).position;
          lowest = std::min(lowest, there.y);
          EXPECT_LT(length(there - free.world.pose(free.load).position), 5e-3f) << mass << ' ' << i;
          EXPECT_NEAR(flat.force(), free.force(), 0.02f * (mass + 1) * 9.81f) << mass << ' ' << i;
          for (const JointHandle joint : flat.joints) {
            EXPECT_LT(flat.world.joint_state(joint).gap, 5e-4f);
            EXPECT_LT(length(flat.world.joint_state(joint).torque), 0.01f * (mass + 1));
          }
          if (HasFailure()) return;
        }
        EXPECT_LT(lowest, -1.0);
      }
    }
  }
}

// A rod can be part of a tree, but a rope is solved separately.
TEST(ParallelJoints, RodThatBecomesARopeContinuesBitExactlyAfterRestore) {
  World world(restless({0, -9.81f, 0}));
  const BodyHandle post =
      add_body(world, MotionType::Static, {{0, 1, 0}, {}}, ghost(state::sphere(0.1f)));
  BodyHandle above = post;
  JointHandle last;
  for (int i = 0; i < 4; ++i) {
    const Position from{0, 1.0 - i, 0}, to{0.2 * (i + 1), -static_cast<double>(i), 0};
    const BodyHandle body = add_ghost_box(world, to, {0.1f, 0.1f, 0.1f}, i == 3 ? 50.0f : 1.0f);
    last = world.create_joint(make_distance_joint_def(
        world, above, body, i == 0 ? from : world.pose(above).position, to));
    above = body;
  }
  for (int i = 0; i < 30; ++i)
    world.step();
  JointSpring rope;
  rope.is_enabled = true;
  rope.hertz = 2;
  rope.tension_only = true;
  world.set_joint_spring(last, rope, 0.5f);
  World copy = restored(saved(world));
  for (int i = 0; i < 60; ++i) {
    world.step();
    copy.step();
    ASSERT_EQ(world.hash().total, copy.hash().total) << i;
  }
}

// Joints between a sleeping body and an awake kinematic one are active, but have no body to move.
TEST(ParallelJoints, SleepBesideAnAwakeKinematicBody) {
  WorldOptions options;
  options.sleep_seconds = 0.1f;
  World world(options);
  BodyDef def;
  def.motion = MotionType::Kinematic;
  def.pose.position = {0, 3, 0};
  def.is_sleep_allowed = false;
  const BodyHandle post = world.create_body(def);
  const BodyHandle body = add_ghost_box(world, {1, 3, 0}, {0.3f, 0.2f, 0.2f}, 2.0f);
  for (const double z : {-0.1, 0.1})
    world.create_joint(make_joint_def(world, JointKind::Fixed, post, body, {0.5, 3, z}, {1, 0, 0}));
  for (int i = 0; i < 120; ++i)
    world.step();
  EXPECT_TRUE(world.is_awake(post));
  EXPECT_FALSE(world.is_awake(body));
  EXPECT_NEAR(world.pose(body).position.y, 3, 1e-4);
  World copy = restored(saved(world));
  world.set_awake(body, true);
  copy.set_awake(body, true);
  for (int i = 0; i < 30; ++i) {
    world.step();
    copy.step();
    ASSERT_EQ(world.hash().total, copy.hash().total) << i;
  }
}

TEST(ParallelJoints, HoldIfOneBodyOfTheirTreeIsPutToSleep) {
  for (int sleeper = 0; sleeper < 4; ++sleeper) {
    World world{WorldOptions{}};
    BodyHandle above =
        add_body(world, MotionType::Static, {{0, 1, 0}, {}}, ghost(state::sphere(0.1f)));
    std::vector<BodyHandle> chain;
    std::vector<JointHandle> joints;
    for (int i = 0; i < 4; ++i) {
      chain.push_back(add_ghost_box(world, {0.5 + i, 1, 0}, {0.4f, 0.1f, 0.1f}, i == 3 ? 50 : 1));
      for (const double z : {-0.1, 0.1}) {
        joints.push_back(
            world.create_joint(make_joint_def(world, JointKind::Ball, above, chain.back(),
                                              {static_cast<double>(i), 1, z}, {0, 0, 1})));
      }
      above = chain.back();
    }
    for (int i = 0; i < 60; ++i) {
      if (i % 10 == 5) world.set_awake(chain[static_cast<std::size_t>(sleeper)], false);
      World copy = restored(saved(world));
      world.step();
      copy.step();
      ASSERT_EQ(world.hash().total, copy.hash().total) << sleeper << ' ' << i;
      for (const JointHandle joint : joints)
        EXPECT_LT(world.joint_state(joint).gap, 5e-4f) << sleeper << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace jostle::physics
