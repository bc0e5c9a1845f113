#include "client/client.h"

#include "protocol/control_codec.h"
#include "tests/client/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace jostle::client {
namespace {

using state::BodyId;
using state::BodyInfo;

BodyInfo ball(std::uint32_t id, double x) {
  BodyInfo body;
  body.id = {id};
  body.pose.position = {x, 1, 5};
  body.shapes = {{state::sphere(0.5f), {}}};
  return body;
}

std::vector<std::uint32_t> shown_ids(const Match& match) {
  std::vector<std::uint32_t> ids;
  for (const ShownBody& body : match.client->shown_bodies())
    ids.push_back(body.info->id.value);
  return ids;
}

TEST(Client, ConnectsLoadsTheWorldAndPlays) {
  Match match;
  EXPECT_EQ(match.client->status().state, ClientState::Connecting);
  EXPECT_TRUE(match.client->world().bodies.empty());
  ASSERT_TRUE(
      match.run_until([&] { return match.client->status().state == ClientState::Joining; }, 1'000));
  EXPECT_TRUE(match.client->world().bodies.empty());
  ASSERT_TRUE(match.run_until_playing());
  EXPECT_EQ(match.client->world(), match.server->world());
  EXPECT_EQ(match.client->status().player, state::PlayerId{1});
  EXPECT_EQ(match.client->status().text, "");
  EXPECT_EQ(match.server->hello()->client_name, "player");
  EXPECT_EQ(shown_ids(match).size(), 21U);
}

TEST(Client, DecodesEverySnapshotExactlyOnACleanLink) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(5'000);
  EXPECT_EQ(match.wrong, 0U);
  EXPECT_GT(match.completed, 290U);
  EXPECT_GT(match.server->counters().with_baseline, 20U * 290U);
  EXPECT_EQ(match.server->counters().undecodable, 0U);
  const Metrics& metrics = match.client->metrics();
  EXPECT_EQ(metrics.snapshots_complete, match.completed);
  EXPECT_EQ(metrics.parts_refused, 0U);
  EXPECT_EQ(metrics.snapshots_incomplete, 0U);
  EXPECT_EQ(metrics.loss, 0);
  EXPECT_LE(match.server->tick() - metrics.newest_tick, 4);
  EXPECT_NEAR(metrics.round_trip_ms, 40, 5);
  EXPECT_GT(metrics.bytes_per_second_down, 1'000);
  EXPECT_GT(metrics.bytes_per_second_up, 1'000);
  EXPECT_NEAR(metrics.snapshot_age_ms, 20 + 8, 12);
}

TEST(Client, DecodesPartsCorrectlyUnderLossAndJitter) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    for (const float loss : {0.05f, 0.3f}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " loss " << loss);
      Match match(seed, {.max_payload_bytes = 60});
      match.link.loss = loss;
      match.link.jitter_us = 20'000;
      ASSERT_TRUE(match.run_until_playing(5'000));
      match.run(6'000);
      EXPECT_EQ(match.wrong, 0U);
      EXPECT_GT(match.completed, loss < 0.1f ? 240U : 12U);
      EXPECT_NEAR(match.client->metrics().loss, static_cast<double>(loss), 0.1);
      EXPECT_EQ(match.client->metrics().parts_refused, 0U);
      EXPECT_LE(match.server->tick() - match.client->metrics().newest_tick, 60);
    }
  }
}

TEST(Client, ShowsConstantVelocitiesExactlyAtTheShownTick) {
  for (const std::uint16_t interval : {std::uint16_t{1}, std::uint16_t{3}}) {
    SCOPED_TRACE(testing::Message() << "interval " << interval);
    Match match(1, {.snapshot_interval_ticks = interval});
    ASSERT_TRUE(match.run_until_playing());
    match.run(2'000);
    int compared = 0;
    match.each_step = [&] {
      for (const ShownBody& body : match.client->shown_bodies()) {
        if (body.info->motion == state::MotionType::Static) continue;
        ASSERT_NEAR(body.pose.position.y, Match::shown_y(*body.info, match.client->shown_tick()),
                    1e-6);
        ++compared;
      }
    };
    match.run(1'000);
    EXPECT_GT(compared, 10'000);
    EXPECT_LT(match.client->metrics().interpolation_delay_ms, 20 + interval * 17 + 12);
  }
}

TEST(Client, PlaysAtAnEvenRateUnderJitterAndLoss) {
  Match match(3);
  match.link.jitter_us = 10'000;
  match.link.loss = 0.05f;
  ASSERT_TRUE(match.run_until_playing());
  match.run(5'000);
  double before = match.client->shown_tick(), extrapolated = 0;
  match.each_step = [&] {
    if (match.steps % match.client_interval_ms != 0) return;
    const double ticks = match.client->shown_tick() - before;
    before = match.client->shown_tick();
    ASSERT_NEAR(ticks, 0.24, 0.24 * 0.031);
    extrapolated += before > match.client->metrics().newest_tick.number;
  };
  match.run(10'000);
  EXPECT_LT(extrapolated / 2'500, 0.02) << "there is nearly always a snapshot ahead";
  // The expected delay is 68 ms: 20 ms link delay, 10 ms jitter, one snapshot interval and one more
  // because of the loss (16.7 ms each), and 4 ms between two updates of the client.
  EXPECT_LT(match.client->metrics().interpolation_delay_ms, 20 + 70);
}

TEST(Client, WaitsForAServerThatIsNotRunningYet) {
  Match match;
  match.link.is_server_up = false;
  match.run(4'000);
  EXPECT_EQ(match.client->status().state, ClientState::Connecting);
  EXPECT_EQ(match.client->status().text, "connecting to 127.0.0.1:7777");
  EXPECT_GE(match.link.dials, 2);
  match.link.is_server_up = true;
  EXPECT_TRUE(match.run_until_playing(4'000));
}

TEST(Client, DoesNotAbortASlowHandshake) {
  for (const bool is_answered : {false, true}) {
    Match match(1);
    match.link.is_server_up = false;
    match.link.is_answered = is_answered;
    match.run(8'000);
    EXPECT_EQ(match.client->status().state, ClientState::Connecting);
    if (is_answered) {
      EXPECT_EQ(match.link.dials, 1);
    } else {
      EXPECT_GE(match.link.dials, 3);
    }
  }
}

TEST(Client, FailsWithOneSentenceIfThereIsNoAnswer) {
  Match match(1, {}, {.connect_timeout_us = 3'000'000});
  match.link.is_server_up = false;
  match.run(3'100);
  EXPECT_EQ(match.client->status().state, ClientState::Failed);
  EXPECT_EQ(match.client->status().text, "no answer from 127.0.0.1:7777 within 3 s");
  EXPECT_TRUE(match.client->is_closed());
}

const net::Address first{net::loopback_ip, 7777}, second{net::loopback_ip6, 7777},
    third{net::Ip(0x0a000001U), 7777};

TEST(Client, FindsAServerAtAnyOfItsAddressesAndStaysThere) {
  for (const net::Address& at : {first, second, third}) {
    SCOPED_TRACE(net::to_string(at));
    Match match(1, {}, {.server = first, .other_addresses = {second, third}});
    match.link.server_at = at;
    ASSERT_TRUE(match.run_until_playing(5'000));
    const int dials = match.link.dials;
    match.server->shut_down(net::DisconnectReason::ServerShutdown);
    match.run(100);
    match.start_server(ScriptedServer::make_world(5, 2));
    ASSERT_TRUE(match.run_until_playing(2'000));
    EXPECT_EQ(match.link.dials, dials + 1);
  }
}

TEST(Client, NamesAllAddressesThatDidNotAnswer) {
  Match match(1, {},
              {.server = first, .other_addresses = {second}, .connect_timeout_us = 5'000'000});
  match.link.is_server_up = false;
  match.run(5'100);
  EXPECT_EQ(match.client->status().text, "no answer from 127.0.0.1:7777, [::1]:7777 within 5 s");
}

TEST(Client, ReportsTheServersReasonIfItIsRejected) {
  Match match(1, {.reject = protocol::Reject{protocol::RejectCode::VersionMismatch,
                                             "the server speaks 9.9, the client 1.0"}});
  match.run(1'000);
  EXPECT_EQ(match.client->status().state, ClientState::Failed);
  EXPECT_EQ(match.client->status().text,
            "the server refused the connection: the server speaks 9.9, the client 1.0");
}

TEST(Client, FailsIfTheServerNeverSendsItsWorld) {
  Match match(1, {.is_mute = true}, {.connect_timeout_us = 8'000'000});
  match.run(9'000);
  EXPECT_EQ(match.client->status().state, ClientState::Failed);
  EXPECT_GE(match.server->counters().hellos, 2U) << "it reconnected after the silence";
}

TEST(Client, PlaysAgainAfterItsProcessWasSuspended) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(500);
  // The client process is suspended for 15 s, as on a laptop that sleeps: only the server is
  // updated.
  for (int i = 0; i < 15'000; ++i) {
    match.io.time_us += 1'000;
    match.server->update();
  }
  for (int i = 0; i < 3'000; ++i) {
    match.step();
    ASSERT_NE(match.client->status().state, ClientState::Failed) << match.client->status().text;
  }
  EXPECT_EQ(match.client->status().state, ClientState::Playing);
}

TEST(Client, ReconnectsAfterTheServerRestartedWithAnotherWorld) {
  for (const bool is_told : {true, false}) {
    SCOPED_TRACE(is_told ? "with a disconnect message" : "killed");
    Match match;
    ASSERT_TRUE(match.run_until_playing());
    match.run(1'000);
    match.server->shut_down(is_told ? std::optional(net::DisconnectReason::ServerShutdown)
                                    : std::nullopt);
    ASSERT_TRUE(match.run_until(
        [&] { return match.client->status().state == ClientState::Connecting; }, 13'000));
    EXPECT_EQ(match.client->status().text.rfind("connection lost (", 0), 0U);
    EXPECT_EQ(shown_ids(match).size(), 21U) << "the last frame stays";
    match.run(2'000);

    match.script.first_tick = {10};
    match.script.clock_offset_us = -55'000'000;
    match.start_server(ScriptedServer::make_world(5, 2));
    ASSERT_TRUE(match.run_until_playing(5'000));
    match.run(2'000);
    EXPECT_EQ(match.client->world(), match.server->world());
    EXPECT_EQ(shown_ids(match).size(), 6U);
    EXPECT_EQ(match.wrong, 0U);
    EXPECT_NEAR(match.client->shown_tick(), match.server->exact_tick(), 6);
    EXPECT_GT(match.server->counters().inputs, 60U) << "inputs are numbered in the new time";
  }
}

TEST(Client, GivesUpReconnectingAfterTheTimeout) {
  Match match(1, {}, {.connect_timeout_us = 4'000'000});
  ASSERT_TRUE(match.run_until_playing());
  match.server->shut_down(net::DisconnectReason::ServerShutdown);
  match.run(4'500);
  EXPECT_EQ(match.client->status().state, ClientState::Failed);
  EXPECT_EQ(
      match.client->status().text,
      "connection to 127.0.0.1:7777 lost (the server shut down) and not re-established within 4 s");
}

TEST(Client, ReconnectsIfSnapshotsStopButTheServerAnswers) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(500);
  match.server->is_silent = true;
  ASSERT_TRUE(match.run_until(
      [&] { return match.client->status().state == ClientState::Connecting; }, 6'000));
  EXPECT_EQ(match.client->status().text,
            "connection lost (no snapshot could be decoded), connecting to 127.0.0.1:7777 again");
  match.server->is_silent = false;
  EXPECT_TRUE(match.run_until_playing());
  EXPECT_EQ(match.server->counters().hellos, 2U);
}

TEST(Client, FailsIfTheServerKicksIt) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.server->shut_down(net::DisconnectReason::Misbehaved);
  match.run(200);
  EXPECT_EQ(match.client->status().state, ClientState::Failed);
  EXPECT_EQ(match.client->status().text,
            "the server closed the connection: too many invalid messages");
}

TEST(Client, DisconnectsCleanlyOrAfterATimeout) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.client->close();
  EXPECT_FALSE(match.client->is_closed());
  match.run(100);
  EXPECT_TRUE(match.client->is_closed());
  EXPECT_EQ(match.client->status().state, ClientState::Playing);
  EXPECT_EQ(match.client->status().text, "closed");
  ASSERT_EQ(match.link.left().size(), 1U);
  EXPECT_EQ(match.link.left()[0].second, net::DisconnectReason::Requested);

  Match deaf;
  ASSERT_TRUE(deaf.run_until_playing());
  deaf.link.is_server_up = false;
  deaf.client->close();
  deaf.run(1'100);
  EXPECT_TRUE(deaf.client->is_closed())
      << "the client does not wait for a server that does not answer";
}

TEST(Client, LoadsAWorldWhoseChunksArriveBeforeWelcomeAndAnnouncements) {
  Match match;
  match.link.control_delay_us = 80'000;
  ASSERT_TRUE(match.run_until_playing());
  EXPECT_EQ(match.client->world(), match.server->world());
  match.run(500);
  EXPECT_EQ(match.wrong, 0U);
}

TEST(Client, KeepsSnapshotsThatArriveBeforeTheirRevision) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(500);
  // Snapshots of the new revisions arrive about 150 ms before the changes that create these
  // revisions.
  match.link.control_delay_us = 150'000;
  const std::uint64_t before = match.completed;
  for (std::uint32_t i = 0; i < 20; ++i) {
    match.server->change({}, {ball(100 + i, i)});
    match.run(17);
    if (i >= 10) match.server->change({BodyId{90 + i}}, {});
  }
  match.run(1'000);
  EXPECT_EQ(match.client->world(), match.server->world());
  EXPECT_EQ(match.wrong, 0U);
  EXPECT_GE(match.completed - before, 79U) << "none was dropped";
  EXPECT_EQ(match.client->metrics().parts_refused, 0U);
}

TEST(Client, ShowsBodiesFromTheirSpawnTickToTheirDespawnTick) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(1'000);
  match.server->change({BodyId{5}}, {ball(200, 3)});
  const state::Tick changed = match.server->tick() + 1;
  int before = 0, after = 0;
  match.each_step = [&] {
    const bool is_changed = match.client->shown_tick() >= changed.number;
    ++(is_changed ? after : before);
    ASSERT_EQ(match.shown(200) != nullptr, is_changed) << match.client->shown_tick();
    ASSERT_EQ(match.shown(5) != nullptr, !is_changed) << match.client->shown_tick();
  };
  match.run(500);
  EXPECT_GT(before, 30) << "the displayed time is in the past";
  EXPECT_GT(after, 300);
}

TEST(Client, KeepsCachedShapesOverAReset) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(500);
  const std::uint64_t shapes = match.server->counters().shapes_sent;
  std::vector<BodyId> gone;
  std::vector<BodyInfo> fresh;
  for (BodyInfo body : match.server->world().bodies) {
    if (body.motion == state::MotionType::Static) continue;
    gone.push_back(body.id);
    body.id.value += 1'000;
    fresh.push_back(body);
  }
  match.server->change_by_blob(gone, fresh);
  match.run(1'000);
  EXPECT_EQ(match.client->world(), match.server->world());
  EXPECT_EQ(match.server->counters().shapes_sent, shapes);
  EXPECT_EQ(match.wrong, 0U);
  EXPECT_EQ(match.client->status().state, ClientState::Playing);
  EXPECT_EQ(shown_ids(match).back(), 1'021U);
}

TEST(Client, DeliversEveryInputInTimeUnderLoss) {
  Match match(5);
  match.link.loss = 0.2f;
  match.link.jitter_us = 5'000;
  ASSERT_TRUE(match.run_until_playing());
  match.run(3'000);
  const auto late = match.server->counters().late_inputs;
  const state::Tick from = match.server->tick() + 10;
  state::PlayerInput input;
  input.move_x = 0.25f;
  input.actions = {{state::ActionKind::Push, {3}, {}, {0, 9, 0}}};
  match.client->set_input(input);
  match.run(5'000);
  int pushes = 0;
  for (const auto& [tick, got] : match.server->inputs()) {
    pushes += static_cast<int>(got.actions.size());
    if (tick > from.number) {
      EXPECT_EQ(got.move_x, 0.25f);
    }
  }
  EXPECT_EQ(pushes, 1);
  for (std::uint32_t tick = from.number; tick + 60 < match.server->tick().number; ++tick) {
    ASSERT_TRUE(match.server->inputs().contains(tick)) << "no input for tick " << tick;
  }
  EXPECT_LT(match.server->counters().late_inputs - late, 30U);
  EXPECT_LE(match.client->metrics().input_margin_ticks, 3);
}

TEST(Client, AcknowledgesButSendsNoInputsAsASpectator) {
  Match match(1, {}, {.role = protocol::Role::Spectator});
  ASSERT_TRUE(match.run_until_playing());
  match.run(1'000);
  EXPECT_TRUE(match.client->status().player.is_null());
  EXPECT_EQ(match.server->counters().inputs + match.server->counters().late_inputs, 0U);
  EXPECT_GT(match.completed, 50U);
  EXPECT_EQ(match.wrong, 0U);
}

TEST(Client, SendsControlRequests) {
  Match match;
  match.client->request({state::ControlKind::Pause, 0});
  ASSERT_TRUE(match.run_until_playing());
  match.client->request({state::ControlKind::Rate, 50});
  match.run(100);
  ASSERT_EQ(match.server->requests().size(), 1U);
  EXPECT_EQ(match.server->requests()[0], (state::ControlCommand{state::ControlKind::Rate, 50}));
}

TEST(Client, SendsRequestsForScenes) {
  Match match;
  match.client->ask_for_scenes();
  ASSERT_TRUE(match.run_until_playing());
  EXPECT_EQ(match.server->list_requests(), 0) << "there was no connection yet";
  match.client->ask_for_scenes();
  match.client->load_scene("tower");
  match.run(100);
  EXPECT_EQ(match.server->list_requests(), 1);
  EXPECT_EQ(match.server->scene_requests(), std::vector<std::string>{"tower"});
}

void tell(Match& match, const protocol::ControlMessage& message) {
  match.server->send_raw(net::Channel::Control, protocol::encode_control(message));
  match.run(50);
}

TEST(Client, ReplacesTheSceneListOnlyWhenTheNewOneIsComplete) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  tell(match, protocol::SceneInfo{0, 2, "a", "First."});
  EXPECT_TRUE(match.client->scenes().empty());
  tell(match, protocol::SceneInfo{1, 2, "b", "Second."});
  ASSERT_EQ(match.client->scenes().size(), 2U);
  EXPECT_EQ(match.client->scenes()[1].description, "Second.");
  tell(match, protocol::SceneInfo{0, 1, "c", ""});
  ASSERT_EQ(match.client->scenes().size(), 1U);
  EXPECT_EQ(match.client->scenes()[0].name, "c");
  EXPECT_EQ(match.client->status().state, ClientState::Playing);
}

TEST(Client, ReturnsEachNoticeOnce) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  EXPECT_EQ(match.client->take_notice(), std::nullopt);
  tell(match, protocol::Notice{"no"});
  EXPECT_EQ(match.client->take_notice(), "no");
  EXPECT_EQ(match.client->take_notice(), std::nullopt);
}

TEST(Client, HoldsMovementThatWasSetBeforePlaying) {
  Match match;
  state::PlayerInput input;
  input.move_z = -0.5f;
  match.client->set_input(input);
  ASSERT_TRUE(match.run_until_playing());
  match.run(500);
  ASSERT_FALSE(match.server->inputs().empty());
  EXPECT_EQ(match.server->inputs().begin()->second.move_z, -0.5f);
}

TEST(Client, IsDeterministic) {
  const auto play = [] {
    Match match(12);
    match.link.loss = 0.1f;
    match.link.jitter_us = 15'000;
    std::vector<double> shown;
    match.each_step = [&] { shown.push_back(match.client->shown_tick()); };
    match.run(5'000);
    shown.push_back(static_cast<double>(match.link.counters().bytes_sent));
    return shown;
  };
  EXPECT_EQ(play(), play());
}

}  // namespace
}  // namespace jostle::client
