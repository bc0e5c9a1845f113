#include "tests/link/latency.h"
#include "tools/link/clock_run.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>

namespace jostle::link {
namespace {

ClockLink make_clock_link(std::int64_t jitter_us, std::int64_t drift_ppm) {
  ClockLink link;
  link.up.latency_us = link.down.latency_us = latency_us;
  link.up.jitter_us = link.down.jitter_us = jitter_us;
  link.drift_ppm = drift_ppm;
  link.pace = {.interval_us = 4'000, .wakes_on_arrival = true};
  return link;
}

std::vector<ClockFigures> run(std::vector<ClockLink> links, double minutes, int starts) {
  ClockRun run;
  run.links = std::move(links);
  run.seeds = 2;
  run.minutes = minutes;
  run.starts = starts;
  auto figures = run_clocks(run);
  EXPECT_TRUE(figures.has_value()) << (figures ? "" : figures.error());
  return figures ? *std::move(figures) : std::vector<ClockFigures>(run.links.size());
}

// The test covers the whole path of a timestamp, through the client, ENet and a server whose time
// is known.
TEST(ClockSync, IsAccurateToAMillisecondAtTwentyMillisecondsOfJitterAndAnyDrift) {
  const std::vector<std::int64_t> drifts_ppm{0, 100, -100};
  std::vector<ClockLink> links;
  for (const std::int64_t drift_ppm : drifts_ppm)
    links.push_back(make_clock_link(20'000, drift_ppm));
  std::vector<ClockFigures> figures = run(links, 1, 0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    SCOPED_TRACE("drift " + std::to_string(drifts_ppm[i]) + " ppm");
    EXPECT_GT(figures[i].error_ms.count(), 20'000U);
    EXPECT_LE(figures[i].error_ms.median(), 1.0);
    EXPECT_LE(figures[i].error_ms.quantile(0.99), 3.0);
    EXPECT_GT(figures[i].error_ms.median(), 0.01) << "jitter must leave some error";
  }
}

TEST(ClockSync, IsExactWithoutJitter) {
  std::vector<ClockFigures> figures = run({make_clock_link(0, 0)}, 0.25, 0);
  EXPECT_LE(figures[0].error_ms.largest(), 0.01);
}

// An exchange of timestamps cannot detect that the latencies of the two directions differ. The
// error is half of the difference.
TEST(ClockSync, IsOffByHalfOfTheLatencyAsymmetry) {
  ClockLink down = make_clock_link(0, 0), up = make_clock_link(0, 0),
            jittery = make_clock_link(10'000, 0);
  down.down.latency_us += 12'000;
  up.up.latency_us += 12'000;
  jittery.down.latency_us += 12'000;
  std::vector<ClockFigures> figures = run({down, up, jittery}, 0.5, 0);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_NEAR(figures[i].error_ms.median(), 6, 0.1);
    EXPECT_NEAR(figures[i].error_ms.largest(), 6, 0.1);
  }
  EXPECT_NEAR(figures[2].error_ms.median(), 6, 1);
  EXPECT_LE(figures[2].error_ms.quantile(0.99), 6 + 3);
}

TEST(ClockSync, ConvergesWithinASecondAfterTheWelcome) {
  std::vector<ClockFigures> figures =
      run({make_clock_link(0, 0), make_clock_link(20'000, 0)}, 0.05, 10);
  EXPECT_EQ(figures[0].converged_ms.count(), 20U);
  EXPECT_LE(figures[0].converged_ms.largest(), 200);
  EXPECT_LE(figures[1].converged_ms.quantile(0.95), 1'000);
}

TEST(ClockSync, StaysAccurateOverALongTime) {
  DayRun day;
  day.link = make_clock_link(20'000, 100);
  day.hours = 0.1;
  auto figures = run_day(day);
  ASSERT_TRUE(figures.has_value()) << figures.error();
  EXPECT_EQ(figures->last_ms.count(), 900U);
  EXPECT_LE(figures->last_ms.median(), 1.0);
  EXPECT_LE(figures->last_ms.quantile(0.99), 3.0);
}

}  // namespace
}  // namespace jostle::link
