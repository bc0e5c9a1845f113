// Position correction of joints at the end of a step
// (shared/physics/stabilizers/joint_positions/mend_joints.h), and jointed bodies stopped by
// continuous collision (shared/physics/continuous/put_back.h).
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Maximum error of joints at the end of a step.
constexpr float gap = 5e-4f, lean = 1.75e-3f;  // m, rad

void expect_together(const World& world, int step) {
  const JointFailure worst = worst_failure(world);
  EXPECT_LE(worst.gap, gap) << "step " << step;
  EXPECT_LE(worst.lean, lean) << "step " << step;
}

/// Adds a bridge of planks with hinges, between two posts 12 m apart.
std::vector<BodyHandle> add_bridge(World& world, int planks) {
  const double length = 12.0 / planks;
  BodyHandle before =
      add_body(world, MotionType::Static, {{0, 4, 0}, {}}, shape_def(state::box({0.1f, 0.1f, 1})));
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < planks; ++i) {
    const double x = length * (i + 0.5);
    bodies.push_back(
        add_dynamic(world, {x, 4, 0}, state::box({0.45f * static_cast<float>(length), 0.05f, 1})));
    world.create_joint(make_joint_def(world, JointKind::Hinge, before, bodies.back(),
                                      {length * i, 4, 0}, {0, 0, 1}));
    before = bodies.back();
  }
  const BodyHandle end =
      add_body(world, MotionType::Static, {{12, 4, 0}, {}}, shape_def(state::box({0.1f, 0.1f, 1})));
  world.create_joint(make_joint_def(world, JointKind::Hinge, before, end, {12, 4, 0}, {0, 0, 1}));
  return bodies;
}

TEST(JointPositionCorrection, HoldsABridgeHitByAHeavyBall) {
  World world{WorldOptions{}};
  add_bridge(world, 16);
  const BodyHandle ball = add_dynamic(world, {6.3, 7, 0.2}, state::sphere(0.5f));
  world.set_velocity(ball, {0, -6, 0}, {});
  for (int step = 0; step < 240; ++step) {
    world.step();
    expect_together(world, step);
  }
}

TEST(JointPositionCorrection, HoldsALightLinkWithAHeavyLoadInACollision) {
  World world{WorldOptions{}};
  const BodyHandle post = add_body(world, MotionType::Static, {{0, 5, 0}, {}},
                                   shape_def(state::box({0.1f, 0.1f, 0.1f})));
  const BodyHandle link = add_dynamic(world, {0, 4.5, 0}, state::capsule(0.3f, 0.05f));
  const BodyHandle load = add_dynamic(world, {0, 3.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  world.create_joint(make_joint_def(world, JointKind::Ball, post, link, {0, 4.9, 0}, {0, 1, 0}));
  world.create_joint(make_joint_def(world, JointKind::Fixed, link, load, {0, 4.05, 0}, {0, 1, 0}));
  const BodyHandle ram = add_dynamic(world, {-3, 3.6, 0.2}, state::box({0.5f, 0.5f, 0.5f}));
  world.set_velocity(ram, {12, 2, 0}, {});
  for (int step = 0; step < 180; ++step) {
    world.step();
    expect_together(world, step);
  }
}

// Position correction also holds limits.
TEST(JointPositionCorrection, KeepsAHingeWithinItsLimitsInAnImpact) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle arm = add_dynamic(world, {0, 3, 0}, state::box({0.4f, 0.1f, 0.1f}));
  const BodyHandle hand = add_dynamic(world, {0.8, 3, 0}, state::box({0.4f, 0.1f, 0.1f}));
  JointDef def = make_joint_def(world, JointKind::Hinge, arm, hand, {0.4, 3, 0}, {0, 0, 1});
  def.limits = {true, -0.1f, 0.1f};
  const JointHandle joint = world.create_joint(def);
  world.set_velocity(arm, {0, -8, 0}, {0, 0, 3});
  for (int step = 0; step < 180; ++step) {
    world.step();
    EXPECT_LE(math::abs_of(world.joint_state(joint).angle), 0.1f + lean) << "step " << step;
    expect_together(world, step);
  }
}

TEST(JointPositionCorrection, DoesNotMoveJointsWithoutError) {
  World world{WorldOptions{}};
  const BodyHandle post = add_body(world, MotionType::Static, {{0, 5, 0}, {}},
                                   shape_def(state::box({0.1f, 0.1f, 0.1f})));
  const BodyHandle weight = add_dynamic(world, {0, 4, 0}, state::box({0.2f, 0.2f, 0.2f}));
  world.create_joint(make_joint_def(world, JointKind::Ball, post, weight, {0, 5, 0}, {0, 1, 0}));
  for (int step = 0; step < 300; ++step)
    world.step();
  EXPECT_LE(length(world.pose(weight).position - math::Position{0, 4, 0}), 1e-4f);
}

// Each limb hits the wall at another time within the step and has turned far by then.
TEST(ContinuousCollision, StoppedRagdollsStayTogether) {
  WorldOptions options;
  options.gravity = {};
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(options);
    add_body(world, MotionType::Static, {{}, {}}, shape_def(state::box({1e-3f, 20, 20})));
    const float before = random.between(1, 4), yaw = random.between(0, 6);
    const std::vector<BodyHandle> parts = add_ragdoll(world, {-before, 0, 0}, yaw);
    const float speed = random.between(60, 200);
    for (const BodyHandle part : parts)
      world.set_velocity(part, {speed, 0, 0}, {});
    for (int step = 0; step < 30; ++step) {
      world.step();
      EXPECT_LE(worst_failure(world).gap, 0.08f) << "step " << step;
    }
    for (const BodyHandle part : parts)
      EXPECT_LT(world.pose(part).position.x, 0.0);
  }
}

}  // namespace
}  // namespace jostle::physics
