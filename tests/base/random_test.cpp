#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace jostle::base {
namespace {

// The expected values are the first outputs of the reference implementation (Vigna, splitmix64.c)
// for the seed 1234567.
TEST(Random, MatchesTheSplitMix64Reference) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, IsUniformAndStaysInRange) {
  Random random(3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) {
    ++counts[random.below(7)];
    const float unit = random.unit();
    EXPECT_GE(unit, 0.0f);
    EXPECT_LT(unit, 1.0f);
  }
  // Each bin is expected to hold 10,000; five standard deviations are 463.
  for (const int count : counts)
    EXPECT_NEAR(count, 10'000, 463);
}

TEST(Random, SplitStreamsDiffer) {
  Random random(1);
  Random a = random.split();
  Random b = random.split();
  EXPECT_NE(a.next(), b.next());
}

}  // namespace
}  // namespace jostle::base
