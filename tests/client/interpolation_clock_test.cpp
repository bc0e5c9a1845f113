#include "client/interpolation_clock.h"

#include "shared/base/random.h"
#include "tests/client/tick_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::client {
namespace {

TEST(ViewDelay, IsOneIntervalBehindTheNewestOnACleanLink) {
  InterpolationClock clock(test_tick_rate_hz, 3);
  for (int i = 0; i < 300; ++i)
    clock.add_age(1.5);
  EXPECT_DOUBLE_EQ(clock.wanted_delay_ticks(), 1.5 + 3);
}

TEST(ViewDelay, CoversTheJitterOfNinetyFivePercentOfSnapshots) {
  InterpolationClock clock(test_tick_rate_hz, 1);
  base::Random random(11);
  for (int i = 0; i < 2'000; ++i)
    clock.add_age(2 + static_cast<double>(random.unit()));
  EXPECT_NEAR(clock.wanted_delay_ticks(), 2.95 + 1, 0.05);
}

TEST(ViewDelay, ForgetsPastJitter) {
  InterpolationClock clock(test_tick_rate_hz, 1);
  for (int i = 0; i < 300; ++i)
    clock.add_age(i % 2 == 0 ? 10 : 2);
  EXPECT_DOUBLE_EQ(clock.wanted_delay_ticks(), 11);
  for (int i = 0; i < 300; ++i)
    clock.add_age(2);
  EXPECT_DOUBLE_EQ(clock.wanted_delay_ticks(), 3);
}

TEST(ViewDelay, AddsAnIntervalAboveTwoPercentLossAndTwoAboveTen) {
  struct Row {
    double loss, extra_intervals;
  };
  for (const Row& row : {Row{0, 0}, Row{0.02, 0}, Row{0.03, 1}, Row{0.10, 1}, Row{0.2, 2}}) {
    SCOPED_TRACE(testing::Message() << "loss " << row.loss);
    InterpolationClock clock(test_tick_rate_hz, 2);
    clock.add_age(1);
    clock.set_loss(row.loss);
    clock.advance(100, 0);
    EXPECT_DOUBLE_EQ(clock.wanted_delay_ticks(), 1 + 2 + 2 * row.extra_intervals);
  }
}

// With a loss of 5 %, the estimate from a hundred snapshots varies between 1 % and 12 %. The
// interpolation delay must not follow the estimate.
TEST(ViewDelay, IsStableWhileTheLossEstimateFluctuates) {
  InterpolationClock clock(test_tick_rate_hz, 3);
  clock.add_age(1);
  clock.set_loss(0.05);
  double server_tick = 1'000;
  clock.advance(server_tick, 0);
  for (int second = 0; second < 60; ++second) {
    clock.set_loss(second % 3 == 0 ? 0.01 : second % 3 == 1 ? 0.12 : 0.03);
    for (int i = 0; i < 60; ++i) {
      clock.advance(++server_tick, 1);
      ASSERT_NEAR(server_tick - clock.tick(), 1 + 3 + 3, 1e-9);
    }
  }
}

TEST(ViewDelay, RemovesLossReservesAfterHalfAMinuteWithoutLoss) {
  InterpolationClock clock(test_tick_rate_hz, 3);
  clock.add_age(1);
  clock.set_loss(0.2);
  double server_tick = 1'000;
  clock.advance(server_tick, 0);
  const auto delay_after = [&](int seconds) {
    for (int i = 0; i < 60 * seconds; ++i)
      clock.advance(++server_tick, 1);
    return server_tick - clock.tick();
  };
  EXPECT_NEAR(delay_after(20), 1 + 3 + 6, 1e-9);
  clock.set_loss(0);
  EXPECT_NEAR(delay_after(30), 1 + 3 + 6, 1e-9);
  EXPECT_NEAR(delay_after(90), 1 + 3, 1e-9);
}

TEST(ViewDelay, ChangesByAtMostThreePercentBelowTheJumpLimit) {
  InterpolationClock clock(test_tick_rate_hz, 1);
  clock.add_age(1);
  double server_tick = 1'000;
  clock.advance(server_tick, 0);
  EXPECT_DOUBLE_EQ(clock.tick(), 998);
  for (int i = 0; i < 300; ++i)
    clock.add_age(12);  // 183 ms more than before
  double largest_gap = 0;
  for (int i = 0; i < 4'000; ++i) {
    const double before = clock.tick();
    server_tick += 0.25;
    clock.advance(server_tick, 0.25);
    ASSERT_GE(clock.tick() - before, 0.25 * 0.97 - 1e-9);
    ASSERT_LE(clock.tick() - before, 0.25 * 1.03 + 1e-9);
    largest_gap = std::max(largest_gap, server_tick - clock.tick());
  }
  EXPECT_NEAR(largest_gap, 13, 1e-6);
  EXPECT_NEAR(server_tick - clock.tick(), 13, 1e-6);
}

// The estimated server tick pauses when the server skips a tick.
TEST(ViewDelay, IsKeptIfTheServerSkipsAFifthOfItsTicks) {
  InterpolationClock clock(test_tick_rate_hz, 1);
  clock.add_age(1.5);
  double server_tick = 1'000;
  clock.advance(server_tick, 0);
  for (int i = 0; i < 3'000; ++i) {
    const double before = clock.tick();
    if (i % 5 != 0) ++server_tick;
    clock.advance(server_tick, 1);
    ASSERT_GT(clock.tick(), before) << "it never goes back";
    if (i < 300) continue;
    ASSERT_NEAR(server_tick - clock.tick(), 2.5, 1);
  }
}

TEST(ViewDelay, JumpsIfItIsFarOff) {
  InterpolationClock clock(test_tick_rate_hz, 1);
  clock.add_age(1);
  clock.advance(100, 0);
  clock.advance(200, 1);
  EXPECT_DOUBLE_EQ(clock.tick(), 198);
}

}  // namespace
}  // namespace jostle::client
