#include "tools/link/prediction_run.h"

#include "client/sim/world_predictor.h"
#include "shared/base/random.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>

namespace jostle::link {
namespace {

constexpr double prediction_join_seconds = 30, prediction_settle_seconds = 3;
constexpr std::int64_t frame_us = 16'667;
constexpr int frames_per_mind = 40;  // a player changes its input after this many frames

/// A shown position of the player's own body, and its tick. It is stored until the server reaches
/// that tick.
struct Shown {
  double tick = 0;
  math::Position position;
};

class Runner {
 public:
  Runner(match::Match& match, match::Seat& seat, match::Seat* chaser, std::uint64_t seed,
         PredictionMetrics& figures)
      : match_(match),
        seat_(seat),
        chaser_(chaser),
        random_(seed * 2 + 1),
        chaser_random_(seed * 2),
        figures_(figures) {
    match.set_tick_hook([this] { note_truth(); });
  }
  ~Runner() { match_.set_tick_hook({}); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void run_frame() {
    if (frame_++ % frames_per_mind == 0) think();
    match_.run_to(match_.network().now_us() + frame_us);
    look();
  }

 private:
  std::optional<math::Position> position_of(const match::Seat& seat) const {
    const state::BodyId own = match_.simulation().player_body(seat.client->status().player);
    const auto body = match_.simulation().find_body(own);
    if (!body) return std::nullopt;
    return match_.simulation().world().pose(*body).position;
  }

  static state::PlayerInput wander(base::Random& random) {
    state::PlayerInput input;
    input.move_x = random.between(-0.7f, 0.7f);
    input.move_z = random.between(-0.7f, 0.7f);
    if (random.chance(0.2f)) input.buttons |= state::button_jump;
    if (random.chance(0.3f)) input.buttons |= state::button_push;
    if (random.chance(0.3f)) input.buttons |= state::button_pull;
    return input;
  }

  void think() {
    seat_.client->set_input(wander(random_));
    if (chaser_ == nullptr) return;
    state::PlayerInput chase = wander(chaser_random_);
    const auto own = position_of(seat_), other = position_of(*chaser_);
    if (own && other) {
      const math::Vec3 way = *own - *other;
      const float far = std::max(std::abs(way.x) + std::abs(way.z), 0.1f);
      chase.move_x = 0.7f * way.x / far;
      chase.move_z = 0.7f * way.z / far;
    }
    chaser_->client->set_input(chase);
  }

  void look() {
    const client::PredictionMetrics& now = seat_.predictor->figures();
    ++figures_.updates;
    figures_.rollbacks += now.rollbacks - rollbacks_;
    rollbacks_ = now.rollbacks;
    if (!now.is_running) return;
    ++figures_.predicted;
    figures_.ticks_ahead.add(now.ticks_ahead);
    const state::PlayerId player = seat_.client->status().player;
    for (const client::ShownBody& body : seat_.client->shown_bodies()) {
      if (body.info->owner == player && body.info->id == match_.simulation().player_body(player))
        shown_.push_back({now.shown_tick, body.pose.position});
    }
  }

  /// Compares the shown positions of ticks up to this one with the server's positions.
  void note_truth() {
    const auto here = position_of(seat_);
    const auto tick = static_cast<double>(match_.simulation().tick().number);
    while (!shown_.empty() && shown_.front().tick <= tick) {
      const Shown shown = shown_.front();
      shown_.pop_front();
      if (!here || !before_ || shown.tick < tick - 1) continue;
      const auto share = static_cast<float>(shown.tick - (tick - 1));
      const math::Position there = *before_ + (*here - *before_) * share;
      figures_.error_m.add(static_cast<double>(length(shown.position - there)));
    }
    before_ = here;
  }

  match::Match& match_;
  match::Seat& seat_;
  match::Seat* chaser_;
  base::Random random_, chaser_random_;
  PredictionMetrics& figures_;
  int frame_ = 0;
  std::uint64_t rollbacks_ = 0;
  std::deque<Shown> shown_;
  std::optional<math::Position> before_;
};

bool run_link(const PredictionRun& run, const PredictionLink& link, std::uint64_t seed,
              PredictionMetrics& figures) {
  match::MatchOptions options;
  options.seed = seed;
  options.scene = run.scene;
  options.faults = link.faults;
  options.is_recorded = false;
  options.is_remembered = false;
  match::Match match(options);
  match::Seat& seat = match.add_client("ahead", protocol::Role::Player, link.pace);
  seat.predictor = std::make_unique<prediction::WorldPredictor>(match.network().node(seat.ip));
  seat.client->set_predictor(seat.predictor.get());
  match::Seat* chaser = nullptr;
  if (link.is_chased) chaser = &match.add_client("chaser", protocol::Role::Player, link.pace);
  if (!match.run_until_playing(prediction_join_seconds)) return false;
  match.run_seconds(prediction_settle_seconds);
  Runner runner(match, seat, chaser, seed, figures);
  const int frames = static_cast<int>(run.minutes * 60e6 / static_cast<double>(frame_us));
  for (int frame = 0; frame < frames; ++frame)
    runner.run_frame();
  return true;
}

}  // namespace

base::Result<std::vector<PredictionMetrics>, std::string> run_predictions(
    const PredictionRun& run) {
  std::vector<PredictionMetrics> figures(run.links.size());
  const double pieces = static_cast<double>(run.links.size()) * run.seeds;
  double done = 0;
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    for (int seed = 0; seed < run.seeds; ++seed) {
      if (!run_link(run, run.links[i], run.first_seed + static_cast<std::uint64_t>(seed),
                    figures[i])) {
        return "not all players have joined after " +
               std::to_string(static_cast<int>(prediction_join_seconds)) + " s over the link '" +
               run.links[i].name + "'";
      }
      if (run.progress) run.progress(++done / pieces);
    }
  }
  return figures;
}

}  // namespace jostle::link
