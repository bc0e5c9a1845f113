#include "client/sim/world_predictor.h"
#include "tests/link/latency.h"
#include "tools/link/play_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace jostle::link {
namespace {

/// Time beyond a round trip within which each client must play on after a hitch.
constexpr double slack_ms = 100;
constexpr double tick_length_ms = 1e3 / 60;

PlayLink hitch_link(double seconds, bool stops_server, bool stops_clients) {
  PlayLink link;
  link.name =
      std::to_string(seconds) + (stops_server ? " server" : "") + (stops_clients ? " clients" : "");
  link.pace = {.interval_us = 4'000, .wakes_on_arrival = true};
  link.conditions.up.latency_us = link.conditions.down.latency_us = latency_us;
  link.hitches = {seconds, stops_server, stops_clients, false};
  return link;
}

TEST(Hitches, ClientsPlayOnWithinOneRoundTripAndATenthOfASecond) {
  PlayRun run;
  run.scene = match::scene_of(match::match_scene);
  for (const double seconds : {0.1, 0.25, 0.5, 1.5, 1.8, 2.1, 5.0, 10.0}) {
    run.links.push_back(hitch_link(seconds, true, false));
    run.links.push_back(hitch_link(seconds, false, true));
    run.links.push_back(hitch_link(seconds, true, true));
  }
  run.seeds = 1;
  run.minutes = 0.41;
  auto figures = run_play(run);
  ASSERT_TRUE(figures.has_value()) << figures.error();
  const double most_ms = 2e-3 * latency_us + slack_ms;
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    for (std::size_t j = 0; j < play_clients.size(); ++j) {
      SCOPED_TRACE(run.links[i].name + ", " + std::string(play_clients[j]));
      PlayFigures& row = (*figures)[i][j];
      ASSERT_GT(row.picture_back_ms.count(), 0U);
      EXPECT_LE(row.picture_back_ms.largest(), most_ms);
      if (play_clients[j] == "spectator") continue;
      ASSERT_GT(row.inputs_back_ms.count(), 0U);
      EXPECT_LE(row.inputs_back_ms.largest(), most_ms);
    }
  }
}

/// A match with a player, a predicting player and a spectator, each with 25 ms of latency.
struct HitchMatch {
  explicit HitchMatch(std::uint64_t seed = 1) : match(options_of(seed)) {
    const match::Pace pace{.interval_us = 4'000, .wakes_on_arrival = true};
    player = &match.add_client("player", protocol::Role::Player, pace);
    ahead = &match.add_client("ahead", protocol::Role::Player, pace);
    ahead->predictor =
        std::make_unique<prediction::WorldPredictor>(match.network().node(ahead->ip));
    ahead->client->set_predictor(ahead->predictor.get());
    spectator = &match.add_client("spectator", protocol::Role::Spectator, pace);
    EXPECT_TRUE(match.run_until_playing(5));
    match.run_seconds(6);
  }
  static match::MatchOptions options_of(std::uint64_t seed) {
    match::MatchOptions options;
    options.seed = seed;
    options.is_recorded = false;
    options.faults.latency_us = latency_us;
    return options;
  }
  double delay_ms(const match::Seat& seat) const {
    return (match.true_tick() - seat.client->shown_tick()) * tick_length_ms;
  }

  match::Match match;
  match::Seat *player = nullptr, *ahead = nullptr, *spectator = nullptr;
};

TEST(Hitches, DelaysAndLeadsAreBackWithinASecond) {
  for (const double seconds : {0.1, 0.4, 0.5, 1.5, 2.1, 5.0}) {
    for (const bool stops_server : {true, false}) {
      SCOPED_TRACE(std::to_string(seconds) + (stops_server ? " server" : " clients"));
      HitchMatch hitch;
      const auto bytes_up_in_two_seconds = [&] {
        const std::uint64_t before = hitch.player->client->metrics().bytes_up;
        hitch.match.run_seconds(2);
        return static_cast<double>(hitch.player->client->metrics().bytes_up - before);
      };
      const double bytes_before = bytes_up_in_two_seconds();
      double delays_before[3], rtt_before = hitch.player->client->metrics().round_trip_ms;
      const match::Seat* seats[3] = {hitch.player, hitch.ahead, hitch.spectator};
      for (int i = 0; i < 3; ++i)
        delays_before[i] = hitch.delay_ms(*seats[i]);
      const double lead_before = hitch.player->client->metrics().input_latency_ms;
      if (stops_server) hitch.match.stop_server(seconds);
      for (const auto& seat : hitch.match.seats())
        if (!stops_server) hitch.match.stop_client(*seat, seconds);
      hitch.match.run_seconds(seconds + 1);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(hitch.delay_ms(*seats[i]), delays_before[i], tick_length_ms) << i;
      EXPECT_NEAR(hitch.player->client->metrics().input_latency_ms, lead_before, tick_length_ms);
      EXPECT_NEAR(hitch.player->client->metrics().round_trip_ms, rtt_before, 5);
      EXPECT_LT(hitch.player->client->metrics().loss, 0.02);
      // The delays in the stop are no queue, so the client sends as often as before.
      EXPECT_NEAR(bytes_up_in_two_seconds(), bytes_before, 0.05 * bytes_before);
      EXPECT_NEAR(hitch.player->client->metrics().input_latency_ms, lead_before, tick_length_ms);
    }
  }
}

TEST(Hitches, ASuspendedServerAndASuspendedClientPlayOn) {
  for (const bool is_server : {true, false}) {
    SCOPED_TRACE(is_server);
    HitchMatch hitch;
    const double before_ms = hitch.delay_ms(*hitch.player);
    if (is_server) hitch.match.suspend_server(3);
    if (!is_server) hitch.match.suspend_client(*hitch.player, 3);
    hitch.match.run_seconds(3 + 1);
    EXPECT_NEAR(hitch.delay_ms(*hitch.player), before_ms, 2 * tick_length_ms);
    EXPECT_EQ(hitch.player->client->status().state, client::ClientState::Playing);
  }
}

/// Moves the predicting player of a match and records where its client shows its body.
class OwnBodyWatch {
 public:
  explicit OwnBodyWatch(HitchMatch& hitch) : hitch_(hitch) {
    state::PlayerInput input;
    input.move_x = 0.5f;
    hitch_.ahead->client->set_input(input);
  }
  /// Runs for one frame. Returns how far the body has moved, in m.
  double run_frame() {
    hitch_.match.run_seconds(1.0 / 60);
    const client::Client& client = *hitch_.ahead->client;
    const state::BodyId own =
        hitch_.match.simulation().player_body(hitch_.ahead->client->status().player);
    const math::Position before = position_;
    for (const client::ShownBody& body : client.shown_bodies())
      if (body.info->id == own) position_ = body.pose.position;
    return static_cast<double>(length(position_ - before));
  }
  double longest_of(double seconds) {
    double longest = 0;
    for (double left = seconds; left > 0; left -= 1.0 / 60)
      longest = std::max(longest, run_frame());
    return longest;
  }

