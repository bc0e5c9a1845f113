#include "shared/math/trig.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jostle::math {
namespace {

constexpr float smallest = std::numeric_limits<float>::denorm_min();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float infinite = std::numeric_limits<float>::infinity();

/// Returns |value − exact| in units of the last place (ulp) of the exact value as a float.
double error_in_ulps(float value, double exact) {
  const float rounded = static_cast<float>(std::abs(exact));
  const double ulp =
      static_cast<double>(std::nextafter(rounded, infinite)) - static_cast<double>(rounded);
  return std::abs(static_cast<double>(value) - exact) / ulp;
}

/// Maximum error, in ulp. Half an ulp of it is the unavoidable rounding of the result itself.
constexpr double nearly_rounded_ulps = 0.501;

TEST(Trig, SineAndCosineRoundNearlyCorrectlyUpTo1e5Radians) {
  base::Random random(1);
  double worst = 0;
  for (int i = 0; i < 400'000; ++i) {
    const float range = i % 4 == 0 ? 1e5f : i % 4 == 1 ? 100.0f : 4.0f;
    const float x = random.between(-range, range);
    const SinCos result = sin_cos(x);
    worst = std::max(worst, error_in_ulps(result.sin, std::sin(static_cast<double>(x))));
    worst = std::max(worst, error_in_ulps(result.cos, std::cos(static_cast<double>(x))));
  }
  EXPECT_LT(worst, nearly_rounded_ulps);
}

TEST(Trig, SineKeepsTheSignOfZeroAndSmallAngles) {
  EXPECT_TRUE(std::signbit(sin_cos(-0.0f).sin));
  EXPECT_FALSE(std::signbit(sin_cos(0.0f).sin));
  EXPECT_EQ(sin_cos(-0.0f).cos, 1.0f);
  for (const float x : {smallest, 1e-40f, 1e-20f, 1e-5f}) {
    SCOPED_TRACE(x);
    EXPECT_EQ(sin_cos(x).sin, x);
    EXPECT_EQ(sin_cos(-x).sin, -x);
    EXPECT_EQ(sin_cos(x).cos, 1.0f);
  }
}

TEST(Trig, SineAndCosineOfHugeAnglesLieOnTheUnitCircle) {
  for (const float x : {1e6f, 3.3e10f, 1e20f, largest}) {
    SCOPED_TRACE(x);
    for (const float angle : {x, -x}) {
      const SinCos r = sin_cos(angle);
      EXPECT_NEAR(r.sin * r.sin + r.cos * r.cos, 1.0f, 3e-7f);
    }
    EXPECT_EQ(sin_cos(-x).sin, -sin_cos(x).sin);
    EXPECT_EQ(sin_cos(-x).cos, sin_cos(x).cos);
  }
}

TEST(Trig, Atan2RoundsNearlyCorrectly) {
  base::Random random(2);
  double worst = 0;
  for (int i = 0; i < 400'000; ++i) {
    const float scale = i % 3 == 0 ? 1e-3f : i % 3 == 1 ? 1.0f : 1e4f;
    const float y = random.between(-1, 1) * scale, x = random.between(-1, 1);
    worst = std::max(worst, error_in_ulps(atan2(y, x), std::atan2(static_cast<double>(y),
                                                                  static_cast<double>(x))));
  }
  EXPECT_LT(worst, nearly_rounded_ulps);
}

TEST(Trig, Atan2HandlesAxesInfinitiesAndSignedZeros) {
  EXPECT_EQ(atan2(0.0f, 1.0f), 0.0f);
  EXPECT_TRUE(std::signbit(atan2(-0.0f, 1.0f)));
  EXPECT_EQ(atan2(0.0f, -1.0f), pi);
  EXPECT_EQ(atan2(-0.0f, -1.0f), -pi);
  EXPECT_EQ(atan2(0.0f, 0.0f), 0.0f);
  EXPECT_EQ(atan2(0.0f, -0.0f), pi);
  EXPECT_EQ(atan2(1.0f, 0.0f), pi / 2);
  EXPECT_EQ(atan2(-1.0f, 0.0f), -pi / 2);
  EXPECT_EQ(atan2(1.0f, 1.0f), pi / 4);
  EXPECT_EQ(atan2(infinite, infinite), pi / 4);
  EXPECT_EQ(atan2(1.0f, infinite), 0.0f);
  EXPECT_EQ(atan2(smallest, largest), 0.0f);
  EXPECT_EQ(atan2(largest, smallest), pi / 2);
}

TEST(Trig, AcosAndAsinRoundNearlyCorrectly) {
  base::Random random(3);
  double worst = 0;
  for (int i = 0; i < 400'000; ++i) {
    const float x = i % 2 == 0 ? random.between(-1, 1) : 1.0f - random.unit() * 1e-4f;
    worst = std::max(worst, error_in_ulps(acos(x), std::acos(static_cast<double>(x))));
    worst = std::max(worst, error_in_ulps(asin(x), std::asin(static_cast<double>(x))));
  }
  EXPECT_LT(worst, nearly_rounded_ulps);
}

TEST(Trig, AcosAndAsinClampArgumentsToMinusOneToOne) {
  EXPECT_EQ(acos(1.0f), 0.0f);
  EXPECT_EQ(acos(1.5f), 0.0f);
  EXPECT_EQ(acos(-1.0f), pi);
  EXPECT_EQ(acos(-2.0f), pi);
  EXPECT_EQ(asin(1.0f), pi / 2);
  EXPECT_EQ(asin(2.0f), pi / 2);
  EXPECT_EQ(asin(-2.0f), -pi / 2);
  EXPECT_TRUE(std::signbit(asin(-0.0f)));
}

TEST(Trig, ExpRoundsNearlyCorrectly) {
  base::Random random(4);
  double worst = 0;
  for (int i = 0; i < 400'000; ++i) {
    const float x = i % 2 == 0 ? random.between(-103, 88.7f) : random.between(-1, 1);
    worst = std::max(worst, error_in_ulps(exp(x), std::exp(static_cast<double>(x))));
  }
  EXPECT_LT(worst, nearly_rounded_ulps);
}

TEST(Trig, Expm1RoundsNearlyCorrectlyForSmallArguments) {
  base::Random random(6);
  double worst_small = 0, worst = 0;
  for (int i = 0; i < 400'000; ++i) {
    const float small = random.between(-0.34f, 0.34f) * (i % 2 == 0 ? 1.0f : 1e-6f);
    const float x = random.between(-20, 20);
    worst_small =
        std::max(worst_small, error_in_ulps(expm1(small), std::expm1(static_cast<double>(small))));
    worst = std::max(worst, error_in_ulps(expm1(x), std::expm1(static_cast<double>(x))));
  }
  EXPECT_LT(worst_small, nearly_rounded_ulps);
  EXPECT_LT(worst, 2.5);
  EXPECT_EQ(expm1(0.0f), 0.0f);
  EXPECT_EQ(expm1(-infinite), -1.0f);
  EXPECT_EQ(expm1(infinite), infinite);
}

TEST(Trig, ExpOverflowsToInfinityAndUnderflowsToZero) {
  EXPECT_EQ(exp(0.0f), 1.0f);
  EXPECT_EQ(exp(-0.0f), 1.0f);
  EXPECT_EQ(exp(smallest), 1.0f);
  EXPECT_EQ(exp(88.8f), infinite);
  EXPECT_EQ(exp(infinite), infinite);
  EXPECT_EQ(exp(largest), infinite);
  EXPECT_EQ(exp(-105.0f), 0.0f);
  EXPECT_EQ(exp(-infinite), 0.0f);
  EXPECT_LT(exp(88.72f), infinite);
  EXPECT_GT(exp(-103.0f), 0.0f) << "subnormal results are kept";
}

TEST(Trig, LogRoundsNearlyCorrectly) {
  base::Random random(5);
  double worst = 0;
  for (int i = 0; i < 400'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(1 + random.below(0x7F7FFFFFU));
    const float x = i % 2 == 0 ? std::bit_cast<float>(bits) : random.between(0.5f, 2.0f);
    worst = std::max(worst, error_in_ulps(log(x), std::log(static_cast<double>(x))));
  }
  EXPECT_LT(worst, nearly_rounded_ulps);
}

TEST(Trig, LogHandlesOneInfinityAndExtremeValues) {
  EXPECT_EQ(log(1.0f), 0.0f);
  EXPECT_EQ(log(infinite), infinite);
  EXPECT_FLOAT_EQ(log(smallest), -103.27893f);
  EXPECT_FLOAT_EQ(log(largest), 88.72284f);
}

TEST(Trig, LogInvertsExp) {
  for (float x = -80.0f; x < 80.0f; x += 0.37f) {
    SCOPED_TRACE(x);
    EXPECT_NEAR(log(exp(x)), x, 1e-7f * (1.0f + std::abs(x)));
  }
}

// The golden hash must be the same on every machine and with every compiler. Change it only
// together with an intended change of the functions.
TEST(Trig, ResultsMatchTheGoldenHashOnEveryMachine) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  const auto add = [&](float value) {
    hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001B3ULL;
  };
  base::Random random(6);
  for (int i = 0; i < 20'000; ++i) {
    const float x = random.between(-1, 1);
    const SinCos r = sin_cos(x * 1000.0f);
    add(r.sin);
    add(r.cos);
    add(atan2(x, random.between(-1, 1)));
    add(acos(x));
    add(asin(x));
    add(exp(x * 50.0f));
    add(log(1.5f + x));
  }
  EXPECT_EQ(hash, 0x218F1B27A0D5CB57ULL);
}

}  // namespace
}  // namespace jostle::math
