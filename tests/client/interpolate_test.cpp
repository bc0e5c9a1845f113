#include "client/interpolate.h"

#include "shared/base/random.h"
#include "shared/math/trig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::client {
namespace {

using math::Pose;
using math::Position;
using math::Quat;
using math::Vec3;

constexpr InterpolationMode both_modes[] = {InterpolationMode::Linear, InterpolationMode::Hermite};

PoseSample at(double tick, Position position, Quat rotation = {}) {
  return {tick, {position, rotation}};
}

Quat turned(float angle) {
  return math::from_axis_angle({0, 1, 0}, angle);
}

/// Returns the angle between two rotations, radians.
double angle_between(Quat a, Quat b) {
  const Quat d = math::conjugate(a) * b;
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}

TEST(Interpolation, IsLinearFromFortyFiveSnapshotsPerSecond) {
  EXPECT_EQ(interpolation_mode(60), InterpolationMode::Linear);
  EXPECT_EQ(interpolation_mode(45), InterpolationMode::Linear);
  EXPECT_EQ(interpolation_mode(30), InterpolationMode::Hermite);
}

TEST(Interpolation, ReproducesConstantVelocityExactly) {
  // Ticks and positions are exact in floating point, so that only a wrong formula can differ.
  const auto line = [](double tick) {
    return Position{1 + 0.5 * tick, -2 * tick, 100'000 + 0.25 * tick};
  };
  for (const InterpolationMode mode : both_modes) {
    for (double tick = 8; tick <= 16; tick += 0.125) {
      SCOPED_TRACE(testing::Message() << "tick " << tick);
      const PoseSegment segment{at(4, line(4)), at(8, line(8)), at(16, line(16)), at(24, line(24))};
      EXPECT_EQ(interpolate(segment, tick, mode).position, line(tick));
    }
    const PoseSegment alone{{}, at(8, line(8)), at(16, line(16)), {}};
    EXPECT_EQ(interpolate(alone, 11, mode).position, line(11));
  }
}

TEST(Interpolation, ReturnsTheSamplesExactlyAtTheirTicks) {
  base::Random random(21);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    const auto sample = [&](double tick) {
      return at(tick,
                {static_cast<double>(random.between(-50, 50)),
                 static_cast<double>(random.between(-50, 50)),
                 static_cast<double>(random.between(-50, 50))},
                turned(random.between(-3, 3)));
    };
    const PoseSegment segment{sample(0), sample(3), sample(6), sample(9)};
    for (const InterpolationMode mode : both_modes) {
      EXPECT_EQ(interpolate(segment, 3, mode), segment.from.pose);
      EXPECT_EQ(interpolate(segment, 6, mode), segment.to.pose);
      EXPECT_EQ(interpolate(segment, 2, mode), segment.from.pose) << "clamped";
      EXPECT_EQ(interpolate(segment, 7, mode), segment.to.pose) << "clamped";
    }
  }
}

TEST(Interpolation, FollowsAParabolaMoreCloselyWithHermiteThanLinear) {
  const auto thrown = [](double tick) { return Position{0, 5 * tick - 0.1 * tick * tick, 0}; };
  const PoseSegment segment{at(0, thrown(0)), at(6, thrown(6)), at(12, thrown(12)),
                            at(18, thrown(18))};
  for (double tick = 6.5; tick < 12; tick += 0.5) {
    SCOPED_TRACE(testing::Message() << "tick " << tick);
    const double truth = thrown(tick).y;
    const double cubic = interpolate(segment, tick, InterpolationMode::Hermite).position.y;
    const double straight = interpolate(segment, tick, InterpolationMode::Linear).position.y;
    EXPECT_LT(std::abs(cubic - truth), 1e-9) << "central differences are exact on a parabola";
    EXPECT_GT(std::abs(straight - truth), 0.1);
  }
}

// The newest segment is displayed most of the time, but has no sample after it. The oldest segment
// has no sample before it.
TEST(Interpolation, FollowsAParabolaWithHermiteIfAnOuterSampleIsMissing) {
  const auto thrown = [](double tick) { return Position{0, 5 * tick - 0.1 * tick * tick, 0}; };
  const PoseSegment newest{at(0, thrown(0)), at(6, thrown(6)), at(12, thrown(12)), {}};
  const PoseSegment oldest{{}, at(0, thrown(0)), at(6, thrown(6)), at(12, thrown(12))};
  for (double fraction = 0.1; fraction < 1; fraction += 0.1) {
    SCOPED_TRACE(testing::Message() << "fraction " << fraction);
    const auto error = [&](const PoseSegment& segment) {
      const double tick = segment.from.tick + 6 * fraction;
      const Pose pose = interpolate(segment, tick, InterpolationMode::Hermite);
      return std::abs(pose.position.y - thrown(tick).y);
    };
    EXPECT_LT(error(newest), 1e-9);
    EXPECT_LT(error(oldest), 1e-9);
  }
}

TEST(Interpolation, IsLinearOnAnAxisWhoseVelocityChangesSign) {
  // The body falls, bounces between the ticks 3 and 6, and rises. Its speed is constant along x and
  // increases along z.
  const PoseSegment segment{at(0, {0, 3, 0}), at(3, {3, 0.5, 1}), at(6, {6, 0.75, 3}),
                            at(9, {9, 4, 9})};
  const Pose pose = interpolate(segment, 4.5, InterpolationMode::Hermite);
  EXPECT_DOUBLE_EQ(pose.position.y, 0.625);
  EXPECT_DOUBLE_EQ(pose.position.x, 4.5);
  EXPECT_LT(pose.position.z, 2) << "the curve is below the chord";
}

TEST(Interpolation, NeverOvershootsTheEndsWithHermite) {
  base::Random random(5);
  for (int i = 0; i < 2'000; ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    const auto value = [&] { return static_cast<double>(random.between(-1, 1)); };
    PoseSegment segment{at(0, {value(), 0, 0}), at(3, {value(), 0, 0}), at(6, {value(), 0, 0}),
                        at(9, {value(), 0, 0})};
    if (i % 4 == 1) segment.before.reset();
    if (i % 4 == 2) segment.after.reset();
    const double low = std::min(segment.from.pose.position.x, segment.to.pose.position.x);
    const double high = std::max(segment.from.pose.position.x, segment.to.pose.position.x);
    for (double tick = 3; tick <= 6; tick += 0.25) {
      const double x = interpolate(segment, tick, InterpolationMode::Hermite).position.x;
      ASSERT_GE(x, low - 1e-12);
      ASSERT_LE(x, high + 1e-12);
    }
  }
}

TEST(Interpolation, EndsExactlyAtTheRestingPoseOfABody) {
  const Position rest{1.0 / 3, 2.0 / 3, 0.1};
  const PoseSegment stopping{at(0, {5, 5, 5}), at(3, {2, 2, 2}), at(6, rest), at(9, rest)};
  const PoseSegment stopped{at(3, {2, 2, 2}), at(6, rest), at(9, rest), at(12, rest)};
  for (const InterpolationMode mode : both_modes) {
    EXPECT_EQ(interpolate(stopping, 6, mode).position, rest);
    for (double tick = 6; tick <= 9; tick += 0.1) {
      EXPECT_EQ(interpolate(stopped, tick, mode).position, rest);
    }
  }
  EXPECT_EQ(extrapolate(stopped.from, stopped.to, 10.7).position, rest);
}

TEST(Rotation, FollowsTheShorterArcForEitherQuaternionSign) {
  for (const float angle : {0.1f, 0.5f, 1.5f, 3.0f}) {
    for (double fraction = 0; fraction <= 1; fraction += 0.125) {
      SCOPED_TRACE(testing::Message() << "angle " << angle << " fraction " << fraction);
      const Quat to = turned(angle);
      const Quat plain = interpolate_rotation({}, to, fraction);
      const Quat flipped = interpolate_rotation({}, math::negate(to), fraction);
      EXPECT_LT(angle_between(plain, flipped), 1e-3);
      EXPECT_NEAR(angle_between({}, plain), static_cast<double>(angle) * fraction, 4e-3);
      EXPECT_NEAR(math::dot(plain, plain), 1, 1e-5);
    }
  }
}

TEST(Rotation, ReachesBothEndsExactly) {
  const Quat a = turned(0.3f), b = turned(1.9f);
  EXPECT_EQ(interpolate_rotation(a, b, 0), a);
  EXPECT_EQ(interpolate_rotation(a, b, 1), b);
  EXPECT_EQ(interpolate_rotation(a, a, 0.37), a);
}

TEST(Extrapolation, ContinuesForTwoTicksAndThenHolds) {
  const PoseSample previous = at(10, {0, 0, 0}, turned(0));
  const PoseSample newest = at(12, {1, 0, 0}, turned(0.2f));
  EXPECT_EQ(extrapolate(previous, newest, 12), newest.pose);
  EXPECT_DOUBLE_EQ(extrapolate(previous, newest, 13).position.x, 1.5);
  EXPECT_DOUBLE_EQ(extrapolate(previous, newest, 14).position.x, 2);
  EXPECT_EQ(extrapolate(previous, newest, 20), extrapolate(previous, newest, 14));
  EXPECT_NEAR(angle_between({}, extrapolate(previous, newest, 14).rotation), 0.4, 1e-3);
}

TEST(Extrapolation, HoldsABodyWithASingleSample) {
  const PoseSample newest = at(12, {1, 2, 3}, turned(0.2f));
  EXPECT_EQ(extrapolate({}, newest, 14), newest.pose);
}

TEST(Correction, MovesFromOnePoseToTheOther) {
  const Pose pose{{10, 20, 30}, turned(0.4f)}, wanted{{11, 19, 30.5}, turned(1.4f)};
  const PoseCorrection correction = correction_between(pose, wanted);
  const Pose all = corrected(pose, correction, 1);
  EXPECT_LT(math::length(all.position - wanted.position), 1e-5f);
  EXPECT_LT(angle_between(all.rotation, wanted.rotation), 1e-3);
  EXPECT_EQ(corrected(pose, correction, 0), pose);
  const Pose half = corrected(pose, correction, 0.5);
  EXPECT_NEAR(half.position.x, 10.5, 1e-6);
  EXPECT_NEAR(angle_between(half.rotation, turned(0.9f)), 0, 1e-3);
}

}  // namespace
}  // namespace jostle::client
