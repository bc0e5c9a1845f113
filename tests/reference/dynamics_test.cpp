#include "tests/reference/systems.h"

#include <gtest/gtest.h>

#include <array>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;

TEST(FreeBody, ChangesItsAngularMomentumOnlyByTorque) {
  base::Random random(11);
  for (int i = 0; i < 20; ++i) {
    Body body = random_body(random);
    body.torque = random_vector(random, 3);
    const Acceleration acceleration = free_acceleration(body);
    const auto momentum_at = [&](double t) {
      Body then = body;
      then.angular_velocity = body.angular_velocity + acceleration.angular * t;
      then.rotation = turned(body.rotation, body.angular_velocity, t);
      return times_inertia(then, then.angular_velocity);
    };
    const Vec3d rate = (momentum_at(1e-5) - momentum_at(-1e-5)) * (1 / 2e-5);
    EXPECT_LT(distance(rate, body.torque), 1e-6);
  }
}

/// A bar of a double pendulum. The second bar hangs from the lower end of the first.
struct Bar {
  double mass, half, inertia;  // kg, m, kg·m² about its centre
};
constexpr Vec3d bar_half{0.05, 0.5, 0.1};
Bar bar_of(double mass, double half) {
  return {mass, half, box_inertia(mass, {bar_half.x, half, bar_half.z}).cz.z};
}

struct Angles {
  double first = 0, second = 0;
};
struct DoublePendulum {
  Bar upper = bar_of(2, 0.5), lower = bar_of(1, 0.4);

  /// Returns the angular accelerations θ̈₁ and θ̈₂ from the Lagrangian L = T − V. Bar i has the
  /// mass mᵢ, half the length lᵢ, the inertia Jᵢ about its centre, and the angle θᵢ from straight
  /// down. I₁ = J₁ + m₁l₁², I₂ = J₂ + m₂l₂², L₁ = 2·l₁ and Δ = θ₁ − θ₂:
  ///
  ///   (I₁ + m₂L₁²)·θ̈₁ + m₂L₁l₂·cos Δ·θ̈₂ = −m₂L₁l₂·sin Δ·θ̇₂² − (m₁l₁ + m₂L₁)·g·sin θ₁
  ///   m₂L₁l₂·cos Δ·θ̈₁ + I₂·θ̈₂ = m₂L₁l₂·sin Δ·θ̇₁² − m₂l₂·g·sin θ₂
  Angles acceleration(Angles angle, Angles rate) const {
    const double reach = 2 * upper.half, mixed = lower.mass * reach * lower.half;
    const double difference = angle.first - angle.second;
    const double a11 =
        upper.inertia + upper.mass * upper.half * upper.half + lower.mass * reach * reach;
    const double a12 = mixed * std::cos(difference);
    const double a22 = lower.inertia + lower.mass * lower.half * lower.half;
    const double b1 = -mixed * std::sin(difference) * rate.second * rate.second -
                      (upper.mass * upper.half + lower.mass * reach) * g * std::sin(angle.first);
    const double b2 = mixed * std::sin(difference) * rate.first * rate.first -
                      lower.mass * lower.half * g * std::sin(angle.second);
    const double determinant = a11 * a22 - a12 * a12;
    return {(b1 * a22 - b2 * a12) / determinant, (a11 * b2 - a12 * b1) / determinant};
  }

