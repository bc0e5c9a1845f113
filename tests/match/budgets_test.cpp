// Limits on what one session may request, in server time and in bytes for other clients.
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::match {
namespace {

// Pings and camera updates follow the client's own clock. At a low tick rate, pings and camera
// updates are more frequent than ticks.
TEST(Budgets, AClientThatMovesItsCameraStaysConnectedAtLowTickRates) {
  for (const int hz : {10, 15, 60}) {
    MatchOptions options;
    options.server.tick_rate_hz = hz;
    Match match(options);
    Seat& ann = match.add_client("Ann");
    ASSERT_TRUE(match.run_until_playing(5.0));
    for (int i = 0; i < 3'000; ++i) {
      const float turn = 0.01f * static_cast<float>(i);
      ann.client->set_interest({.eye = {},
                                .forward = {std::sin(turn), 0, std::cos(turn)},
                                .half_angle = 0.6f,
                                .bodies = {}});
      match.run_seconds(0.01);
    }
    EXPECT_EQ(ann.client->status().state, client::ClientState::Playing) << hz;
    EXPECT_EQ(match.server().metrics().messages_refused, 0U) << hz;
  }
}

// Each reset sends the whole world to every client, so the server limits the rate of resets.
TEST(Budgets, LimitsSceneResetsToTwoPerSecond) {
  MatchOptions options;
  options.server.is_sandbox = true;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  int begun = 0;
  match.set_tick_hook([&] { begun += match.simulation().was_reset() ? 1 : 0; });
  for (int i = 0; i < 300; ++i) {
    ann.client->request({state::ControlKind::Reset, 0});
    bob.client->request({state::ControlKind::Reset, 0});
    match.run_seconds(1.0 / 60);
  }
  EXPECT_GE(begun, 9);
  EXPECT_LE(begun, 11);
  // A request above the limit is delayed, not lost. The last request is executed later.
  begun = 0;
  match.run_seconds(1.0);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(match.agreement(ann).different, 0U);
}

}  // namespace
}  // namespace jostle::match
