#include "shared/base/duty_cycle_limiter.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace jostle::base {
namespace {

TEST(DutyCycleLimiter, LimitsRepeatedWorkToItsShareOfTime) {
  DutyCycleLimiter rest(20);
  std::int64_t worked_us = 0, now_us = 5'000;
  for (; now_us < 10'000'000; now_us += 1'000) {
    if (!rest.is_over(now_us)) continue;
    const std::int64_t takes_us = 1'000 + now_us % 7'000;
    rest.note(now_us, now_us + takes_us);
    worked_us += takes_us;
  }
  EXPECT_LE(worked_us, now_us / 20 + 8'000);
  EXPECT_GE(worked_us, now_us / 30);
}

TEST(DutyCycleLimiter, LimitsInstantWorkOnlyByTheMinimumInterval) {
  DutyCycleLimiter free(20), seldom(20, 1'000'000);
  for (const std::int64_t now_us : {0, 1, 2}) {
    EXPECT_TRUE(free.is_over(now_us));
    free.note(now_us, now_us);
  }
  EXPECT_TRUE(seldom.is_over(0));
  seldom.note(0, 0);
  EXPECT_FALSE(seldom.is_over(999'999));
  EXPECT_TRUE(seldom.is_over(1'000'000));
}

}  // namespace
}  // namespace jostle::base
