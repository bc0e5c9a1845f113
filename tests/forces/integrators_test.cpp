#include "shared/forces/integrators.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::forces {
namespace {

using math::Vec3;
using math::Vec3d;
using State = MotionState<Vec3d>;

constexpr double h = 0.1;

/// Returns the acceleration of a harmonic oscillator with 1 rad/s.
Vec3d spring(Vec3d x, Vec3d, double) {
  return -x;
}

State step_of(Integrator integrator) {
  return advanced(integrator, State{{1, 0, 0}, {0, 2, 0}}, 0, h, spring);
}

TEST(Integrators, StepsMatchTheTextbookFormulas) {
  const auto expect = [](Integrator integrator, Vec3d x, Vec3d v) {
    const State s = step_of(integrator);
    EXPECT_LT(length(s.position - x) + length(s.velocity - v), 1e-12)
        << static_cast<int>(integrator);
  };
  expect(Integrator::ExplicitEuler, {1, 0.2, 0}, {-0.1, 2, 0});
  expect(Integrator::SemiImplicitEuler, {0.99, 0.2, 0}, {-0.1, 2, 0});
  // Backward Euler solves v = v₀ − h·(x₀ + h·v).
  const Vec3d back{-0.1 / 1.01, 2 / 1.01, 0};
  expect(Integrator::BackwardEuler, Vec3d{1, 0, 0} + back * h, back);
  expect(Integrator::Midpoint, {0.995, 0.2, 0}, {-0.1, 1.99, 0});
  expect(Integrator::PositionVerlet, {0.995, 0.1 + 0.05 * 1.99, 0}, {-0.1, 1.99, 0});
  expect(Integrator::VelocityVerlet, {0.995, 0.2, 0}, {-0.05 - 0.04975, 1.99, 0});
  const double c = 1 - h * h / 2 + h * h * h * h / 24, s = h - h * h * h / 6;
  expect(Integrator::RungeKutta4, {c, 2 * s, 0}, {-s, 2 * c, 0});
}

/// Returns the energy after 100 periods of 60 steps, as a fraction of the initial energy.
double energy_share(Integrator integrator) {
  State s{{1, 0, 0}, {}};
  for (int i = 0; i < 6'000; ++i)
    s = advanced(integrator, s, 0, 2 * 3.14159265358979 / 60, spring);
  return dot(s.position, s.position) + dot(s.velocity, s.velocity);
}

TEST(Integrators, EnergyGrowsDecaysOrStaysAsTheoryPredicts) {
  EXPECT_GT(energy_share(Integrator::ExplicitEuler), 1e10);
  EXPECT_LT(energy_share(Integrator::BackwardEuler), 1e-10);
  EXPECT_GT(energy_share(Integrator::Midpoint), 1.1);
  EXPECT_NEAR(energy_share(Integrator::SemiImplicitEuler), 1, 0.06);
  EXPECT_NEAR(energy_share(Integrator::PositionVerlet), 1, 3e-3);
  EXPECT_NEAR(energy_share(Integrator::VelocityVerlet), 1, 3e-3);
  EXPECT_NEAR(energy_share(Integrator::RungeKutta4), 1, 2e-3);
}

TEST(Integrators, VerletMethodsAreTimeReversible) {
  for (const Integrator integrator : {Integrator::PositionVerlet, Integrator::VelocityVerlet}) {
    State s{{1, 0, 0}, {0, 2, 0.5}};
    for (int i = 0; i < 50; ++i)
      s = advanced(integrator, s, 0, h, spring);
    s.velocity = -s.velocity;
    for (int i = 0; i < 50; ++i)
      s = advanced(integrator, s, 0, h, spring);
    EXPECT_LT(length(s.position - Vec3d{1, 0, 0}), 1e-13);
  }
}

TEST(BackwardEuler, IsStableForVeryStiffSprings) {
  const auto stiff = [](Vec3d x, Vec3d v, double) { return x * -1e8 - v * 10; };
  State s{{1, 2, 3}, {4, 5, 6}};
  for (int i = 0; i < 20; ++i)
    s = advanced(Integrator::BackwardEuler, s, 0, h, stiff);
  EXPECT_LT(length(s.position), 1e-12);
}

TEST(BackwardEuler, SolvesNonlinearEquations) {
  const auto drag = [](Vec3d x, Vec3d v, double) { return v * -length(v) - x * dot(x, x); };
  const State start{{1, 0.5, 0}, {3, -1, 2}};
  const State end = advanced(Integrator::BackwardEuler, start, 0, h, drag);
  EXPECT_LT(length(end.velocity - start.velocity - drag(end.position, end.velocity, h) * h), 1e-12);
}

TEST(Integrators, EvaluateTimeDependentForcesAtTheRightTimes) {
  // ẍ = t, so from rest v = t²/2.
  const auto push = [](Vec3d, Vec3d, double t) { return Vec3d{t, 0, 0}; };
  const auto velocity = [&](Integrator integrator) {
    return advanced(integrator, State{}, 1, h, push).velocity.x;
  };
  EXPECT_NEAR(velocity(Integrator::ExplicitEuler), 0.1, 1e-12);
  EXPECT_NEAR(velocity(Integrator::SemiImplicitEuler), 0.1, 1e-12);
  EXPECT_NEAR(velocity(Integrator::BackwardEuler), 0.11, 1e-12);
  for (const Integrator exact : {Integrator::Midpoint, Integrator::PositionVerlet,
                                 Integrator::VelocityVerlet, Integrator::RungeKutta4}) {
    EXPECT_NEAR(velocity(exact), 0.105, 1e-12);
  }
}

TEST(Integrators, WorkInSinglePrecision) {
  const auto fall = [](Vec3, Vec3 v, float) { return Vec3{0, -10, 0} - v * 0.5f; };
  for (std::uint8_t i = 0; i < integrator_count; ++i) {
    MotionState<Vec3> s{{0, 5, 0}, {1, 0, 0}};
    for (int k = 0; k < 100; ++k)
      s = advanced(static_cast<Integrator>(i), s, 0.0f, 0.01f, fall);
    EXPECT_NEAR(static_cast<double>(s.velocity.y), -20 * (1 - std::exp(-0.5)), 0.05) << int{i};
    EXPECT_NEAR(static_cast<double>(s.velocity.x), std::exp(-0.5), 0.01) << int{i};
  }
}

}  // namespace
}  // namespace jostle::forces
