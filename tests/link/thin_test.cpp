// Tests of play over narrow links, and of prediction over links with loss.
#include "client/sim/world_predictor.h"
#include "shared/base/random.h"
#include "shared/net/network_conditions.h"
#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"
#include "tools/link/play_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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

/// The links and clients that queue_ms() measures.
struct QueueRun {
  std::string conditions;
  double kilobits = 0;
  bool is_up = false;
  scene::SceneDef scene;
  std::string_view only;  // kind of client; empty: one of each
  std::uint64_t seed = 1;
  bool begins_at_join = false;  // false: 4 s after the join
};

/// Runs clients over narrow links for 30 s. Returns the queue that 99 % of their datagrams do not
/// exceed, in ms.
double queue_ms(const QueueRun& run) {
  match::MatchOptions options;
  options.scene = run.scene;
  options.seed = run.seed;
  options.is_recorded = options.is_remembered = false;
  match::Match match(options);
  QueueWatch watch(match, run.kilobits * 125, run.is_up);
  watch.is_on = run.begins_at_join;
  for (const std::string_view kind : play_clients) {
    if (!run.only.empty() && kind != run.only) continue;
    const bool is_spectator = kind == "spectator";
    match::Seat& seat =
        match.add_client(std::string(kind),
                         is_spectator ? protocol::Role::Spectator : protocol::Role::Player, awake);
    if (kind == "predicting") {
      seat.predictor = std::make_unique<prediction::WorldPredictor>(match.network().node(seat.ip));
      seat.client->set_predictor(seat.predictor.get());
    }
    match.network().set_conditions(seat.ip, match::server_ip,
                                   net::parse_net_sim(run.conditions).value());
  }
  EXPECT_TRUE(match.run_until_playing(60));
  match::Seat& player = *match.seats().front();
  base::Random random(run.seed);
  for (int i = 0; i < 60; ++i) {
    watch.is_on |= i >= 8;
    state::PlayerInput input;
    const float angle = run.seed == 1 ? static_cast<float>(i) : random.between(0, 6);
    input.move_x = 0.7f * std::sin(angle);
    input.move_z = 0.7f * std::cos(angle);
    if (run.only != "spectator") player.client->set_input(input);
    match.run_seconds(0.5);
  }
  EXPECT_EQ(player.client->status().state, client::ClientState::Playing);
  return watch.quantile(0.99);
}

/// Returns the number of seeds of TheQueueStaysShort.
std::uint64_t queue_seeds() {
  const char* const text = std::getenv("JOSTLE_THIN_LINK_SEEDS");
  return text == nullptr ? 2 : std::strtoull(text, nullptr, 10);
}

/// Returns the conditions of a narrow link whose latency depends on the seed.
std::string narrow_link(std::uint64_t seed, const std::string& limit) {
  return std::to_string(24 + seed) + "/0/0%," + limit + ".queue=1000";
}

TEST(ThinLinks, TheQueueStaysShort) {
  const scene::SceneDef katamari = shipped_scene("katamari");
  for (std::uint64_t seed = 1; seed <= queue_seeds(); ++seed) {
    for (const std::string_view kind : play_clients) {
      for (const int rate : {64, 256}) {
        SCOPED_TRACE(std::string(kind) + " " + std::to_string(rate) + ", seed " +
                     std::to_string(seed));
        const std::string limit = "down.rate=" + std::to_string(rate) + ",down";
        EXPECT_LE(queue_ms({.conditions = narrow_link(seed, limit),
                            .kilobits = static_cast<double>(rate),
                            .is_up = false,
                            .scene = katamari,
                            .only = kind,
                            .seed = seed}),
                  100);
      }
    }
  }
}

TEST(ThinLinks, TheQueueUpwardStaysShortFromTheJoinOn) {
  for (const int rate : {32, 48, 64, 128}) {
    for (std::uint64_t seed = 1; seed <= queue_seeds(); ++seed) {
      SCOPED_TRACE(std::to_string(rate) + ", seed " + std::to_string(seed));
      const std::string limit = "up.rate=" + std::to_string(rate) + ",up";
      EXPECT_LE(queue_ms({.conditions = narrow_link(seed, limit),
                          .kilobits = static_cast<double>(rate),
                          .is_up = true,
                          .scene = match::scene_of(match::match_scene),
                          .only = {},
                          .seed = seed,
                          .begins_at_join = true}),
                100);
    }
  }
}

