#include "client/sim/world_predictor.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

// The rate limit of a client applies to the sum of the world, the simulation state and snapshots.

namespace jostle::prediction {
namespace {

using match::Match;
using match::MatchOptions;
using match::Seat;

MatchOptions katamari(double most_bytes_per_second) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/katamari.scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  MatchOptions options;
  options.scene = *scene::parse_scene(text, "katamari");
  options.faults.latency_us = 25'000;
  options.server.max_client_bytes_per_second = most_bytes_per_second;
  options.is_recorded = false;
  return options;
}

/// Returns the largest number of bytes that the client received in any of the next `seconds`
/// seconds.
double busiest_second(Match& match, const Seat& seat, int seconds) {
  double most = 0;
  for (int i = 0; i < seconds; ++i) {
    const auto before = static_cast<double>(seat.client->metrics().bytes_down);
    match.run_seconds(1);
    most = std::max(most, static_cast<double>(seat.client->metrics().bytes_down) - before);
  }
  return most;
}

/// Allowance for time messages, acknowledgements and retransmissions, in bytes per second.
constexpr double other_bytes = 1'500;

TEST(RateLimit, HoldsForTheWorldOfAJoiningClient) {
  constexpr double limit = 8'000;
  Match match(katamari(limit));
  const Seat& seat = match.add_client("Watcher", protocol::Role::Spectator);
  constexpr double keyframe_bytes = 2'500;  // keyframes are sent without pacing
  EXPECT_LT(busiest_second(match, seat, 15), limit + other_bytes + keyframe_bytes);
  EXPECT_EQ(seat.client->status().state, client::ClientState::Playing);
}

/// Parameter: the limit is set by the server (true) or requested by the client (false).
class RateLimitTest : public testing::TestWithParam<bool> {};

TEST_P(RateLimitTest, HoldsForASimulationAndLeavesBandwidthForSnapshots) {
  constexpr std::uint32_t limit = 16'000;
  Match match(katamari(GetParam() ? limit : MatchOptions().server.max_client_bytes_per_second));
  Seat& seat = match.add_client("Ann", protocol::Role::Player, {4'000, true});
  seat.predictor = std::make_unique<WorldPredictor>(match.network().node(seat.ip));
  seat.client->set_predictor(seat.predictor.get());
  protocol::SetInterest interest;
  interest.max_bytes_per_second = GetParam() ? 0 : limit;
  seat.client->set_interest(interest);
  ASSERT_TRUE(match.run_until_playing(10.0));
  int seconds = 0;
  for (; seconds < 40 && !seat.predictor->figures().is_running; ++seconds) {
    const std::uint64_t before = seat.client->metrics().snapshots_complete;
    EXPECT_LT(busiest_second(match, seat, 1), limit + other_bytes) << seconds;
    if (seconds > 1) {
      EXPECT_GT(seat.client->metrics().snapshots_complete, before + 30) << seconds;
    }
  }
  EXPECT_TRUE(seat.predictor->figures().is_running) << seat.predictor->figures().text;
  EXPECT_GT(seconds, 3);  // otherwise the limit had no effect
}

INSTANTIATE_TEST_SUITE_P(EitherEnd, RateLimitTest, testing::Bool());

}  // namespace
}  // namespace jostle::prediction