  System system(Angles angle, Angles rate, JointKind elbow) const {
    System system;
    add(system, Body{});
    Vec3d pivot, velocity;
    const std::array<Bar, 2> bars{upper, lower};
    const std::array<double, 2> angles{angle.first, angle.second}, rates{rate.first, rate.second};
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3d down{std::sin(angles[i]), -std::cos(angles[i]), 0};
      const Vec3d turn{0, 0, rates[i]};
      Body body = box_body(bars[i].mass, {bar_half.x, bars[i].half, bar_half.z},
                           pivot + down * bars[i].half);
      body.rotation = about({0, 0, 1}, angles[i]);
      body.angular_velocity = turn;
      body.linear_velocity = velocity + cross(turn, down * bars[i].half);
      add(system, body);
      system.joints.push_back(
          make_joint_def(system, i == 0 ? JointKind::Hinge : elbow, i, i + 1, pivot, {0, 0, 1}));
      velocity = velocity + cross(turn, down * (2 * bars[i].half));
      pivot = pivot + down * (2 * bars[i].half);
    }
    return system;
  }

  /// Advances by `h` seconds with the classical Runge-Kutta method.
  void advance(Angles& angle, Angles& rate, double h) const {
    const auto plus = [](Angles x, Angles y, double s) {
      return Angles{x.first + s * y.first, x.second + s * y.second};
    };
    const Angles v1 = rate, a1 = acceleration(angle, v1);
    const Angles v2 = plus(rate, a1, h / 2), a2 = acceleration(plus(angle, v1, h / 2), v2);
    const Angles v3 = plus(rate, a2, h / 2), a3 = acceleration(plus(angle, v2, h / 2), v3);
    const Angles v4 = plus(rate, a3, h), a4 = acceleration(plus(angle, v3, h), v4);
    angle = plus(plus(plus(plus(angle, v1, h / 6), v2, h / 3), v3, h / 3), v4, h / 6);
    rate = plus(plus(plus(plus(rate, a1, h / 6), a2, h / 3), a3, h / 3), a4, h / 6);
  }
};

TEST(SolveMultipliers, MatchesLagrangesEquationsOfADoublePendulum) {
  const DoublePendulum pendulum;
  base::Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Angles angle{between(random, -3, 3), between(random, -3, 3)};
    const Angles rate{between(random, -5, 5), between(random, -5, 5)};
    const Angles expected = pendulum.acceleration(angle, rate);
    for (const JointKind elbow : {JointKind::Hinge, JointKind::Ball}) {
      const auto solved = solve_multipliers(pendulum.system(angle, rate, elbow), 0);
      ASSERT_TRUE(solved);
      EXPECT_NEAR(solved->accelerations[1].angular.z, expected.first, 1e-9);
      EXPECT_NEAR(solved->accelerations[2].angular.z, expected.second, 1e-9);
    }
  }
}

TEST(ReferenceStep, ConvergesAtFirstOrderForADoublePendulum) {
  const DoublePendulum pendulum;
  const Angles start{1.2, 0.5};
  constexpr double seconds = 0.5;
  Angles angle = start, rate;
  for (int i = 0; i < 1000; ++i)
    pendulum.advance(angle, rate, seconds / 1000);

  const Vec3d expected = pendulum.system(angle, rate, JointKind::Hinge).bodies[2].position;

  std::vector<double> errors;
  for (const int steps : {100, 200, 400}) {
    System system = pendulum.system(start, {}, JointKind::Hinge);
    StepOptions options;
    options.step_seconds = seconds / steps;
    options.solver.tolerance = 1e-8;
    for (int i = 0; i < steps; ++i)
      ASSERT_TRUE(step(system, options).has_converged);
    errors.push_back(distance(system.bodies[2].position, expected));
  }
  EXPECT_LT(errors[2], 0.05);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.3);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.15);
}

TEST(ReferenceStep, RemovesTheBaumgarteFractionOfAnErrorPerStep) {
  System system;
  add(system, Body{});
  add(system, box_body(2, {0.1, 0.2, 0.3}, {}));
  system.bodies[1].force = {};
  system.joints.push_back(make_joint_def(system, JointKind::Ball, 0, 1, {}, {1, 0, 0}));
  system.bodies[1].position = {0.1, -0.2, 0.3};
  StepOptions options;
  options.baumgarte = 0.25;
  for (int i = 1; i <= 5; ++i) {
    step(system, options);
    const double left = std::pow(0.75, i);
    EXPECT_LT(distance(system.bodies[1].position, Vec3d{0.1, -0.2, 0.3} * left), 1e-9) << i;
  }
}

