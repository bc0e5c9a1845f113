#include "shared/simd/trig_lanes.h"

#include "shared/base/random.h"
#include "shared/simd/lanes_plain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::simd {
namespace {

using plain::Floats;

float angle_of(float y, float x) {
  return atan2(Floats::splat(y), Floats::splat(x)).lane[3];
}

TEST(TrigLanes, Atan2IsAccurateToAFewUlpsOfPi) {
  base::Random random(5);
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const float scale = std::exp2(random.between(-60.0f, 60.0f));
    const float y = random.between(-1, 1) * scale, x = random.between(-1, 1) * scale;
    const double exact = std::atan2(static_cast<double>(y), static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(angle_of(y, x)) - exact));
  }
  EXPECT_LT(worst, 4e-7);
}

TEST(TrigLanes, Atan2KeepsRelativePrecisionForSmallAngles) {
  base::Random random(6);
  for (int i = 0; i < 10'000; ++i) {
    const float y = std::exp2(random.between(-60.0f, -2.0f));
    const double exact = std::atan2(static_cast<double>(y), 1.0);
    ASSERT_NEAR(static_cast<double>(angle_of(y, 1.0f)) / exact, 1, 3e-7) << y;
  }
}

TEST(TrigLanes, Atan2IsExactOnTheAxesAndAtTheOrigin) {
  EXPECT_EQ(angle_of(0, 0), 0.0f);
  EXPECT_EQ(angle_of(0, 2), 0.0f);
  EXPECT_EQ(angle_of(2, 0), 1.57079633f);
  EXPECT_EQ(angle_of(-2, 0), -1.57079633f);
  EXPECT_EQ(angle_of(0, -2), 3.14159265f);
}

}  // namespace
}  // namespace jostle::simd
