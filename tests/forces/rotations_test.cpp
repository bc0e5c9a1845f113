#include "shared/forces/rotations.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::forces {
namespace {

using math::Vec3d;

const Vec3d moments{1, 2, 2.7};
const TurningState start{{0.5, {0.5, -0.5, 0.5}}, {1.2, -2, 3}};

TurningState after(RotationForm form, Vec3d torque, double seconds, int steps) {
  TurningState state = start;
  for (int i = 0; i < steps; ++i)
    state = advanced(form, state, moments, torque, seconds / steps);
  return state;
}

/// Returns the angle between two orientations in rad, plus the length of the difference of the
/// momenta.
double apart(const TurningState& a, const TurningState& b) {
  const Turn difference = a.orientation * Turn{b.orientation.w, -b.orientation.v};
  return 2 * length(difference.v) + length(a.momentum - b.momentum);
}

class Rotations : public testing::TestWithParam<RotationForm> {};

double order_of(RotationForm form) {
  return form == RotationForm::Quaternion ? 4 : 2;
}

TEST_P(Rotations, ConvergeWithTheirOrderToTheSameSolution) {
  for (const Vec3d torque : {Vec3d{}, Vec3d{0.4, 0.3, -0.2}}) {
    // The reference uses steps so small that its error is negligible.
    const TurningState exact = after(RotationForm::Quaternion, torque, 3, 30'000);
    const double coarse = apart(after(GetParam(), torque, 3, 150), exact);
    const double fine = apart(after(GetParam(), torque, 3, 300), exact);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_NEAR(std::log2(coarse / fine), order_of(GetParam()), 0.15);
  }
}

TEST_P(Rotations, PreserveEnergyAndMomentumAsDocumented) {
  const TurningState end = after(GetParam(), {}, 200, 4'000);
  const double energy = turning_energy(end, moments) / turning_energy(start, moments) - 1;
  const double size = length(end.momentum) / length(start.momentum) - 1;
  const double direction = length(end.momentum - start.momentum) / length(start.momentum);
  EXPECT_NEAR(end.orientation.w * end.orientation.w + dot(end.orientation.v, end.orientation.v), 1,
              1e-12);
  switch (GetParam()) {
    case RotationForm::AngularMomentum:
      EXPECT_EQ(direction, 0);
      EXPECT_NEAR(energy, 0, 1e-11);
      break;
    case RotationForm::Quaternion:
      EXPECT_EQ(direction, 0);
      EXPECT_NEAR(energy, 0, 1e-3);
      break;
    case RotationForm::BodyFrame:
      EXPECT_NEAR(energy, 0, 0.1);
      EXPECT_GT(std::abs(energy), 1e-7);
      EXPECT_NEAR(size, 0, 0.1);
      break;
  }
}

TEST_P(Rotations, SpinAboutAPrincipalAxisIsUniform) {
  const TurningState spin{{}, {0, 2 * moments.y, 0}};
  TurningState state = spin;
  for (int i = 0; i < 600; ++i)
    state = advanced(GetParam(), state, moments, {}, 1.0 / 600);
  EXPECT_NEAR(state.orientation.w, std::cos(1), 2e-6);
  EXPECT_NEAR(state.orientation.v.y, std::sin(1), 2e-6);
  EXPECT_NEAR(state.orientation.v.x, 0, 1e-12);
}

TEST_P(Rotations, TorqueChangesTheAngularMomentum) {
  const Vec3d torque{0.4, 0.3, -0.2};
  const TurningState end = after(GetParam(), torque, 2, 4'000);
  const double tolerance = GetParam() == RotationForm::BodyFrame ? 1e-4 : 1e-11;
  EXPECT_LT(length(end.momentum - (start.momentum + torque * 2)), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Forms, Rotations,
                         testing::Values(RotationForm::AngularMomentum, RotationForm::Quaternion,
                                         RotationForm::BodyFrame));

}  // namespace
}  // namespace jostle::forces
