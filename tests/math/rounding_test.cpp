// Checks that the compiler keeps the rounding of doubles to floats. g++ 12 drops it when it
// vectorises straight-line code (cmake/BuildOptions.cmake).
#include "shared/math/transform.h"
#include "shared/math/vec3d.h"

#include <gtest/gtest.h>

namespace jostle::math {
namespace {

// This function is not inlined, because the compiler would otherwise evaluate everything at compile
// time.
[[gnu::noinline]] Position moved(Position from, Vec3d way) {
  return from + narrowed(way);
}

struct Pair {
  double x, y;
};
struct FloatPair {
  float x, y;
};
[[gnu::noinline]] Pair sum(Pair a, Pair b) {
  const FloatPair rounded{static_cast<float>(b.x), static_cast<float>(b.y)};
  return {a.x + static_cast<double>(rounded.x), a.y + static_cast<double>(rounded.y)};
}

TEST(Rounding, NarrowingToFloatIsNotOptimisedAway) {
  const double third = 1.0 / 3;
  const double rounded = 11'184'811.0 / 33'554'432;  // the float nearest to 1/3
  const Position at = moved({1, 2, 3}, {third, third, third});
  EXPECT_EQ(at.x, 1 + rounded);
  EXPECT_EQ(at.y, 2 + rounded);
  EXPECT_EQ(at.z, 3 + rounded);
  const Pair pair = sum({1, 2}, {third, third});
  EXPECT_EQ(pair.x, 1 + rounded);
  EXPECT_EQ(pair.y, 2 + rounded);
}

}  // namespace
}  // namespace jostle::math