 private:
  HitchMatch& hitch_;
  math::Position position_;
};

TEST(PredictionHorizon, TheOwnBodyStopsWhileTheServerStandsStill) {
  for (const double seconds : {0.5, 2.0, 5.0}) {
    SCOPED_TRACE(seconds);
    HitchMatch hitch;
    OwnBodyWatch watch(hitch);
    watch.longest_of(1);
    const double usual = watch.longest_of(1);
    EXPECT_GT(usual, 0.01);
    hitch.match.stop_server(seconds);
    watch.longest_of(0.25);
    EXPECT_LT(watch.longest_of(seconds - 0.27), 1e-4);
    EXPECT_LT(watch.longest_of(1), 5 * usual);
  }
}

TEST(LinkTrouble, IsNoticedWithinThreeTenthsOfASecond) {
  HitchMatch hitch;
  const auto trouble = [&] { return hitch.player->client->metrics().trouble; };
  EXPECT_EQ(trouble(), client::LinkTrouble::None);
  hitch.match.stop_server(1);
  hitch.match.run_seconds(0.3 + 1e-6 * latency_us);
  EXPECT_EQ(trouble(), client::LinkTrouble::NoData);
  hitch.match.run_seconds(1.2);
  EXPECT_EQ(trouble(), client::LinkTrouble::None);
  hitch.match.network().set_cut(hitch.player->ip, match::server_ip, true);
  hitch.match.run_seconds(0.3 + 2e-6 * latency_us);
  EXPECT_EQ(trouble(), client::LinkTrouble::UplinkStarved);
  hitch.match.network().set_cut(hitch.player->ip, match::server_ip, false);
  hitch.match.run_seconds(0.5);
  EXPECT_EQ(trouble(), client::LinkTrouble::None);
  hitch.match.network().set_cut(match::server_ip, hitch.player->ip, true);
  hitch.match.run_seconds(0.3 + 1e-6 * latency_us);
  EXPECT_EQ(trouble(), client::LinkTrouble::NoData);
}

TEST(ComingBack, AClientWhoseSessionIsGoneRedialsAtOnce) {
  HitchMatch hitch;
  const state::PlayerId player = hitch.player->client->status().player;
  hitch.match.stop_client(*hitch.player, 20);
  hitch.match.run_seconds(20);
  EXPECT_EQ(hitch.match.server().session_count(), 2U) << "the server has dropped the session";
  // The hint, a quarter of a second, and five round trips for the new connection.
  hitch.match.run_seconds(0.75);
  EXPECT_EQ(hitch.player->client->status().state, client::ClientState::Playing);
  EXPECT_EQ(hitch.player->client->status().player, player);
}

TEST(ComingBack, AClientOfARestartedServerRedialsAtOnce) {
  HitchMatch hitch;
  hitch.match.kill_server();
  hitch.match.run_seconds(0.5);
  hitch.match.start_server();
  hitch.match.run_seconds(0.75);
  for (const auto& seat : hitch.match.seats())
    EXPECT_EQ(seat->client->status().state, client::ClientState::Playing) << seat->name;
}

// Each direction is cut for two seconds. The picture moves within 150 ms after the link is back.
TEST(ComingBack, ABlackoutInOneDirectionIsNotPaidTwice) {
  for (const bool is_up : {true, false}) {
    SCOPED_TRACE(is_up ? "up" : "down");
    HitchMatch hitch;
    const auto cut = [&](bool is_cut) {
      if (is_up) hitch.match.network().set_cut(hitch.player->ip, match::server_ip, is_cut);
      if (!is_up) hitch.match.network().set_cut(match::server_ip, hitch.player->ip, is_cut);
    };
    cut(true);
    hitch.match.run_seconds(2);
    cut(false);
    const auto tick = static_cast<double>(hitch.match.simulation().tick().number);
    hitch.match.run_seconds(0.15);
    EXPECT_GT(hitch.player->client->metrics().newest_tick.number, tick);
    const std::uint64_t before = hitch.player->client->metrics().snapshots_complete;
    hitch.match.run_seconds(1);
    EXPECT_GE(hitch.player->client->metrics().snapshots_complete - before, 58U);
  }
}

TEST(ComingBack, ACrashedPlayerTakesItsOwnPlaceOnAFullServer) {
  match::MatchOptions options = HitchMatch::options_of(1);
  options.server.max_players = options.server.max_sessions = 2;
  match::Match match(options);
  match.add_client("ann");
  match.add_client("bob");
  ASSERT_TRUE(match.run_until_playing(5));
  match::Seat& ann = *match.seats()[0];
  const state::PlayerId player = ann.client->status().player;
  // The client keeps its token, but its old connection is dead, and the server has not noticed.
  match.network().set_cut(ann.ip, match::server_ip, true);
  match.run_seconds(13);
  match.network().set_cut(ann.ip, match::server_ip, false);
  match.run_seconds(2);
  EXPECT_EQ(ann.client->status().state, client::ClientState::Playing) << ann.client->status().text;
  EXPECT_EQ(ann.client->status().player, player);
}

TEST(ComingBack, AForgedHintDoesNotEndASession) {
  HitchMatch hitch;
  const auto accepted = hitch.match.server().metrics().sessions_accepted;
  net::Datagram forged;
  hitch.match.network().set_tap([&](const net::Datagram& sent) {
    if (sent.from.ip != net::Ip(hitch.player->ip) || sent.bytes.size() < 13) return;
    forged = {sent.to, sent.from, {sent.bytes.begin(), sent.bytes.begin() + 13}};
    forged.bytes[0] = std::byte{6};
  });
  for (int i = 0; i < 100; ++i) {
    hitch.match.run_seconds(0.02);
    hitch.match.network().inject(forged);
  }
  EXPECT_EQ(hitch.player->client->status().state, client::ClientState::Playing);
  EXPECT_EQ(hitch.match.server().metrics().sessions_accepted, accepted);
}

}  // namespace
}  // namespace jostle::link
