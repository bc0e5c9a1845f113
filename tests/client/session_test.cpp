#include "client/play_session.h"
#include "client/predictor.h"
#include "tests/client/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::client {
namespace {

/// A predictor that always requests a simulation.
struct Insatiable : Predictor {
  void begin(state::PlayerId) override {}
  void handle_simulation(std::span<const std::byte>) override {}
  void handle_commands(state::TickCommands) override {}
  bool wants_simulation() const override { return true; }
  std::optional<protocol::PredictionBaselineOffer> take_offer() override { return std::nullopt; }
  std::size_t steered_players(const state::WorldDef&) override { return 0; }
  std::span<const protocol::context::BaselinePrediction> predict_baseline(
      const state::WorldDef&, const Predicted&) override {
    return {};
  }
  void advance(const Moment&) override {}
  const std::vector<PredictedBody>& bodies() const override { return none; }
  const PredictionMetrics& figures() const override { return nothing; }

  std::vector<PredictedBody> none;
  PredictionMetrics nothing;
};

TEST(PlaySession, BacksOffItsRequestsForASimulation) {
  protocol::Welcome welcome;
  welcome.tick_rate_hz = 60;
  welcome.snapshot_interval_ticks = 1;
  welcome.player = state::PlayerId{1};
  Insatiable predictor;
  PlaySession session(
      welcome, [](const BufferedSnapshot&, bool) {}, protocol::Profile::Visual, &predictor);
  std::vector<std::int64_t> asked_s;
  constexpr std::int64_t second_us = 1'000'000;
  for (std::int64_t now_us = 0; now_us < 300 * second_us; now_us += 100'000)
    if (session.next_simulation_request(now_us)) asked_s.push_back(now_us / second_us);
  EXPECT_EQ(asked_s, (std::vector<std::int64_t>{0, 2, 6, 14, 30, 62, 126, 190, 254}));
}

// The client updates only every 200 ms, so most snapshots wait in the socket until the next update.
// Only the newest snapshot is no older than the delay of the link.
TEST(PlaySession, DoesNotExtrapolateIfItUpdatesFiveTimesPerSecond) {
  Match match;
  match.link.delay_us = 25'000;
  ASSERT_TRUE(match.run_until_playing());
  match.client_interval_ms = 200;
  match.run(6'000);
  double latest = -1e9, longest_delay_ms = 0;
  for (int look = 0; look < 20; ++look) {
    match.run(200);
    const Metrics& metrics = match.client->metrics();
    latest = std::max(latest, match.client->shown_tick() - metrics.newest_tick.number);
    longest_delay_ms = std::max(longest_delay_ms, metrics.interpolation_delay_ms);
  }
  EXPECT_LE(latest, 0.1) << "ticks after the newest snapshot";
  EXPECT_GE(longest_delay_ms, 25);
  EXPECT_LE(longest_delay_ms, 70);
}

}  // namespace
}  // namespace jostle::client
