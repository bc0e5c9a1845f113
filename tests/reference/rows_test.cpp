#include "tests/reference/systems.h"

#include <gtest/gtest.h>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;

TEST(Rotation, AngleOfMatchesAtan2) {
  EXPECT_EQ(angle_of(0, 0), 0);
  EXPECT_DOUBLE_EQ(angle_of(0, -1), pi);
  for (int i = -1000; i <= 1000; ++i) {
    const double angle = i * pi / 1000;
    const double y = 3 * std::sin(angle), x = 3 * std::cos(angle);
    ASSERT_NEAR(angle_of(y, x), std::atan2(y, x), 1e-15 * 8) << angle;
  }
}

TEST(Rotation, ManySmallTurnsAddUpToALargeOne) {
  Rotation q;
  const Vec3d omega{0.6, 0, 0.8};  // 1 rad/s
  for (int i = 0; i < 1000; ++i)
    q = turned(q, omega, 1e-3);
  const Rotation expected = about(omega, 1);
  // Each step has an error of (|ω|h)³/12.
  EXPECT_NEAR(q.x, expected.x, 1e-7);
  EXPECT_NEAR(q.z, expected.z, 1e-7);
  EXPECT_NEAR(q.w, expected.w, 1e-7);
}

/// Returns two random bodies that do not satisfy the constraints of the joint between them.
System random_pair(JointKind kind, base::Random& random) {
  System system;
  add(system, random_body(random));
  add(system, random_body(random));
  const Vec3d axis = random_vector(random, 1);
  Joint joint =
      make_joint_def(system, kind, 0, 1, random_vector(random, 1), axis * (1 / length(axis)));
  joint.anchor_a_local = joint.anchor_a_local + random_vector(random, 0.3);
  // The frames differ by about half a radian.
  Rotation lean = random_rotation(random);
  lean.w += 2;
  joint.frame_b_local = joint.frame_b_local * to_matrix(normalized(lean));
  system.joints.push_back(joint);
  return system;
}

/// Returns the system after its bodies have moved with constant velocities for `t` seconds.
System moved(System system, double t) {
  for (Body& body : system.bodies) {
    body.position = body.position + body.linear_velocity * t;
    body.rotation = turned(body.rotation, body.angular_velocity, t);
  }
  return system;
}

class RowsOfEachJointKind : public ::testing::TestWithParam<JointKind> {
 protected:
  /// Returns a system without limits for even seeds and with limits for odd ones.
  static System system_of(std::uint64_t seed) {
    base::Random random(seed);
    System system = random_pair(GetParam(), random);
    if (seed % 2 == 1) {
      system.joints[0].limits = Limits{0.1, 0.4};
      system.joints[0].cone_angle = 0.2;
    }
    return system;
  }
};

/// Step of central differences, in s. Their error is `tick`²/6 times the third derivative.
constexpr double tick = 1e-5;

TEST_P(RowsOfEachJointKind, TimesVelocityEqualTheRatesOfTheErrors) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    const System system = system_of(seed);
    const auto before = joint_rows(moved(system, -tick)), after = joint_rows(moved(system, tick));
    const std::vector<Row> rows = joint_rows(system);
    ASSERT_GE(rows.size(), 1U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double rate = (after[i].error - before[i].error) / (2 * tick);
      EXPECT_NEAR(speed_of(system, rows[i]), rate, 2e-5) << "row " << i;
    }
  }
}

TEST_P(RowsOfEachJointKind, RateOfJacobianMatchesFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    const System system = system_of(seed);
    const System before = moved(system, -tick), after = moved(system, tick);
    const auto rows_before = joint_rows(before), rows_after = joint_rows(after);
    const std::vector<Row> rows = joint_rows(system);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double rate =
          (speed_of(after, rows_after[i]) - speed_of(before, rows_before[i])) / (2 * tick);
      EXPECT_NEAR(rows[i].rate_of_jacobian, rate, 2e-4) << "row " << i;
    }
  }
}

