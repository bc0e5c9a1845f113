#include "tools/link/input_run.h"

#include "client/sim/world_predictor.h"
#include "shared/base/random.h"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace jostle::link {
namespace {

constexpr double input_join_seconds = 20, input_settle_seconds = 8;
// Range of the time between two pushes of a player: enough for the ball to come to rest.
constexpr double least_pause_seconds = 1.5;
constexpr double most_pause_seconds = 2.0;
constexpr float push_impulse = 4.0f;  // N·s, on a ball of 1 kg
/// Displacement from which a ball counts as moving, m: three steps of the wire's resolution.
constexpr double seen_moving = 0.006;

/// A scene with one floating, strongly damped ball for each player.
std::string scene_text(std::size_t balls) {
  std::string text = R"({
    "name": "pushes", "world": { "gravity": [0, 0, 0] },
    "player": { "max_push_impulse": 10 },
    "bodies": [)";
  std::string spawns;
  for (std::size_t i = 0; i < balls; ++i) {
    const std::string z = std::to_string(20 * i) + "] }";
    if (i > 0) {
      text += ",";
      spawns += ",";
    }
    text += R"({ "shape": { "sphere": { "radius": 0.5 } }, "mass": 1,
        "linear_damping": 12, "position": [0, 5, )";
    text += z;
    spawns += "{ \"position\": [8, 5, ";
    spawns += z;
  }
  return text + "], \"spawns\": [" + spawns + "] }";
}

/// The tick in which the server applied each press, by player and number of the press.
using DoneTicks = std::map<std::pair<state::PlayerId, std::uint32_t>, state::Tick>;

class PressRule final : public sim::Rule {
 public:
  explicit PressRule(DoneTicks& done) : done_(done) {}
  std::string_view name() const override { return "presses"; }
  std::unique_ptr<sim::Rule> another() const override { return std::make_unique<PressRule>(done_); }
  void before_step(sim::RuleContext& stage) override {
    for (const sim::Player& player : stage.players.all()) {
      std::uint32_t press = 0;
      if (player.input.custom.size() != sizeof press) continue;
      std::memcpy(&press, player.input.custom.data(), sizeof press);
      done_.try_emplace({player.id, press}, stage.tick);
    }
  }

 private:
  DoneTicks& done_;
};

/// A player that pushes its ball and measures when the effect arrives.
class Presser {
 public:
  Presser(match::Match& match, match::Seat& seat, state::BodyId ball, std::int64_t latency_us,
          InputFigures& figures, std::uint64_t seed)
      : match_(match),
        seat_(seat),
        ball_(ball),
        latency_us_(latency_us),
        figures_(figures),
        random_(seed) {
    seat.on_update = [this] { look(); };
  }

  std::int64_t next_press_us() const { return next_press_us_; }
  void wait() {
    const double pause = static_cast<double>(random_.between(
        static_cast<float>(least_pause_seconds), static_cast<float>(most_pause_seconds)));
    next_press_us_ = match_.network().now_us() + static_cast<std::int64_t>(pause * 1e6);
  }
  void press() {
    ++press_;
    ++figures_.presses;
    pressed_us_ = match_.network().now_us();
    rest_ = shown_x();
    const float impulse = press_ % 2 == 0 ? push_impulse : -push_impulse;
    state::PlayerInput input;
    input.custom.resize(sizeof press_);
    std::memcpy(input.custom.data(), &press_, sizeof press_);
    input.actions.push_back({state::ActionKind::Push, ball_, {}, {impulse, 0, 0}});
    seat_.client->set_input(input);
    wait();
  }
  /// Records the delay if the tick that was due at `due_us` applied the press.
  void note_tick(const DoneTicks& done, std::int64_t due_us, state::Tick tick) {
    const auto found = done.find({seat_.client->status().player, press_});
    if (press_ == 0 || found == done.end() || found->second != tick) return;
    const double seconds = static_cast<double>(due_us - pressed_us_ - latency_us_) * 1e-6;
    figures_.to_tick_ticks.add(seconds * match_.simulation().options().tick_rate_hz);
  }

