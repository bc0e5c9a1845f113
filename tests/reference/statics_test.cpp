#include "tests/reference/systems.h"

#include <gtest/gtest.h>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;

constexpr Vec3d half{0.5, 0.1, 0.5};
constexpr double mass = 3;
constexpr double weight = mass * g;

System box_on_ground(double friction) {
  System system;
  add(system, Body{});
  add(system, box_body(mass, half, {0, half.y, 0}));
  add_feet(system, 0, 1, half, friction);
  return system;
}

TEST(ReferenceBox, RestsEquallyOnItsFourCorners) {
  System system = box_on_ground(0.5);
  const StepReport report = step(system, {});
  ASSERT_TRUE(report.has_converged);
  // Statics gives three equations for the four forces, so it determines only their sum.
  // Gauss-Seidel from zero ends at equal forces.
  double sum = 0;
  for (const double force : report.normal_forces) {
    EXPECT_NEAR(force, weight / 4, 1e-9 * weight);
    sum += force;
  }
  EXPECT_NEAR(sum, weight, 1e-7 * weight);
  EXPECT_LT(length(system.bodies[1].linear_velocity), 1e-10);
  EXPECT_LT(length(system.bodies[1].angular_velocity), 1e-10);
}

TEST(ReferenceBox, CentreOfPressureMovesWithTheTorque) {
  System system = box_on_ground(0.5);
  const double moved = 0.3;  // m along +x, by a torque about −z
  system.bodies[1].torque = {0, 0, -weight * moved};
  const StepReport report = step(system, {});
  double sum = 0, centre_x = 0, centre_z = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3d point = stand_of(system, system.contacts[i]).point;
    sum += report.normal_forces[i];
    centre_x += report.normal_forces[i] * point.x;
    centre_z += report.normal_forces[i] * point.z;
  }
  EXPECT_NEAR(sum, weight, 1e-7 * weight);
  EXPECT_NEAR(centre_x / sum, moved, 1e-8);
  EXPECT_NEAR(centre_z / sum, 0, 1e-8);
}

TEST(ReferenceBox, TopplesOverItsEdge) {
  System system = box_on_ground(0.5);
  system.bodies[1].torque = {0, 0, -weight * (half.x + 0.01)};
  const StepReport report = step(system, {});
  EXPECT_LT(system.bodies[1].angular_velocity.z, -1e-4);
  EXPECT_EQ(report.normal_forces[0], 0) << "corner at −x";
  EXPECT_EQ(report.normal_forces[1], 0);
}

/// Turns the weight of the box instead of the floor, as if the floor were a slope with the angle
/// `slope`. The slope descends towards `direction`, an angle from +x towards +z. Both angles are in
/// rad.
void lean_gravity(System& system, double slope, double direction) {
  const double along = weight * std::sin(slope);
  system.bodies[1].force = {along * std::cos(direction), -weight * std::cos(slope),
                            along * std::sin(direction)};
}

class ReferenceSlope : public ::testing::TestWithParam<int> {};

TEST_P(ReferenceSlope, HoldsABoxBelowTheFrictionAngle) {
  const double direction = GetParam() * pi / 6, slope = std::atan(0.5) - 0.01;
  System system = box_on_ground(0.5);
  lean_gravity(system, slope, direction);
  const StepReport report = step(system, {});
  ASSERT_TRUE(report.has_converged);
  EXPECT_LT(length(system.bodies[1].linear_velocity), 1e-9);
  Vec3d force;
  for (const Wrench& wrench : report.contact_wrenches)
    force = force + wrench.force;
  EXPECT_LT(length(force + system.bodies[1].force), 1e-6 * weight);
}