// The server sends 35 kB of simulation state beside the snapshots.
TEST(ThinLinks, SixtyFourKilobitsDownCarryASimulationStateSoon) {
  match::MatchOptions options;
  options.scene = shipped_scene("katamari");
  options.is_recorded = options.is_remembered = false;
  match::Match match(options);
  match::Seat& seat = match.add_client("predicting", protocol::Role::Player, awake);
  seat.predictor = std::make_unique<prediction::WorldPredictor>(match.network().node(seat.ip));
  seat.client->set_predictor(seat.predictor.get());
  match.network().set_conditions(
      seat.ip, match::server_ip,
      net::parse_net_sim("25/0/0%,down.rate=64,down.queue=1000").value());
  EXPECT_TRUE(match.run_until([&] { return seat.client->metrics().prediction.is_running; }, 18));
}

/// Returns the figures of the clients over one link.
std::array<PlayFigures, play_clients.size()> played(const std::string& conditions,
                                                    scene::SceneDef scene, double minutes,
                                                    int seeds = 1) {
  PlayRun run;
  run.scene = std::move(scene);
  run.links = {{conditions, net::parse_net_sim(conditions).value(), {}, awake}};
  run.seeds = seeds;
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

// Packets that arrive in bursts wait for each other, but not in a queue.
TEST(UplinkStart, IsNotSlowedByBursts) {
  auto figures = played("25/0/0%,up.bursts=100", match::scene_of(match::match_scene), 0.2);
  for (const std::size_t player : {0, 2})
    EXPECT_LT(figures[player].input_age_ms.median(), 150) << play_clients[player];
}

// Over a round trip of one second, it would take many seconds, in which inputs are late.
TEST(UplinkStart, IsSkippedOverALongRoundTrip) {
  auto figures = played("500/0/0%", shipped_scene("crates"), 0.15);
  for (const std::size_t player : {0, 2})
    EXPECT_LT(figures[player].input_age_ms.quantile(0.95), 600) << play_clients[player];
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

struct LossLink {
  const char* conditions;
  const char* scene;  // "match": the small scene
  int seeds = 1;
  bool has_outages = false;  // in which the prediction stops
};

// A plain and a predicting player over the same kind of link.
TEST(PredictionUnderLoss, IsNeverWorseThanNone) {
  const LossLink links[] = {{"200/20/30%", "match"},
                            {"25/0/40%", "match"},
                            {"25/0/40%", "crates", 2},
                            {"25/0/0%,burst-loss=2.5/10/100", "match", 2, true},
                            {"25/0/0%,bursts=200", "match"},
                            {"25/0/0%,up.bursts=200", "match"},
                            {"25/0/0%,down.bursts=200", "match"},
                            {"25/0/0%,up.blackout=1000/10000", "match"},
                            {"25/0/0%,down.blackout=1000/10000", "match", 2, true},
                            {"wifi", "match"},
                            {"wifi-power-save", "match"},
                            {"lte-handover", "match", 4},
                            {"adsl-upload", "match"},
                            {"satellite", "match"},
                            {"train", "match", 3, true}};
  for (const LossLink& link : links) {
    SCOPED_TRACE(std::string(link.conditions) + " " + link.scene);
    auto figures =
        played(link.conditions,
               link.scene == std::string_view("match") ? match::scene_of(match::match_scene)
                                                       : shipped_scene(link.scene),
               0.3, link.seeds);
    PlayFigures &plain = figures[0], &ahead = figures[2];
    const auto share = [](const PlayFigures& one) {
      return static_cast<double>(one.decoded) / static_cast<double>(one.ticks);
    };
    // The two links lose different datagrams, and the two players move differently.
    // A trial of the server's rate control costs one of them a second or two.
    EXPECT_GT(share(ahead), 0.85 * share(plain));
    EXPECT_LT(ahead.view_delay_ms.median(), 1.2 * plain.view_delay_ms.median());
    EXPECT_LT(ahead.own_distance_mm.median(), 0.2 * plain.own_distance_mm.median());
    if (!link.has_outages) {
      EXPECT_LT(ahead.own_distance_mm.quantile(0.95), plain.own_distance_mm.quantile(0.95));
    }
    EXPECT_LT(ahead.others_distance_mm.quantile(0.95),
              1.1 * plain.others_distance_mm.quantile(0.95) + 1);
    // The truth of the last frames is not known yet.
    if (link.has_outages) continue;
    EXPECT_GT(static_cast<double>(ahead.own_error_mm.count()),
              0.97 * static_cast<double>(ahead.frames))
        << "the own body is predicted in each frame";
  }
}

}  // namespace
}  // namespace jostle::link