 private:
  std::optional<double> shown_x() const {
    for (const client::ShownBody& body : seat_.client->shown_bodies())
      if (body.info->id == ball_) return body.pose.position.x;
    return {};
  }
  void look() {
    if (!rest_) return;
    const std::optional<double> x = shown_x();
    if (!x || std::abs(*x - *rest_) < seen_moving) return;
    figures_.to_pose_ms.add(static_cast<double>(match_.network().now_us() - pressed_us_) * 1e-3);
    rest_.reset();
  }

  match::Match& match_;
  match::Seat& seat_;
  state::BodyId ball_;
  std::int64_t latency_us_;
  InputFigures& figures_;
  base::Random random_;
  std::uint32_t press_ = 0;
  std::int64_t pressed_us_ = 0, next_press_us_ = 0;
  std::optional<double> rest_;  // position before the push; null once the ball was seen moving
};

server::InputCounters counters_of(match::Match& match, const std::string& name) {
  for (const auto& [peer, session] : match.server().sessions())
    if (session.name == name) return session.inputs.counters();
  return {};
}

match::MatchOptions options_for(const InputRun& run, std::uint64_t seed, DoneTicks& done) {
  match::MatchOptions options;
  options.seed = seed;
  options.scene = match::scene_of(scene_text(run.links.size()));
  options.is_recorded = false;
  options.is_remembered = false;
  options.own_rule = [&done] { return std::make_unique<PressRule>(done); };
  return options;
}

bool run_seed(const InputRun& run, int index, std::vector<InputFigures>& figures) {
  const std::uint64_t seed = run.first_seed + static_cast<std::uint64_t>(index);
  DoneTicks done;
  match::Match match(options_for(run, seed, done));
  std::vector<std::unique_ptr<Presser>> pressers;
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    const InputLink& link = run.links[i];
    match::Seat& seat =
        match.add_client("player-" + std::to_string(i + 1), protocol::Role::Player, link.pace);
    if (link.predicts) {
      seat.predictor = std::make_unique<prediction::WorldPredictor>(match.network().node(seat.ip));
      seat.client->set_predictor(seat.predictor.get());
    }
    seat.next_update_us += static_cast<std::int64_t>(i) * 733;
    match.network().set_faults(seat.ip, match::server_ip, link.faults);
    match.network().set_faults(match::server_ip, seat.ip, link.faults);
    const state::BodyId ball{static_cast<std::uint32_t>(i + 1)};
    pressers.push_back(std::make_unique<Presser>(match, seat, ball, link.faults.latency_us,
                                                 figures[i], seed * 1'000 + i));
  }
  match.set_tick_hook([&] {
    const state::Tick tick = match.simulation().tick();
    for (const auto& presser : pressers)
      presser->note_tick(done, match.due_us(tick), tick);
  });
  if (!match.run_until_playing(input_join_seconds)) return false;
  match.run_seconds(input_settle_seconds);

  std::vector<server::InputCounters> before;
  for (const auto& seat : match.seats())
    before.push_back(counters_of(match, seat->name));
  for (const auto& presser : pressers)
    presser->wait();
  const std::int64_t begin_us = match.network().now_us();
  const auto length_us = static_cast<std::int64_t>(run.minutes * 60e6);
  while (match.network().now_us() < begin_us + length_us) {
    Presser* next = pressers.front().get();
    for (const auto& presser : pressers)
      if (presser->next_press_us() < next->next_press_us()) next = presser.get();
    match.run_to(next->next_press_us());
    next->press();
    const auto passed_us = static_cast<double>(match.network().now_us() - begin_us);
    if (run.progress)
      run.progress((index + passed_us / static_cast<double>(length_us)) / run.seeds);
  }
  match.run_seconds(1);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const server::InputCounters after = counters_of(match, match.seats()[i]->name);
    figures[i].accepted += after.accepted - before[i].accepted;
    figures[i].late += after.late - before[i].late;
    figures[i].missing += after.missing - before[i].missing;
  }
  return true;
}

}  // namespace

base::Result<std::vector<InputFigures>, std::string> run_inputs(const InputRun& run) {
  std::vector<InputFigures> figures(run.links.size());
  for (int i = 0; i < run.seeds; ++i) {
    if (!run_seed(run, i, figures)) {
      return "not all players have joined after " +
             std::to_string(static_cast<int>(input_join_seconds)) +
             " s: choose links with less loss or latency";
    }
  }
  return figures;
}

}  // namespace jostle::link
