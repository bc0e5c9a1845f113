// Tests of predicted players that collide with each other.
#include "shared/base/random.h"
#include "tests/client_sim/predicting.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::prediction {
namespace {

using match::Match;
using match::MatchOptions;
using match::Seat;

constexpr std::string_view arena = R"({
  "name": "arena",
  "player": {"shape": {"sphere": {"radius": 0.5}}, "mass": 20, "move_force": 200, "max_speed": 4},
  "spawns": [{"position": [-3, 0.5, 0]}, {"position": [3, 0.5, 0]}],
  "bodies": [{"motion_type": "static", "shape": {"plane": {}}}]})";

/// Two predicting players that drive against each other, and the distances of their displayed
/// positions from the server's for the same tick.
class Duel {
 public:
  Duel(const net::LinkFaults& faults, std::uint64_t seed) : match_(options_of(faults, seed)) {
    seats_ = {&add_predicting(match_, "ann"), &add_predicting(match_, "bob")};
    match_.set_tick_hook([this] { note_tick(); });
  }

  void run(double seconds, std::uint64_t seed) {
    ASSERT_TRUE(match_.run_until([&] { return is_predicting(); }, 20));
    match_.run_seconds(4);
    base::Random random(seed);
    for (int frame = 0; frame < static_cast<int>(seconds * 60); ++frame) {
      for (std::size_t i = 0; i < seats_.size(); ++i)
        drive(*seats_[i], i, frame, random);
      match_.run_to(match_.network().now_us() + 16'667);
      look();
    }
    match_.run_seconds(0.5);
  }
  /// Returns the distances, m, ascending. `is_own` selects those of the clients' own bodies.
  std::vector<double> errors(bool is_own) const {
    std::vector<double> found;
    for (const Shown& shown : shown_) {
      if (shown.is_own != is_own) continue;
      const auto& truth = truth_[shown.player];
      const auto floor = static_cast<std::uint32_t>(shown.tick);
      const auto from = truth.find(floor), to = truth.find(floor + 1);
      if (from == truth.end() || to == truth.end()) continue;
      const math::Position there =
          from->second + (to->second - from->second) * static_cast<float>(shown.tick - floor);
      found.push_back(static_cast<double>(length(shown.position - there)));
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  /// Returns the number of ticks in which the players touched.
  int touches() const { return touches_; }

 private:
  struct Shown {
    std::size_t player = 0;
    bool is_own = false;
    double tick = 0;
    math::Position position;
  };
  static MatchOptions options_of(const net::LinkFaults& faults, std::uint64_t seed) {
    MatchOptions options;
    options.seed = seed;
    options.faults = faults;
    options.scene = match::scene_of(arena);
    options.is_recorded = options.is_remembered = false;
    return options;
  }
  bool is_predicting() const {
    return std::all_of(seats_.begin(), seats_.end(),
                       [](const Seat* seat) { return seat->predictor->figures().is_running; });
  }
  state::BodyId body_of(std::size_t player) {
    return match_.simulation().player_body(seats_[player]->client->status().player);
  }
  math::Position position_of(std::size_t player) {
    const auto body = match_.simulation().find_body(body_of(player));
    return body ? match_.simulation().world().pose(*body).position : math::Position{};
  }

  /// Drives towards the other player for 1.5 s, and then away from it for 1 s, a little askew.
  void drive(Seat& seat, std::size_t player, int frame, base::Random& random) {
    const int phase = frame % 150;
    if (phase != 0 && phase != 90) return;
    const math::Vec3 way = position_of(1 - player) - position_of(player);
    const float distance = std::max(length(way), 0.1f);
    const float side = phase == 0 ? 0.9f : -0.9f, askew = random.between(-0.2f, 0.2f);
    state::PlayerInput input;
    input.move_x = side * (way.x + askew * way.z) / distance;
    input.move_z = side * (way.z - askew * way.x) / distance;
    seat.client->set_input(input);
  }

  void note_tick() {
    for (std::size_t i = 0; i < seats_.size(); ++i)
      truth_[i][match_.simulation().tick().number] = position_of(i);
    touches_ += length(position_of(0) - position_of(1)) < 1.01f ? 1 : 0;
  }
  /// Records the displayed positions: always of the own body, of the other's while they are close.
  void look() {
    const bool are_close = length(position_of(0) - position_of(1)) < 1.2f;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const client::PredictionMetrics& prediction = seats_[i]->predictor->figures();
      if (!prediction.is_running) continue;
      for (const client::ShownBody& body : seats_[i]->client->shown_bodies()) {
        for (std::size_t j = 0; j < seats_.size(); ++j)
          if (body.info->id == body_of(j) && (i == j || are_close))
            shown_.push_back({j, i == j, prediction.shown_tick, body.pose.position});
      }
    }
  }

  Match match_;
  std::vector<Seat*> seats_;
  std::vector<Shown> shown_;
  std::map<std::uint32_t, math::Position> truth_[2];
  int touches_ = 0;
};

TEST(PredictedPlayers, StayWithinTenCentimetresWhenTheyCollide) {
  net::LinkFaults faults;
  faults.latency_us = 50'000;
  faults.loss = 0.05f;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    Duel duel(faults, seed);
    ASSERT_NO_FATAL_FAILURE(duel.run(30, seed));
    EXPECT_GT(duel.touches(), 30);
    const std::vector<double> own = duel.errors(true), other = duel.errors(false);
    ASSERT_GT(own.size(), 3'000U);
    ASSERT_GT(other.size(), 30U);
    EXPECT_LT(own.back(), 0.1);
    EXPECT_LT(own[own.size() / 2], 0.01);
    EXPECT_LT(other[other.size() * 9 / 10], 0.1);
    // The other player accelerates by up to 18 m/s² when it turns round, which the client learns
    // 0.13 s later.
    EXPECT_LT(other.back(), 0.16);
  }
}

}  // namespace
}  // namespace jostle::prediction
