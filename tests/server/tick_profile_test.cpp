#include "server/tick_profile.h"

#include <gtest/gtest.h>

namespace jostle::server {
namespace {

TEST(TickProfile, UsesTheSameStageAndPhaseNamesAsTheStatistics) {
  for (std::size_t i = 0; i < physics::stage_count; ++i)
    EXPECT_EQ(state::step_stage_names[i], physics::name_of(static_cast<physics::Stage>(i)));
  for (std::size_t i = 0; i < state::server_phase_count; ++i)
    EXPECT_EQ(state::server_phase_names[i], phase_names[i]);
}

TEST(TickProfile, ReportsMeanTimesAndTheLongestTick) {
  TickProfile profile;
  std::int64_t now_us = 5'000'000;
  profile.enter(Phase::Other, now_us);
  for (const std::int64_t simulate_us : {2'000, 6'000}) {
    now_us += 10'000;  // idle
    profile.enter(Phase::Receive, now_us);
    now_us += 500;
    profile.enter(Phase::Simulate, now_us);
    now_us += simulate_us;
    profile.enter(Phase::Other, now_us);
    physics::StageTimes stages{};
    stages[static_cast<std::size_t>(physics::Stage::Solve)] =
        static_cast<double>(simulate_us) * 0.5e-6;
    profile.end_tick(stages);
  }
  state::ServerStatistics statistics;
  profile.report(statistics);
  EXPECT_FLOAT_EQ(statistics.phase_ms[0], 0.5f);
  EXPECT_FLOAT_EQ(statistics.phase_ms[1], 4.0f);
  EXPECT_FLOAT_EQ(statistics.tick_ms, 4.5f);
  EXPECT_FLOAT_EQ(statistics.longest_tick_ms, 6.5f);
  EXPECT_FLOAT_EQ(statistics.stage_ms[static_cast<std::size_t>(physics::Stage::Solve)], 2.0f);
  profile.report(statistics);
  EXPECT_EQ(statistics.tick_ms, 0);
  EXPECT_EQ(statistics.longest_tick_ms, 0);
}

}  // namespace
}  // namespace jostle::server
