// Several joints between the same two bodies (shared/physics/solver/joint_trees.h).
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

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

BodyHandle add_ghost_box(World& world, Position at, Vec3 half, float mass) {
  BodyDef def;
  def.pose.position = at;
  def.mass = mass;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, ghost(state::box(half)));
  return body;
}

double energy_of(const World& world, const std::vector<BodyHandle>& bodies) {
  double sum = 0;
  for (const BodyHandle body : bodies) {
    const Vec3 v = world.linear_velocity(body);
    const Vec3 w = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body));
    sum += 0.5 * static_cast<double>(world.mass(body) * dot(v, v) +
                                     dot(w, world.inertia_local(body) * w));
    sum -= static_cast<double>(world.mass(body) * world.options().gravity.y) *
           world.centre_of_mass(body).y;
  }
  return sum;
}

// Two balls a little apart are a hinge, and hold what leans over sideways by that little.
TEST(ParallelJoints, HoldHoweverCloseTogetherTheyAre) {
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
            joint_at(world, JointKind::Ball, post, beam, {0, 0, side * apart}, {0, 0, 1}));
      }
      world.create_joint(joint_at(world, JointKind::Fixed, beam, load, {2, 0, 0}, {0, 1, 0}));
      const double energy = energy_of(world, {beam, load});
      for (int i = 0; i < 600; ++i) {
        world.step();
        ASSERT_LT(worst_failure(world).gap, 2e-4f) << i;
        const Vec3 axis = rotate(world.pose(beam).rotation, Vec3{0, 0, 1});
        ASSERT_GT(axis.z, 0.99999f) << i;
      }
      // Of what a fall by its arm brings: nothing comes, and little goes by the tightest of levers.
      const double reach = 9.81 * static_cast<double>(10 + 2 * mass);
      EXPECT_LT(energy_of(world, {beam, load}) - energy, 1e-4 * reach);
      EXPECT_GT(energy_of(world, {beam, load}) - energy, -0.1 * reach);
    }
  }
}

TEST(ParallelJoints, ShareTheirLoad) {
  for (const float mass : {1.0f, 100.0f}) {
    World world(restless({0, -9.81f, 0}));
    const BodyHandle post =
        add_body(world, MotionType::Static, {{0, 1, 0}, {}}, ghost(state::box({1, 0.1f, 0.1f})));
    const BodyHandle link = add_ghost_box(world, {}, {0.4f, 0.2f, 0.1f}, 1);
    const BodyHandle load = add_ghost_box(world, {0, -1, 0}, {0.2f, 0.2f, 0.2f}, mass);
    std::vector<JointHandle> joints;
    for (const double x : {-0.3, -0.1, 0.1, 0.3}) {
      joints.push_back(
          world.create_joint(joint_at(world, JointKind::Ball, post, link, {x, 0.2, 0}, {0, 1, 0})));
    }
    world.create_joint(joint_at(world, JointKind::Ball, link, load, {0, -0.5, 0}, {0, 1, 0}));
    for (int i = 0; i < 600; ++i)
      world.step();
    for (const JointHandle joint : joints) {
      EXPECT_NEAR(world.joint_state(joint).force.y, 0.25f * 9.81f * (1 + mass),
                  0.05f * 9.81f * (1 + mass));
    }
  }
}

TEST(ParallelJoints, TumbleWithoutGainOrLoss) {
  for (const JointKind kind : {JointKind::Ball, JointKind::Hinge, JointKind::Fixed}) {
    for (const float mass : {1.0f, 30.0f}) {
      SCOPED_TRACE(::testing::Message() << "kind " << static_cast<int>(kind) << ", mass " << mass);
      World world(restless({}));
      const BodyHandle a = add_ghost_box(world, {-0.5, 0, 0}, {0.2f, 0.1f, 0.15f}, 1),
                       b = add_ghost_box(world, {0.5, 0, 0}, {0.3f, 0.1f, 0.05f}, mass);
      for (const double side : {-0.2, 0.2})
        world.create_joint(joint_at(world, kind, a, b, {0, 0.05, side}, {0, 0, 1}));
      const Vec3 spin = normalized_or(Vec3{0.3f, 0.5f, 0.81f}, Vec3{}) * 10.0f;
      const float middle = 0.5f * (mass - 1) / (mass + 1);
      world.set_velocity(a, cross(spin, Vec3{-0.5f - middle, 0, 0}), spin);
      world.set_velocity(b, cross(spin, Vec3{0.5f - middle, 0, 0}), spin);
      const double energy = energy_of(world, {a, b});
      for (int i = 0; i < 1'200; ++i)
        world.step();
      EXPECT_NEAR(energy_of(world, {a, b}) / energy, 1, 2e-3);
      EXPECT_LT(worst_failure(world).gap, 2e-4f);
    }
  }
}

// A rod may be of a tree; a rope is solved by itself.
TEST(ParallelJoints, ARodThatBecomesARopeGoesOnTheSameInACopyThatWasRestored) {
  World world(restless({0, -9.81f, 0}));
  const BodyHandle post =
      add_body(world, MotionType::Static, {{0, 1, 0}, {}}, ghost(state::sphere(0.1f)));
  BodyHandle above = post;
  JointHandle last;
  for (int i = 0; i < 4; ++i) {
    const Position from{0, 1.0 - i, 0}, to{0.2 * (i + 1), -static_cast<double>(i), 0};
    const BodyHandle body = add_ghost_box(world, to, {0.1f, 0.1f, 0.1f}, i == 3 ? 50.0f : 1.0f);
    last = world.create_joint(
        distance_between(world, above, body, i == 0 ? from : world.pose(above).position, to));
    above = body;
  }
  for (int i = 0; i < 30; ++i)
    world.step();
  JointSpring rope;
  rope.is_enabled = true;
  rope.hertz = 2;
  rope.only_pulls = true;
  world.set_joint_spring(last, rope, 0.5f);
  World copy = restored(saved(world));
  for (int i = 0; i < 60; ++i) {
    world.step();
    copy.step();
    ASSERT_EQ(world.hash().total, copy.hash().total) << i;
  }
}

}  // namespace
}  // namespace jostle::physics
