#include "server/metrics.h"

#include <gtest/gtest.h>

namespace jostle::server {
namespace {

TEST(DurationHistogram, ReturnsPercentilesWithinOneStep) {
  DurationHistogram histogram;
  for (int us = 1; us <= 10'000; ++us)
    histogram.add(us);
  EXPECT_NEAR(static_cast<double>(histogram.percentile_us(0.50)), 5'000.0, 10.0);
  EXPECT_NEAR(static_cast<double>(histogram.percentile_us(0.99)), 9'900.0, 10.0);
  EXPECT_EQ(histogram.max_us(), 10'000);
}

TEST(DurationHistogram, KeepsTheMaximumBeyondItsRange) {
  DurationHistogram histogram;
  histogram.add(5'000'000);
  EXPECT_EQ(histogram.max_us(), 5'000'000);
  EXPECT_LE(histogram.percentile_us(1.0), 1'000'000);
  EXPECT_EQ(DurationHistogram().percentile_us(0.5), 0);
}

}  // namespace
}  // namespace jostle::server
