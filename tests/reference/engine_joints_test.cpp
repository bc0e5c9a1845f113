#include "tests/reference/worlds.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;

/// Positions and velocities of all bodies at one time. `turns` are the angular velocities.
struct Motion {
  std::vector<Vec3d> positions, velocities, turns;
};
Motion motion_of(const System& system) {
  Motion motion;
  for (const Body& body : system.bodies) {
    motion.positions.push_back(body.position);
    motion.velocities.push_back(body.linear_velocity);
    motion.turns.push_back(body.angular_velocity);
  }
  return motion;
}
/// Returns `first`·(1 − `share`) + `second`·`share`.
Motion mixed(const Motion& first, const Motion& second, double share) {
  Motion motion = first;
  const auto mix = [share](std::vector<Vec3d>& into, const std::vector<Vec3d>& other) {
    for (std::size_t i = 0; i < into.size(); ++i)
      into[i] = into[i] * (1 - share) + other[i] * share;
  };
  mix(motion.positions, second.positions);
  mix(motion.velocities, second.velocities);
  mix(motion.turns, second.turns);
  return motion;
}
/// Returns the largest difference of any position (m) or velocity (m/s, rad/s).
double difference(const Motion& a, const Motion& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    worst =
        std::max({worst, distance(a.positions[i], b.positions[i]),
                  distance(a.velocities[i], b.velocities[i]), distance(a.turns[i], b.turns[i])});
  }
  return worst;
}

/// A function that creates a world whose steps have 1/`share` of the default length.
using MakeWorld = World (*)(int share);

Motion engine_motion(MakeWorld make, int share, int ticks) {
  World world = make(share);
  scenes::run(world, ticks * share);
  return motion_of(extract_system(world).system);
}
Motion reference_motion(MakeWorld make, int share, int ticks) {
  const World world = make(share);
  System system = extract_system(world).system;
  StepOptions options = options_for(world);
  options.solver.tolerance = 1e-8;
  for (int i = 0; i < ticks * share; ++i) {
    EXPECT_TRUE(step(system, options).has_converged);
  }
  return motion_of(system);
}

/// Checks that the engine and the reference converge to the same motion, within the errors of their
/// steps. The error of each is estimated from runs with half the step.
///
/// The reference is of first order. The Richardson extrapolation 2·x(h/2) − x(h) is of second
/// order. If the step is halved, the change of the extrapolation exceeds its remaining error. The
/// engine is between first and second order, because its iterations over several joints stop before
/// they converge. If the error at half the step is at most two thirds of the error at the full
/// step, it is at most twice the change. The engine is compared at its default step and at half of
/// it. Shorter steps would not be more accurate, because the rounding errors of floats grow. `most`
/// is an upper bound of the tolerance, so that the test stays meaningful.
void expect_same_motion(MakeWorld make, int ticks, double most) {
  const Motion engine = engine_motion(make, 2, ticks);
  const double engine_change = difference(engine, engine_motion(make, 1, ticks));
  const Motion coarse = reference_motion(make, 16, ticks),
               middle = reference_motion(make, 32, ticks),
               finest = reference_motion(make, 64, ticks);
  const Motion limit = mixed(middle, finest, 2);
  const double reference_change = difference(mixed(coarse, middle, 2), limit);
  const double tolerance = 2 * engine_change + reference_change;
  EXPECT_LT(tolerance, most);
  EXPECT_LT(difference(engine, limit), tolerance);
}

World chain_of_three(int share) {
  World world(fine(share));
  BodyHandle above = add_anchor(world);
  for (int i = 0; i < 3; ++i) {
    const BodyHandle link = add_box(world, {0.25 + 0.5 * i, 0, 0}, ghost({0.25f, 0.04f, 0.06f}));
    world.create_joint(physics::make_joint_def(world, physics::JointKind::Ball, above, link,
                                               {0.5 * i, 0, 0}, {0, 0, 1}));
    above = link;
  }
  world.set_velocity(above, {0, 0, 1}, {0, -1, 0});
  return world;
}
TEST(EngineAgainstReference, MotionsOfAChainOfThreeLinksAgree) {
  expect_same_motion(chain_of_three, 20, 4e-3);
}

World motor_lifts_arm(int share) {
  World world(fine(share));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle arm = add_box(world, {0, -0.5, 0}, ghost({0.05f, 0.5f, 0.05f}));
  JointDef def =
      physics::make_joint_def(world, physics::JointKind::Hinge, anchor, arm, {}, {0, 0, 1});
  def.motor = {true, 3, 80};  // N·m; the weight of the horizontal arm needs 49
  def.limits = {true, -1, 1.2f};
  world.create_joint(def);
  return world;
}
TEST(EngineAgainstReference, MotionsOfAnArmLiftedByAMotorAgree) {
  expect_same_motion(motor_lifts_arm, 20, 1e-3);
}

TEST(EngineAgainstReference, ForcesOfAMotorAgainstItsLimitAgree) {
  World world = motor_lifts_arm(1);
  const JointHandle hinge = world.joints().front();
  scenes::run(world, 240);
  const physics::JointState state = world.joint_state(hinge);
  EXPECT_NEAR(state.angle, 1.2f, 1e-3f);
  System system = extract_system(world).system;
  const StepReport report = step(system, options_for(world));
  const Wrench expected = report.joint_wrenches[0];
  // By statics, the joint must balance the moment of the weight, 98 N at the lever of the arm, in
  // both methods. The tolerance covers the remaining motion of the arm and the rotation by the
  // limit's overlap within the step.
  EXPECT_LT(distance(math::widened(state.force), expected.force), 3e-4 * length(expected.force));
  EXPECT_LT(distance(math::widened(state.torque), expected.torque), 3e-4 * length(expected.torque));
  EXPECT_NEAR(expected.torque.z, 98.1 * 0.5 * std::sin(1.2), 0.02);
}

