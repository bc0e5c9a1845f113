// Tests of play over narrow links, and of prediction over links with loss.
#include "client/sim/world_predictor.h"
#include "shared/net/network_conditions.h"
#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"
#include "tools/link/play_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::link {
namespace {

constexpr match::Pace awake{.interval_us = 4'000, .wakes_on_arrival = true};

scene::SceneDef shipped_scene(const std::string& name) {
  net::SystemIo io;
  auto scene = scene::load_scene(io, JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json");
  EXPECT_TRUE(scene.has_value());
  return scene ? *std::move(scene) : scene::SceneDef{};
}

/// Calculates how long each datagram waits in the queue of a link with `bytes_per_second`.
class QueueWatch {
 public:
  QueueWatch(match::Match& match, double bytes_per_second, bool is_up) {
    match.network().set_tap([this, &match, bytes_per_second, is_up](const net::Datagram& sent) {
      const bool goes_up = sent.to.ip == net::Ip(match::server_ip);
      if (goes_up != is_up) return;
      constexpr double header_bytes = 28;
      const auto now_us = static_cast<double>(match.network().now_us());
      double& busy_until_us = busy_until_us_[is_up ? sent.from.ip : sent.to.ip];
      const double queue_us = std::max(busy_until_us - now_us, 0.0);
      busy_until_us =
          now_us + queue_us +
          (static_cast<double>(sent.bytes.size()) + header_bytes) / bytes_per_second * 1e6;
      if (is_on) queues_ms.push_back(queue_us * 1e-3);
    });
  }
  double quantile(double share) {
    std::sort(queues_ms.begin(), queues_ms.end());
    return queues_ms.at(
        static_cast<std::size_t>(share * static_cast<double>(queues_ms.size() - 1)));
  }

  static constexpr double longest_us = 1e6;
  bool is_on = false;
  std::vector<double> queues_ms;

 private:
  std::map<net::Ip, double> busy_until_us_;
};

/// Runs one client, or all kinds of clients, over narrow links. Returns the queue that 99 % of
/// their datagrams do not exceed, in ms.
double queue_ms(const std::string& conditions, double kilobits, bool is_up,
                const scene::SceneDef& scene, std::string_view only = {}) {
  match::MatchOptions options;
  options.scene = scene;
  options.is_recorded = options.is_remembered = false;
  match::Match match(options);
  QueueWatch watch(match, kilobits * 125, is_up);
  for (const std::string_view kind : play_clients) {
    if (!only.empty() && kind != only) continue;
    const bool is_spectator = kind == "spectator";
    match::Seat& seat =
        match.add_client(std::string(kind),
                         is_spectator ? protocol::Role::Spectator : protocol::Role::Player, awake);
    if (kind == "predicting") {
      seat.predictor = std::make_unique<prediction::WorldPredictor>(match.network().node(seat.ip));
      seat.client->set_predictor(seat.predictor.get());
    }
    match.network().set_conditions(seat.ip, match::server_ip,
                                   net::parse_net_sim(conditions).value());
  }
  EXPECT_TRUE(match.run_until_playing(60));
  match::Seat& player = *match.seats().front();
  for (int i = 0; i < 60; ++i) {
    watch.is_on = i >= 8;
    state::PlayerInput input;
    input.move_x = 0.7f * std::sin(static_cast<float>(i));
    input.move_z = 0.7f * std::cos(static_cast<float>(i));
    if (only != "spectator") player.client->set_input(input);
    match.run_seconds(0.5);
  }
  EXPECT_EQ(player.client->status().state, client::ClientState::Playing);
  return watch.quantile(0.99);
}

TEST(ThinLinks, TheQueueStaysShort) {
  const scene::SceneDef katamari = shipped_scene("katamari");
  const scene::SceneDef small = match::scene_of(match::match_scene);
  EXPECT_LE(queue_ms("25/0/0%,up.rate=64,up.queue=1000", 64, true, small), 100);
  for (const std::string_view kind : play_clients) {
    SCOPED_TRACE(kind);
    EXPECT_LE(queue_ms("25/0/0%,down.rate=64,down.queue=1000", 64, false, katamari, kind), 100);
    EXPECT_LE(queue_ms("25/0/0%,down.rate=256,down.queue=1000", 256, false, katamari, kind), 100);
  }
}

/// Returns the figures of the clients over one link.
std::array<PlayFigures, play_clients.size()> played(const std::string& conditions,
                                                    scene::SceneDef scene, double minutes) {
  PlayRun run;
  run.scene = std::move(scene);
  run.links = {{conditions, net::parse_net_sim(conditions).value(), {}, awake}};
  run.seeds = 1;
  run.minutes = minutes;
  auto figures = run_play(run);
  EXPECT_TRUE(figures.has_value()) << figures.error();
  return figures->front();
}

TEST(ThinLinks, ThirtyTwoKilobitsUpCarryAPlayer) {
  auto figures =
      played("25/0/0%,up.rate=32,up.queue=1000", match::scene_of(match::match_scene), 0.5);
  PlayFigures& player = figures[0];
  EXPECT_GT(static_cast<double>(player.decoded), 0.95 * static_cast<double>(player.ticks));
  EXPECT_LT(player.input_age_ms.quantile(0.95), 600);
  // 50 ms of latency, 50 ms of transmission and 100 ms of queue
  EXPECT_LT(player.round_trip_ms.quantile(0.95), 200);
}

TEST(ThinLinks, SixtyFourKilobitsDownCarryAPicture) {
  auto figures = played("25/0/0%,down.rate=64,down.queue=1000", shipped_scene("katamari"), 0.5);
  for (std::size_t i = 0; i < 2; ++i) {
    SCOPED_TRACE(std::string(play_clients[i]));
    EXPECT_GT(static_cast<double>(figures[i].decoded), 0.25 * static_cast<double>(figures[i].ticks))
        << "15 snapshots per second";
    EXPECT_LT(figures[i].view_delay_ms.median(), 300);
    EXPECT_LT(figures[i].round_trip_ms.quantile(0.95), 250);
  }
  // The simulation state arrives beside the snapshots, instead of delaying them for a minute.
  PlayFigures& ahead = figures[2];
  EXPECT_GT(static_cast<double>(ahead.decoded), 0.4 * static_cast<double>(ahead.ticks));
  EXPECT_LT(ahead.view_delay_ms.median(), 500);
}

// A plain and a predicting player over the same kind of link.
TEST(PredictionUnderLoss, IsNeverWorseThanNone) {
  const char* const links[] = {"200/20/30%", "25/0/40%", "25/0/0%,burst-loss=2.5/10/100",
                               "25/0/0%,bursts=200"};
  for (const char* const conditions : links) {
    SCOPED_TRACE(conditions);
    auto figures = played(conditions, match::scene_of(match::match_scene), 0.5);
    PlayFigures &plain = figures[0], &ahead = figures[2];
    const auto share = [](const PlayFigures& one) {
      return static_cast<double>(one.decoded) / static_cast<double>(one.ticks);
    };
    // The two links lose different datagrams.
    EXPECT_GT(share(ahead), 0.9 * share(plain));
    EXPECT_LT(ahead.view_delay_ms.median(), 1.2 * plain.view_delay_ms.median());
    // The truth of the last frames is not known yet.
    EXPECT_GT(static_cast<double>(ahead.own_error_mm.count()),
              0.98 * static_cast<double>(ahead.frames))
        << "the own body is predicted in each frame";
  }
}

}  // namespace
}  // namespace jostle::link