TEST(SolveMultipliers, StabilisesErrorsAsADampedOscillator) {
  System system;
  add(system, Body{});
  add(system, box_body(2, {0.1, 0.2, 0.3}, {}));
  Joint rope = make_joint_def(system, JointKind::Distance, 0, 1, {}, {1, 0, 0});
  rope.rest = 1;
  system.joints.push_back(rope);
  const double error = 0.2, speed = -0.7, rate = 10;
  system.bodies[1].position = {0, -1 - error, 0};
  system.bodies[1].linear_velocity = {0, -speed, 0};
  const auto solved = solve_multipliers(system, rate);
  ASSERT_TRUE(solved);
  // The constraint function of the rope is C = |y| − 1.
  EXPECT_NEAR(-solved->accelerations[1].linear.y, -2 * rate * speed - rate * rate * error, 1e-9);
}

System ball_above(double gap, double speed, double restitution) {
  System system;
  add(system, Body{});
  add(system, make_body(2, {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, {0, 0.5 + gap, 0}));
  system.bodies[1].linear_velocity = {0, -speed, 0};
  system.contacts.push_back(contact_at(system, 0, 1, {0, 0.5 * gap, 0}, {0, 1, 0}, gap));
  system.contacts[0].restitution = restitution;
  return system;
}

TEST(ReferenceContact, BouncesWithTheRestitutionCoefficient) {
  System system = ball_above(0.01, 5, 0.6);
  step(system, {});
  EXPECT_NEAR(system.bodies[1].linear_velocity.y, 3, 1e-10);
}

TEST(ReferenceContact, DoesNotBounceBeforeTheSurfacesMeet) {
  System system = ball_above(0.1, 5, 0.6);
  step(system, {});
  EXPECT_NEAR(system.bodies[1].linear_velocity.y, -5, 1e-10)
      << "the ball moves 8 cm in this step and does not meet the surface";
}

TEST(ReferenceContact, DoesNotBounceBelowTheThreshold) {
  System system = ball_above(0, 0.9, 0.6);
  step(system, {});
  EXPECT_NEAR(system.bodies[1].linear_velocity.y, 0, 1e-10);
}

TEST(ReferenceContact, ClosesAGapWithoutOverlap) {
  System system = ball_above(0.01, 5, 0);
  step(system, {});
  EXPECT_NEAR(stand_of(system, system.contacts[0]).separation, 0, 1e-12);
  System slow = ball_above(0.01, 0.1, 0);
  EXPECT_EQ(step(slow, {}).normal_forces[0], 0)
      << "the ball is too slow to meet the surface in this step";
  EXPECT_NEAR(slow.bodies[1].linear_velocity.y, -0.1, 1e-15);
}

TEST(ReferenceContact, RemovesTheBaumgarteFractionOfAnOverlapPerStep) {
  System system = ball_above(-0.01, 0, 0);
  StepOptions options;
  options.baumgarte = 0.5;
  step(system, options);
  EXPECT_NEAR(stand_of(system, system.contacts[0]).separation, -0.005, 1e-12);
}

TEST(ReferenceMotor, AcceleratesWithItsTorqueUpToItsSpeed) {
  System system;
  add(system, Body{});
  const Vec3d half{0.3, 0.3, 0.1};
  add(system, box_body(2, half, {}));
  system.bodies[1].force = {};
  Joint hinge = make_joint_def(system, JointKind::Hinge, 0, 1, {}, {0, 0, 1});
  hinge.motor = Motor{4, 1.5};
  system.joints.push_back(hinge);
  const double gain = 1.5 / box_inertia(2, half).cz.z;  // rad/s²
  StepOptions options;
  for (int i = 1; i <= 60; ++i) {
    step(system, options);
    EXPECT_NEAR(system.bodies[1].angular_velocity.z, std::min(gain * i / 60, 4.0), 1e-9) << i;
  }
}

TEST(ReferenceLimit, StopsAMotorAndBalancesItsForce) {
  System system;
  add(system, Body{});
  add(system, box_body(2, {0.3, 0.3, 0.1}, {}));
  Joint slider = make_joint_def(system, JointKind::Slider, 0, 1, {}, {1, 0, 0});
  slider.motor = Motor{2, 50};
  slider.limits = Limits{-1, 0.5};
  system.joints.push_back(slider);
  StepReport report;
  for (int i = 0; i < 120; ++i)
    report = step(system, {});
  EXPECT_NEAR(system.bodies[1].position.x, 0.5, 1e-9);
  ASSERT_EQ(report.rows.size(), 8U);  // five equalities, motor, lower and upper limit
  EXPECT_NEAR(report.lambda[5] * 60, 50, 1e-6);
  EXPECT_EQ(report.lambda[6], 0);
  EXPECT_NEAR(report.lambda[7] * 60, 50, 1e-6);
  EXPECT_LT(distance(report.joint_wrenches[0].force, {0, 2 * g, 0}), 1e-6);
}

TEST(ReferenceLimit, ConeBalancesTheWeightOfALeaningBar) {
  // A bar leans sideways against its cone limit, whose torque must balance the weight.
  System system;
  add(system, Body{});
  const double lean = 0.5, half = 0.5, mass = 2;
  Body bar = box_body(mass, {0.05, half, 0.05}, {half * std::sin(lean), half * std::cos(lean), 0});
  bar.rotation = about({0, 0, -1}, lean);
  add(system, bar);
  // The x axis of frame a points up, that of frame b along the bar.
  Joint ball = make_joint_def(system, JointKind::Ball, 0, 1, {}, {0, 1, 0});
  ball.frame_b_local = ball.frame_a_local;
  ball.cone_angle = lean;
  system.joints.push_back(ball);
  const StepReport report = step(system, {});
  ASSERT_TRUE(report.has_converged);
  EXPECT_LT(length(report.accelerations[1].angular), 1e-6);
  EXPECT_NEAR(report.joint_wrenches[0].torque.z, mass * g * half * std::sin(lean), 1e-5);
}

TEST(ReferenceSpring, ConvergesToTheExactDampedOscillation) {
  const double hertz = 2, ratio = 0.1, omega = 2 * pi * hertz;
  const double damped = omega * std::sqrt(1 - ratio * ratio);
  std::vector<double> errors;
  for (const int steps : {250, 500, 1000}) {
    System system;
    add(system, Body{});
    add(system, box_body(2, {0.1, 0.1, 0.1}, {2.5, 0, 0}));
    system.bodies[1].force = {};
    Joint spring = make_joint_def(system, JointKind::Distance, 0, 1, {}, {1, 0, 0});
    spring.anchor_b_local = {};
    spring.rest = 2;
    spring.spring = Spring{hertz, ratio};
    system.joints.push_back(spring);
    StepOptions options;
    options.step_seconds = 0.5 / steps;
    double worst = 0;
    for (int i = 1; i <= steps; ++i) {
      step(system, options);
      const double t = i * options.step_seconds;
      const double x = 0.5 * std::exp(-ratio * omega * t) *
                       (std::cos(damped * t) + ratio * omega / damped * std::sin(damped * t));
      worst = std::max(worst, std::abs(system.bodies[1].position.x - 2 - x));
    }
    errors.push_back(worst);
  }
  EXPECT_LT(errors[2], 0.01);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.1);
}

TEST(ReferenceSpring, SagsUnderAWeightByTheInverseOfItsStiffness) {
  System system;
  add(system, Body{});
  add(system, box_body(2, {0.1, 0.1, 0.1}, {0, -1, 0}));
  Joint spring = make_joint_def(system, JointKind::Distance, 0, 1, {}, {0, -1, 0});
  spring.anchor_b_local = {};
  spring.rest = 1;
  spring.spring = Spring{2, 1};
  system.joints.push_back(spring);
  StepReport report;
  for (int i = 0; i < 240; ++i)
    report = step(system, {});
  const double omega = 4 * pi;
  EXPECT_NEAR(system.bodies[1].position.y, -1 - g / (omega * omega), 1e-6);
  EXPECT_LT(distance(report.joint_wrenches[0].force, {0, 2 * g, 0}), 1e-4);
}

}  // namespace
}  // namespace jostle::reference