TEST(EngineAgainstReference, ForcesOfABarLeaningOnItsConeAgree) {
  World world(fine(1));
  const BodyHandle anchor = add_anchor(world);
  physics::BodyDef body;
  body.pose.position = {0, 0.5, 0};
  body.angular_damping = 3;  // no effect on a body at rest
  const BodyHandle bar = world.create_body(body);
  world.add_shape(bar, ghost({0.05f, 0.5f, 0.08f}));
  JointDef def =
      physics::make_joint_def(world, physics::JointKind::Ball, anchor, bar, {}, {0, 1, 0});
  def.cone = {true, 0.6f};
  const JointHandle ball = world.create_joint(def);
  world.set_velocity(bar, {0.1f, 0, 0.05f}, {0.1f, 0, -0.2f});
  scenes::run(world, 600);
  const physics::JointState state = world.joint_state(ball);
  EXPECT_NEAR(state.swing, 0.6f, 1e-3f);
  System system = extract_system(world).system;
  const Wrench expected = step(system, options_for(world)).joint_wrenches[0];
  const double weight = static_cast<double>(world.mass(bar)) * g;
  EXPECT_NEAR(length(expected.torque), weight * 0.5 * std::sin(0.6), 1e-3 * weight);
  EXPECT_LT(distance(math::widened(state.force), expected.force), 1e-3 * weight);
  EXPECT_LT(distance(math::widened(state.torque), expected.torque), 1e-3 * weight);
}

World bob_on_spring(int share) {
  World world(fine(share));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle bob = add_box(world, {1, 0, 0}, ghost({0.1f, 0.1f, 0.1f}));
  JointDef def = physics::make_distance_joint_def(world, anchor, bob, {}, {1, 0, 0});
  def.spring = {true, 2, 0.2f};
  world.create_joint(def);
  world.set_velocity(bob, {1, 0, 1}, {});
  return world;
}
TEST(EngineAgainstReference, MotionsOfABobOnASpringAgree) {
  expect_same_motion(bob_on_spring, 30, 1e-3);
}

TEST(EngineAgainstReference, ForcesOfASpringWithAHangingBobAgree) {
  World world(fine(1));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle bob = add_box(world, {0, -1, 0}, ghost({0.1f, 0.1f, 0.1f}));
  JointDef def = physics::make_distance_joint_def(world, anchor, bob, {}, {0, -1, 0});
  def.spring = {true, 2, 0.7f};
  const JointHandle spring = world.create_joint(def);
  scenes::run(world, 600);
  System system = extract_system(world).system;
  const Vec3d expected = step(system, options_for(world)).joint_wrenches[0].force;
  // At the same length, the forces of the two springs differ by up to (ω·h)², where ω is the
  // angular frequency of the spring and h the length of a substep. The reason is that the engine's
  // spring matches the poles of the motion and not the static stiffness.
  const double angle = 4 * pi * step_of(world) / world.options().substeps;
  const Vec3d force = math::widened(world.joint_state(spring).force);
  EXPECT_LT(distance(force, expected), angle * angle * length(expected));
  EXPECT_NEAR(force.y, static_cast<double>(world.mass(bob)) * g, 1e-3);
}

class EngineJointAgainstReference : public ::testing::TestWithParam<physics::JointKind> {};

/// The engine reports the mean force of a joint over the step. The mean of the reference's
/// multipliers before and after the step equals this force to second order in the step.
TEST_P(EngineJointAgainstReference, ForcesEqualTheLagrangeMultipliers) {
  World world(fine(8));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle body = add_box(world, {0.6, 0, 0}, ghost({0.5f, 0.1f, 0.2f}));
  JointDef def = physics::make_joint_def(world, GetParam(), anchor, body, {}, {0, 0.6f, 0.8f});
  if (def.kind == physics::JointKind::Distance) {
    def = physics::make_distance_joint_def(world, anchor, body, {}, {0.2, 0.1, 0});
  }
  const JointHandle joint = world.create_joint(def);
  if (GetParam() != physics::JointKind::Fixed && GetParam() != physics::JointKind::Slider) {
    const math::Vec3 turn{0, 1.8f, 2.4f};
    world.set_velocity(body, cross(turn, math::Vec3{0.6f, 0, 0}), turn);
  }
  const auto multipliers = [&] {
    const System system = extract_system(world).system;
    const auto solved = solve_multipliers(system, 0);
    EXPECT_TRUE(solved);
    return joint_wrench(system, *solved, 0);
  };
  double worst_force = 0, worst_torque = 0, largest = 0;
  for (int i = 0; i < 240; ++i) {
    const Wrench before = multipliers();
    world.step();
    const Wrench after = multipliers();
    const physics::JointState state = world.joint_state(joint);
    const Vec3d force = (before.force + after.force) * 0.5;
    worst_force = std::max(worst_force, distance(math::widened(state.force), force));
    worst_torque = std::max(
        worst_torque, distance(math::widened(state.torque), (before.torque + after.torque) * 0.5));
    largest = std::max(largest, length(force));
  }
  // The angular velocity is at most 7 rad/s and the step 1/480 s, so (ω·h)² is 2e-4.
  EXPECT_GT(largest, 600);
  EXPECT_LT(worst_force, 5e-4 * largest);
  EXPECT_LT(worst_torque, 5e-4 * largest);
}
INSTANTIATE_TEST_SUITE_P(Kinds, EngineJointAgainstReference,
                         ::testing::Values(JointKind::Ball, JointKind::Hinge, JointKind::Slider,
                                           JointKind::Fixed, JointKind::Distance));

}  // namespace
}  // namespace jostle::reference
