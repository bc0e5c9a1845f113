#include "client/traffic_meter.h"

#include <gtest/gtest.h>

namespace jostle::client {
namespace {

TEST(TrafficMeter, ReportsTheRatesOfTheLastSecond) {
  TrafficMeter meter;
  EXPECT_EQ(meter.bytes_per_second_down(), 0);
  std::uint64_t down = 0, up = 0;
  std::int64_t now_us = 0;
  const auto play = [&](int updates, std::uint64_t down_each, std::uint64_t up_each,
                        double age_ms) {
    for (int i = 0; i < updates; ++i) {
      now_us += 10'000;
      down += down_each;
      up += up_each;
      meter.note_age(age_ms);
      meter.advance(now_us, down, up);
    }
  };
  play(300, 100, 10, 30);
  EXPECT_NEAR(meter.bytes_per_second_down(), 10'000, 1);
  EXPECT_NEAR(meter.bytes_per_second_up(), 1'000, 1);
  EXPECT_NEAR(meter.mean_age_ms(), 30, 1e-9);
  play(120, 0, 20, 50);
  EXPECT_NEAR(meter.bytes_per_second_down(), 0, 1);
  EXPECT_NEAR(meter.bytes_per_second_up(), 2'000, 1);
  EXPECT_NEAR(meter.mean_age_ms(), 50, 1e-9);
}

}  // namespace
}  // namespace jostle::client