TEST_P(RowsOfEachJointKind, ConserveLinearAndAngularMomentum) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    System system = system_of(seed);
    // Most joints conserve angular momentum only if their anchors are at the same point. Distance
    // joints and sliders conserve it in any position.
    if (GetParam() != JointKind::Distance && GetParam() != JointKind::Slider) {
      const Body& b = system.bodies[1];
      Joint& joint = system.joints[0];
      joint.anchor_b_local = to_local(b, anchor_a_of(system, joint) - b.position);
    }
    for (const Row& row : joint_rows(system)) {
      EXPECT_LT(length(row.linear_a + row.linear_b), 1e-14);
      const Vec3d moment = cross(system.bodies[0].position, row.linear_a) + row.angular_a +
                           cross(system.bodies[1].position, row.linear_b) + row.angular_b;
      EXPECT_LT(length(moment), 1e-13);
    }
  }
}

TEST_P(RowsOfEachJointKind, ConstrainTheRightNumberOfDegreesOfFreedom) {
  base::Random random(5);
  const std::vector<std::size_t> held{3, 5, 5, 6, 1};
  const System system = random_pair(GetParam(), random);
  EXPECT_EQ(joint_rows(system).size(), held[static_cast<std::size_t>(GetParam())]);
  EXPECT_TRUE(solve_multipliers(system, 0)) << "no row must be redundant";
}

INSTANTIATE_TEST_SUITE_P(Kinds, RowsOfEachJointKind,
                         ::testing::Values(JointKind::Ball, JointKind::Hinge, JointKind::Slider,
                                           JointKind::Fixed, JointKind::Distance));

TEST(ContactRows, NormalRowTimesVelocityEqualsTheRateOfSeparation) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    base::Random random(seed);
    System system;
    add(system, random_body(random));
    add(system, random_body(random));
    if (seed % 2 == 1) system.bodies[1].inverse_mass = 0;  // the surface of body b is fixed
    const Vec3d normal = random_vector(random, 1);
    system.contacts.push_back(
        contact_at(system, 0, 1, random_vector(random, 1), normal * (1 / length(normal)), 0));
    const Row row = contact_rows(system)[0];
    const double rate =
        (contact_rows(moved(system, tick))[0].error - contact_rows(moved(system, -tick))[0].error) /
        (2 * tick);
    EXPECT_NEAR(speed_of(system, row), rate, 1e-6) << seed;
  }
}

TEST(ContactRows, NormalAndTangentsAreOrthonormal) {
  base::Random random(3);
  System system;
  add(system, random_body(random));
  add(system, random_body(random));
  system.contacts.push_back(contact_at(system, 0, 1, {0.1, 0.2, 0.3}, {0.6, 0, -0.8}, -0.01));
  const std::vector<Row> rows = contact_rows(system);
  ASSERT_EQ(rows.size(), rows_per_contact);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(dot(rows[i].linear_b, rows[j].linear_b), i == j ? 1 : 0, 1e-14);
  }
  EXPECT_NEAR(rows[0].error, -0.01, 1e-15);
}

TEST(ContactRows, KeepTheNormalOfTheFixedSurface) {
  // If a box on the ground turns, its corner moves, but the normal of the contact remains the
  // normal of the ground. This holds for both orders of the two bodies.
  for (const bool is_box_first : {true, false}) {
    System system;
    const std::size_t ground = add(system, Body{});
    const std::size_t box = add(system, box_body(1, {0.5, 0.5, 0.5}, {0, 0.5, 0}));
    const Vec3d up{0, 1, 0}, corner{0.5, 0, 0};
    system.contacts.push_back(is_box_first ? contact_at(system, box, ground, corner, -up, 0)
                                           : contact_at(system, ground, box, corner, up, 0));
    system.bodies[box].rotation = about({0, 0, 1}, 0.2);
    const ContactStand stand = stand_of(system, system.contacts[0]);
    EXPECT_LT(distance(stand.normal, is_box_first ? -up : up), 1e-14);
    const double height = 0.5 + 0.5 * std::sin(0.2) - 0.5 * std::cos(0.2);
    EXPECT_NEAR(stand.separation, height, 1e-14);
    const double x = 0.5 * std::cos(0.2) + 0.5 * std::sin(0.2);
    EXPECT_LT(distance(stand.point, {x, height / 2, 0}), 1e-14);
  }
}

