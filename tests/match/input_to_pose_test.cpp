#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <optional>

namespace jostle::match {
namespace {

const client::ShownBody* shown(const client::Client& client, state::BodyId id) {
  for (const client::ShownBody& body : client.shown_bodies()) {
    if (body.info->id == id) return &body;
  }
  return nullptr;
}

// This test follows an input along the path in docs/ARCHITECTURE.md, without a window and a socket.
// A key is pressed, and the pose that the client would draw moves.
TEST(InputToPose, AKeyPressMovesTheShownBody) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  const state::BodyId body = match.simulation().player_body(ann.client->status().player);
  ASSERT_NE(shown(*ann.client, body), nullptr);
  const math::Position before = shown(*ann.client, body)->pose.position;

  state::PlayerInput pressed;
  pressed.move_x = 1;
  ann.client->set_input(pressed);
  const std::uint32_t pressed_at = match.simulation().tick().number;
  std::optional<std::uint32_t> moved_at, shown_at;
  match.run_until(
      [&] {
        const auto handle = *match.simulation().find_body(body);
        if (!moved_at && match.simulation().world().linear_velocity(handle).x > 0.05f) {
          moved_at = match.simulation().tick().number;
        }
        if (shown(*ann.client, body)->pose.position.x - before.x > 0.05) {
          shown_at = match.simulation().tick().number;
        }
        return shown_at.has_value();
      },
      2.0);
  ASSERT_TRUE(moved_at.has_value());
  ASSERT_TRUE(shown_at.has_value());
  // On a perfect link, the server applies the input after the lead of the client's inputs, which is
  // a few ticks. The client shows the effect after the interpolation delay.
  EXPECT_LE(*moved_at - pressed_at, 6U);
  EXPECT_LE(*shown_at - pressed_at, 24U);

  match.run_seconds(1.0);
  const math::Position after = shown(*ann.client, body)->pose.position;
  EXPECT_GT(after.x - before.x, 1.0);
  EXPECT_NEAR(after.z, before.z, 0.1);
  EXPECT_LT(match.largest_error(ann), shown_tolerance);

  ann.client->set_input({});
  match.run_seconds(6.0);
  const math::Position truth =
      match.simulation().world().pose(*match.simulation().find_body(body)).position;
  EXPECT_NEAR(shown(*ann.client, body)->pose.position.x, truth.x, 0.05);
}

TEST(InputToPose, APushMovesTheBodyForAllClients) {
  MatchOptions options;
  options.faults.latency_us = 25'000;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(4.0);      // the crates come to rest
  const state::BodyId top{8};  // top of the stack of six: ground and lift come before the crates
  const math::Position before =
      match.simulation().world().pose(*match.simulation().find_body(top)).position;

  state::PlayerInput push;
  push.actions.push_back({state::ActionKind::Push, top, {}, {0, 150, 60}});
  ann.client->set_input(push);
  match.run_seconds(3.0);
  const math::Position after =
      match.simulation().world().pose(*match.simulation().find_body(top)).position;
  EXPECT_GT(math::length(after - before), 0.1f);
  for (const Seat* seat : {&ann, &bob}) {
    const math::Vec3 error = shown(*seat->client, top)->pose.position - after;
    EXPECT_LT(math::length(error), 0.05f);
  }
}

}  // namespace
}  // namespace jostle::match
