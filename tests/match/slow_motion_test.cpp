#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::match {
namespace {

constexpr std::string_view slow_scene = R"({
  "name": "slow", "world": {"gravity": [0, 0, 0], "time_scale": 0.25},
  "spawns": [{"position": [0, 0, 50]}],
  "bodies": [{"shape": {"sphere": {"radius": 0.5}}, "linear_velocity": [2, 0, 0]}]})";

double shown_x(const client::Client& client) {
  for (const client::ShownBody& body : client.shown_bodies())
    if (body.info->id.value == 1) return body.pose.position.x;
  return NAN;
}

// At a quarter of the speed the world steps in every fourth tick. Spectators must see a body move
// by the same distance in every frame.
TEST(SlowMotion, IsShownSmoothly) {
  MatchOptions options;
  options.scene = scene_of(slow_scene);
  options.faults.latency_us = 20'000;
  Match match(options);
  const Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(3.0);
  constexpr double frame = 0.02, way = 2 * 0.25 * frame;
  constexpr double rounding = 2.0 / 512;  // rounding of positions on the wire, m
  double before = shown_x(*ann.client), first = before;
  for (int i = 0; i < 100; ++i) {
    match.run_seconds(frame);
    const double now = shown_x(*ann.client);
    ASSERT_NEAR(now - before, way, 0.5 * way + rounding) << "frame " << i;
    before = now;
  }
  EXPECT_NEAR(before - first, 100 * way, 0.1 * 100 * way);
  EXPECT_LT(match.largest_error(ann), shown_tolerance);
}

// In a sandbox any client may set the speed while the scene runs.
TEST(SlowMotion, FollowsTheRequestedRate) {
  MatchOptions options;
  options.scene = scene_of(slow_scene);
  options.server.is_sandbox = true;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  const auto way_of_a_second = [&] {
    const double before = shown_x(*ann.client);
    match.run_seconds(1.0);
    return shown_x(*ann.client) - before;
  };
  match.run_seconds(2.0);
  EXPECT_NEAR(way_of_a_second(), 0.5, 0.05);
  ann.client->request({state::ControlKind::Rate, 300});
  match.run_seconds(2.0);
  EXPECT_NEAR(way_of_a_second(), 6, 0.3);
}

}  // namespace
}  // namespace jostle::match