TEST(JointRows, MeasureTwistAndSwing) {
  System system;
  add(system, Body{});
  add(system, box_body(1, {0.1, 0.1, 0.1}, {}));
  Joint ball = make_joint_def(system, JointKind::Ball, 0, 1, {}, {0, 0, 1});
  ball.cone_angle = 1.0;
  system.joints.push_back(ball);
  // The rotation is a twist about the axis, then a swing about a perpendicular axis.
  for (const double twist : {-3.0, -1.0, 0.0, 0.7, 2.5}) {
    for (const double swing : {0.0, 0.4, 1.2}) {
      system.bodies[1].rotation = about({0.6, 0.8, 0}, swing) * about({0, 0, 1}, twist);
      EXPECT_NEAR(value_of(system, system.joints[0]), twist, 1e-14);
      EXPECT_NEAR(joint_rows(system).back().error, 1.0 - swing, 1e-14);
    }
  }
  // With limits, the returned angle is the one nearest to their middle among all angles that differ
  // by full turns.
  system.joints[0].limits = Limits{3, 4};
  system.bodies[1].rotation = about({0, 0, 1}, -3);
  EXPECT_NEAR(value_of(system, system.joints[0]), 2 * pi - 3, 1e-14);
}

/// Returns the kinds of the rows of a joint with the spring, motor and limits of `extras`.
std::vector<RowKind> kinds_of(JointKind kind, const Joint& extras) {
  System system;
  add(system, Body{});
  add(system, box_body(1, {0.1, 0.2, 0.3}, {1, 0, 0}));
  Joint joint = make_joint_def(system, kind, 0, 1, {}, {1, 0, 0});
  joint.anchor_b_local = kind == JointKind::Distance ? Vec3d{} : joint.anchor_b_local;
  joint.rest = extras.rest;
  joint.limits = extras.limits;
  joint.spring = extras.spring;
  joint.motor = extras.motor;
  system.joints.push_back(joint);
  std::vector<RowKind> kinds;
  for (const Row& row : joint_rows(system))
    kinds.push_back(row.kind);
  return kinds;
}

TEST(JointRows, IncludeOnlyTheRowsThatTheKindSupports) {
  constexpr RowKind equality = RowKind::Equality, limit = RowKind::Limit;
  using Kinds = std::vector<RowKind>;
  Joint driven;
  driven.spring = Spring{1, 1};
  driven.motor = Motor{1, 1};
  EXPECT_EQ(kinds_of(JointKind::Ball, driven), Kinds(3, equality))
      << "a ball joint has no spring and no motor";
  EXPECT_EQ(kinds_of(JointKind::Fixed, driven), Kinds(6, equality));
  EXPECT_EQ(kinds_of(JointKind::Distance, driven), (Kinds{RowKind::Spring, RowKind::Motor}));
  Joint motor;
  motor.motor = Motor{1, 1};
  EXPECT_EQ(kinds_of(JointKind::Distance, motor), Kinds{RowKind::Motor})
      << "a motor must replace the rigid distance";
  Joint rope;
  rope.limits = Limits{0, 2};
  EXPECT_EQ(kinds_of(JointKind::Distance, rope), Kinds{limit}) << "a lower limit of 0 needs no row";
  rope.limits = Limits{0.5, 2};
  EXPECT_EQ(kinds_of(JointKind::Distance, rope), (Kinds{limit, limit}));
}

TEST(JointRows, ScaleSpringStiffnessWithTheEffectiveMass) {
  // The rod turns about its end, so its spring moves the inertia I + m·l², where l is half the
  // length of the rod.
  System system;
  add(system, Body{});
  const double mass = 2, half = 0.5;
  add(system, box_body(mass, {half, 0.05, 0.05}, {half, 0, 0}));
  Joint hinge = make_joint_def(system, JointKind::Hinge, 0, 1, {}, {0, 0, 1});
  hinge.spring = Spring{3, 0.25};
  system.joints.push_back(hinge);
  const Row row = joint_rows(system).back();
  ASSERT_EQ(row.kind, RowKind::Spring);
  const double inertia = box_inertia(mass, {half, 0.05, 0.05}).cz.z + mass * half * half;
  const double omega = 2 * pi * 3;
  EXPECT_NEAR(row.stiffness, inertia * omega * omega, 1e-9 * row.stiffness);
  EXPECT_NEAR(row.damping, 2 * inertia * 0.25 * omega, 1e-9 * row.damping);
}

}  // namespace
}  // namespace jostle::reference