TEST_P(ReferenceSlope, LetsABoxSlideAboveTheFrictionAngle) {
  const double direction = GetParam() * pi / 6, slope = std::atan(0.5) + 0.2;
  System system = box_on_ground(0.5);
  lean_gravity(system, slope, direction);
  const StepReport report = step(system, {});
  ASSERT_TRUE(report.has_converged);
  const double expected = g * (std::sin(slope) - 0.5 * std::cos(slope));
  const Vec3d acceleration = report.accelerations[1].linear;
  EXPECT_NEAR(acceleration.x, expected * std::cos(direction), 1e-7);
  EXPECT_NEAR(acceleration.y, 0, 1e-7);
  EXPECT_NEAR(acceleration.z, expected * std::sin(direction), 1e-7);
  EXPECT_LT(length(report.accelerations[1].angular), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Directions, ReferenceSlope, ::testing::Range(0, 12));

TEST(FrictionPyramid, HoldsASteeperSlopeAlongTheDiagonal) {
  // If the tangent of the slope is between μ and √2·μ, the box slides by Coulomb's law. The
  // pyramid, however, prevents sliding along the diagonal of its tangents.
  const double slope = std::atan(0.5 * 1.2);
  StepOptions pyramid;
  pyramid.friction_model = FrictionModel::Pyramid;
  System straight = box_on_ground(0.5), across = box_on_ground(0.5), cone = box_on_ground(0.5);
  lean_gravity(straight, slope, 0);
  lean_gravity(across, slope, pi / 4);
  lean_gravity(cone, slope, pi / 4);
  step(straight, pyramid);
  step(across, pyramid);
  step(cone, {});
  EXPECT_GT(length(straight.bodies[1].linear_velocity), 1e-3);
  EXPECT_LT(length(across.bodies[1].linear_velocity), 1e-9);
  EXPECT_GT(length(cone.bodies[1].linear_velocity), 1e-3);
}

/// Returns a box along x that is connected to a fixed body at one end. The joint is of the given
/// kind and has its axis along z.
System rod_on(JointKind kind, Vec3d rod_half) {
  System system;
  add(system, Body{});
  add(system, box_body(mass, rod_half, {rod_half.x, 0, 0}));
  system.joints.push_back(make_joint_def(system, kind, 0, 1, {}, {0, 0, 1}));
  return system;
}

TEST(SolveMultipliers, HingeBearsAQuarterOfAFallingRodsWeight) {
  const Vec3d rod{0.8, 1e-4, 1e-4};
  const System system = rod_on(JointKind::Hinge, rod);
  const auto solved = solve_multipliers(system, 0);
  ASSERT_TRUE(solved);
  // When a slender horizontal rod of length L is released, α = 3g/(2L), and the pivot bears m·g/4.
  EXPECT_NEAR(solved->accelerations[1].angular.z, -1.5 * g / 1.6, 1e-6);
  const Wrench wrench = joint_wrench(system, *solved, 0);
  EXPECT_NEAR(wrench.force.y, weight / 4, 1e-6 * weight);
  EXPECT_LT(length(wrench.torque), 1e-9);
}

TEST(SolveMultipliers, HingeGivesTheCentripetalForceOfASpinningRod) {
  System system = rod_on(JointKind::Hinge, {0.8, 0.1, 0.2});
  system.bodies[1].force = {};
  system.bodies[1].angular_velocity = {0, 0, 5};
  system.bodies[1].linear_velocity = {0, 0.8 * 5, 0};
  const auto solved = solve_multipliers(system, 0);
  ASSERT_TRUE(solved);
  const Wrench wrench = joint_wrench(system, *solved, 0);
  EXPECT_LT(distance(wrench.force, {-mass * 25 * 0.8, 0, 0}), 1e-9);
}

TEST(SolveMultipliers, FixedJointBearsForceAndMomentOfABeam) {
  const System system = rod_on(JointKind::Fixed, {0.8, 0.1, 0.2});
  const auto solved = solve_multipliers(system, 0);
  ASSERT_TRUE(solved);
  const Wrench wrench = joint_wrench(system, *solved, 0);
  EXPECT_LT(distance(wrench.force, {0, weight, 0}), 1e-9);
  EXPECT_LT(distance(wrench.torque, {0, 0, weight * 0.8}), 1e-9);
}

TEST(SolveMultipliers, SliderBearsTheForceAcrossItsRail) {
  const double slope = 0.4;
  const Vec3d along{std::cos(slope), -std::sin(slope), 0}, up{std::sin(slope), std::cos(slope), 0};
  System system;
  add(system, Body{});
  add(system, box_body(mass, {0.2, 0.1, 0.3}, {2, 1, 0}));
  const Vec3d anchor{1.7, 0.8, 0.4};
  system.joints.push_back(make_joint_def(system, JointKind::Slider, 0, 1, anchor, along));
  // The slider has already moved, so its anchors are apart.
  system.bodies[1].position = system.bodies[1].position + along * 0.7;
  system.bodies[1].linear_velocity = along * 3;
  const auto solved = solve_multipliers(system, 0);
  ASSERT_TRUE(solved);
  EXPECT_LT(distance(solved->accelerations[1].linear, along * (g * std::sin(slope))), 1e-9);
  EXPECT_LT(length(solved->accelerations[1].angular), 1e-9);
  const Wrench wrench = joint_wrench(system, *solved, 0);
  const Vec3d force = up * (weight * std::cos(slope));
  EXPECT_LT(distance(wrench.force, force), 1e-8);
  // The force has no moment about the centre of mass.
  EXPECT_LT(distance(wrench.torque, -cross(anchor - Vec3d{2, 1, 0}, force)), 1e-8);
}

TEST(ReferenceStep, BeamLoadsItsSupportsByTheLeverRule) {
  const double span = 4, load = 2, at = 1.0;  // m, kg, m from the left end
  System system;
  add(system, Body{});
  add(system, box_body(mass, {span / 2, 0.1, 0.3}, {span / 2, 0, 0}));
  add(system, box_body(load, {0.1, 0.1, 0.1}, {at, 0.2, 0}));
  system.joints.push_back(make_joint_def(system, JointKind::Hinge, 0, 1, {}, {0, 0, 1}));
  system.joints.push_back(make_joint_def(system, JointKind::Fixed, 1, 2, {at, 0.1, 0}, {0, 1, 0}));
  system.contacts.push_back(contact_at(system, 0, 1, {span, -0.1, 0}, {0, 1, 0}, 0));
  const StepReport report = step(system, {});
  ASSERT_TRUE(report.has_converged);
  const double right = weight / 2 + load * g * at / span;
  EXPECT_NEAR(report.normal_forces[0], right, 1e-5);
  const Vec3d left{0, weight + load * g - right, 0};
  EXPECT_LT(distance(report.joint_wrenches[0].force, left), 1e-5);
  EXPECT_LT(distance(report.joint_wrenches[1].force, {0, load * g, 0}), 1e-5);
}

// Two bars between two abutments meet above the middle, with a pin at each end and at the crown.
// With the span L, the rise f and the weight W of one bar, the moments about the crown give the
// thrust H: W·L/2 = W·L/4 + H·f.
TEST(SolveMultipliers, ThreePinArchThrustsItsAbutments) {
  const double span = 6, rise = 1.5;
  const double length_of_bar = std::sqrt(span * span / 4 + rise * rise);
  System system;
  add(system, Body{});
  const double angle = std::atan2(rise, span / 2);
  for (const int side : {1, -1}) {
    Body bar = box_body(mass, {length_of_bar / 2, 0.05, 0.1}, {side * -span / 4, rise / 2, 0});
    bar.rotation = about({0, 0, 1}, side * angle);
    add(system, bar);
  }
  const Vec3d z{0, 0, 1};
  system.joints.push_back(make_joint_def(system, JointKind::Hinge, 0, 1, {-span / 2, 0, 0}, z));
  system.joints.push_back(make_joint_def(system, JointKind::Ball, 0, 2, {span / 2, 0, 0}, z));
  system.joints.push_back(make_joint_def(system, JointKind::Ball, 1, 2, {0, rise, 0}, z));
  const auto solved = solve_multipliers(system, 0);
  ASSERT_TRUE(solved);
  const double thrust = weight * span / (4 * rise);
  EXPECT_LT(distance(joint_wrench(system, *solved, 0).force, {thrust, weight, 0}), 1e-8);
  EXPECT_LT(distance(joint_wrench(system, *solved, 1).force, {-thrust, weight, 0}), 1e-8);
  EXPECT_LT(distance(joint_wrench(system, *solved, 2).force, {thrust, 0, 0}), 1e-8);
  EXPECT_LT(length(solved->accelerations[1].linear), 1e-9);
}

TEST(SolveMultipliers, RedundantHingesOfADoorShareItsWeight) {
  System system;
  add(system, Body{});
  add(system, box_body(mass, {0.4, 1, 0.02}, {0.4, 0, 0}));
  for (const double y : {0.8, -0.8})
    system.joints.push_back(make_joint_def(system, JointKind::Hinge, 0, 1, {0, y, 0}, {0, 1, 0}));
  const auto direct = solve_multipliers(system, 0);
  ASSERT_FALSE(direct);
  EXPECT_EQ(direct.error().joint, 1U);
  EXPECT_EQ(direct.error().row_of_joint, 0U);

  const Multipliers shared = solve_multipliers_least_norm(system, 0);
  EXPECT_LT(length(shared.accelerations[1].linear), 1e-9);
  EXPECT_LT(length(shared.accelerations[1].angular), 1e-9);
  const Wrench upper = joint_wrench(system, shared, 0), lower = joint_wrench(system, shared, 1);
  EXPECT_NEAR(upper.force.y, weight / 2, 1e-7);
  EXPECT_NEAR(lower.force.y, weight / 2, 1e-7);
  // The upper hinge pulls the door towards the wall, and the lower one pushes it away with the same
  // force. The rotational rows of the hinges bear a part of the moment.
  EXPECT_LT(upper.force.x, -0.01 * weight);
  EXPECT_NEAR(upper.force.x, -lower.force.x, 1e-7);
}

}  // namespace
}  // namespace jostle::reference
