// Tests of client-side prediction: a player sees the effect of inputs immediately, and the result
// agrees with the server's.
#include "client/sim/world_predictor.h"
#include "protocol/quantize.h"
#include "protocol/simulation_codec.h"
#include "shared/base/bytes.h"
#include "shared/base/random.h"
#include "tests/client_sim/predicting.h"
#include "tests/net/slow_io.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::prediction {
namespace {

using match::Match;
using match::MatchOptions;
using match::Seat;

constexpr double period_ms = 1e3 / 60;

MatchOptions options_of_link(std::int64_t latency_us) {
  MatchOptions options;
  options.faults.latency_us = latency_us;
  options.is_recorded = false;
  options.server.is_sandbox = true;
  return options;
}

const client::ShownBody* shown(const Seat& seat, state::BodyId id) {
  for (const client::ShownBody& body : seat.client->shown_bodies())
    if (body.info->id == id) return &body;
  return nullptr;
}

state::BodyId own_body(Match& match, const Seat& seat) {
  return match.simulation().player_body(seat.client->status().player);
}

bool run_until_predicting(Match& match, const Seat& seat) {
  return match.run_until([&] { return seat.predictor->figures().is_running; }, 10);
}

/// Returns the time in ms from an input until the player's body is displayed more than 1 cm away,
/// at most about 1,000 ms.
double response_ms(Match& match, Seat& seat) {
  match.run_seconds(3);
  const state::BodyId own = own_body(match, seat);
  const math::Position before = shown(seat, own)->pose.position;
  state::PlayerInput input;
  input.move_x = 1;
  seat.client->set_input(input);
  const std::int64_t pressed_us = match.network().now_us();
  const auto moves = [&] { return length(shown(seat, own)->pose.position - before) > 0.01f; };
  while (!moves() && match.network().now_us() < pressed_us + 1'000'000)
    match.run_to(match.network().now_us() + 1'000);
  return static_cast<double>(match.network().now_us() - pressed_us) * 1e-3;
}

TEST(Prediction, ShowsTheEffectOfInputsBeforeTheServer) {
  double without = 0, with = 0;
  {
    Match match(options_of_link(60'000));
    Seat& seat = match.add_client("thin", protocol::Role::Player, {4'000, true});
    ASSERT_TRUE(match.run_until_playing(10));
    without = response_ms(match, seat);
    const client::Metrics metrics = seat.client->metrics();
    EXPECT_EQ(metrics.input_latency_ms, metrics.input_confirmation_ms);
    EXPECT_NEAR(metrics.input_latency_ms, without, 3 * period_ms);
  }
  {
    Match match(options_of_link(60'000));
    Seat& seat = add_predicting(match, "ahead");
    ASSERT_TRUE(run_until_predicting(match, seat));
    with = response_ms(match, seat);
    const client::Metrics metrics = seat.client->metrics();
    EXPECT_NEAR(metrics.input_latency_ms, 1.5 * period_ms, period_ms / 2);
    EXPECT_NEAR(metrics.input_latency_ms, with, 3 * period_ms);
    EXPECT_NEAR(metrics.input_confirmation_ms, without, 3 * period_ms);
  }
  EXPECT_GT(without, 120);
  // The response time consists of the tick that contains the input, the next tick to be displayed,
  // and the time in which the body moves by 1 cm.
  EXPECT_LT(with, without - 120);
  EXPECT_LT(with, 6 * period_ms);
}

/// The server's positions of the player's own body, by tick.
using PositionsByTick = std::map<std::uint32_t, math::Position>;

/// Returns the distances, m, of the displayed positions `shown` from the true ones, in ascending
/// order. `shown` holds pairs of a tick and a position; ticks that `truth` does not contain are
/// left out.
std::vector<double> errors_of(const std::vector<std::pair<double, math::Position>>& shown,
                              const PositionsByTick& truth) {
  std::vector<double> errors;
  for (const auto& [tick, position] : shown) {
    const auto floor = static_cast<std::uint32_t>(tick);
    const auto from = truth.find(floor), to = truth.find(floor + 1);
    if (from == truth.end() || to == truth.end()) continue;
    const math::Position there =
        from->second + (to->second - from->second) * static_cast<float>(tick - floor);
    errors.push_back(static_cast<double>(length(position - there)));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

struct Played {
  std::vector<double> errors;  // m, sorted
  double share_predicted = 0;  // fraction of updates with prediction
  std::uint64_t rollbacks = 0;
  double at(double share) const {
    const auto last = static_cast<double>(errors.size()) - 1;
    return errors.empty() ? -1 : errors[static_cast<std::size_t>(share * last)];
  }
};

using Mind = std::function<state::PlayerInput(base::Random&)>;

state::PlayerInput wander(base::Random& random) {
  state::PlayerInput input;
  input.move_x = random.between(-0.7f, 0.7f);
  input.move_z = random.between(-0.7f, 0.7f);
  if (random.chance(0.2f)) input.buttons = state::button_jump;
  return input;
}

Played play(Match& match, Seat& seat, double seconds, std::uint64_t seed, const Mind& mind) {
  base::Random random(seed);
  const state::BodyId own = own_body(match, seat);
  PositionsByTick truth;
  match.set_tick_hook([&] {
    const auto body = match.simulation().find_body(own);
    if (body)
      truth[match.simulation().tick().number] = match.simulation().world().pose(*body).position;
  });
  std::vector<std::pair<double, math::Position>> seen;
  Played played;
  int updates = 0;
  const std::uint64_t rollbacks = seat.predictor->figures().rollbacks;
  const int frames = static_cast<int>(seconds * 60);
  for (int frame = 0; frame < frames; ++frame) {
    if (frame % 40 == 0) seat.client->set_input(mind(random));
    match.run_to(match.network().now_us() + 16'667);
    const client::PredictionMetrics& figures = seat.predictor->figures();
    ++updates;
    const client::ShownBody* body = shown(seat, own);
    if (!figures.is_running || body == nullptr) continue;
    played.share_predicted += 1;
    seen.emplace_back(figures.shown_tick, body->pose.position);
  }
  match.run_seconds(1);
  match.set_tick_hook({});
  played.share_predicted /= updates;
  played.rollbacks = seat.predictor->figures().rollbacks - rollbacks;
  played.errors = errors_of(seen, truth);
  return played;
}

MatchOptions options_of_scene(const std::string& name, std::int64_t latency_us) {
  MatchOptions options = options_of_link(latency_us);
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json");
  options.scene = match::scene_of(
      std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()));
  return options;
}

state::PlayerInput stirring_input(base::Random& random) {
  state::PlayerInput input = wander(random);
  if (random.chance(0.3f)) input.buttons |= state::button_push;
  if (random.chance(0.3f)) input.buttons |= state::button_pull;
  return input;
}

TEST(Prediction, IsExactWithoutOtherPlayers) {
  for (const char* name : {"crates", "katamari", "walk", "cars", "planar"}) {
    SCOPED_TRACE(name);
    MatchOptions options = options_of_scene(name, 50'000);
    options.faults.jitter_us = 10'000;
    Match match(options);
    Seat& seat = add_predicting(match, "ahead");
    ASSERT_TRUE(run_until_predicting(match, seat));
    match.run_seconds(2);
    const Played played = play(match, seat, 5, 3, stirring_input);
    EXPECT_EQ(played.share_predicted, 1);
    EXPECT_LT(played.at(0.95), 1e-5);
    EXPECT_LT(played.at(1), 5e-3) << "motion between two ticks is interpolated linearly";
    EXPECT_GE(seat.predictor->figures().ticks_ahead, 6);
  }
}

// The second player runs into the first, pushes and pulls. The first client knows the second
// player's held input, but not the next one. A single chase is random, so chases of several seeds
// are judged together.
TEST(Prediction, IncludesTheHeldInputsOfOthers) {
  for (const float loss : {0.0f, 0.1f}) {
    SCOPED_TRACE(loss);
    Played all;
    for (std::uint64_t seed = 1; seed <= (loss > 0 ? 3U : 1U); ++seed) {
      MatchOptions options = options_of_scene("katamari", 50'000);
      options.faults.loss = loss;
      options.faults.jitter_us = loss > 0 ? 20'000 : 0;
      options.seed = seed;
      Match match(options);
      Seat& seat = add_predicting(match, "ahead");
      Seat& other = match.add_client("other", protocol::Role::Player, {4'000, true});
      ASSERT_TRUE(match.run_until_playing(20));
      ASSERT_TRUE(run_until_predicting(match, seat));
      match.run_seconds(2);
      const state::BodyId own = own_body(match, seat), theirs = own_body(match, other);
      base::Random random(4);
      const Mind chased = [&](base::Random& own_random) {
        const auto position = [&](state::BodyId id) {
          return match.simulation().world().pose(*match.simulation().find_body(id)).position;
        };
        const math::Vec3 way = position(own) - position(theirs);
        const float far = std::max(std::abs(way.x) + std::abs(way.z), 0.1f);
        state::PlayerInput chase = stirring_input(random);
        chase.move_x = 0.7f * way.x / far;
        chase.move_z = 0.7f * way.z / far;
        other.client->set_input(chase);
        return stirring_input(own_random);
      };
      const Played played = play(match, seat, 8, 3, chased);
      EXPECT_EQ(played.share_predicted, 1);
      all.errors.insert(all.errors.end(), played.errors.begin(), played.errors.end());
    }
    std::sort(all.errors.begin(), all.errors.end());
    EXPECT_LT(all.at(0.5), 0.02);
    EXPECT_LT(all.at(0.9), loss > 0 ? 0.15 : 1e-5);
    EXPECT_LT(all.at(0.99), loss > 0 ? 0.45 : 0.3);
  }
}

TEST(Prediction, ShowsRestingBodiesExactly) {
  Match match(options_of_link(50'000));
  Seat& seat = add_predicting(match, "ahead");
  ASSERT_TRUE(run_until_predicting(match, seat));
  state::PlayerInput input;
  input.move_x = -0.6f;
  seat.client->set_input(input);
  match.run_seconds(1);
  seat.client->set_input({});
  match.run_seconds(15);
  const protocol::QuantizedSnapshot truth = protocol::quantize(match.simulation().capture());
  std::size_t resting = 0;
  for (std::size_t i = 0; i < truth.bodies.size(); ++i) {
    if (truth.bodies[i].is_awake) continue;
    ++resting;
    EXPECT_EQ(shown(seat, truth.ids[i])->pose, protocol::dequantize(truth.bodies[i]));
  }
  EXPECT_GT(resting, 20U);
}

TEST(Prediction, ContinuesThroughJoinsShotsResetsAndSceneChanges) {
  MatchOptions options = options_of_scene("balls", 40'000);
  options.faults.loss = 0.03f;
  options.server.reconnect_window_seconds = 1;
  options.scenes.entries = {{"match", "Crates that fall."}};
  options.scenes.load = [](const std::string&) -> base::Result<scene::SceneDef, std::string> {
    return match::scene_of(match::match_scene);
  };
  Match match(options);
  Seat& seat = add_predicting(match, "ahead");
  ASSERT_TRUE(run_until_predicting(match, seat));
  Seat& other = match.add_client("other");
  ASSERT_TRUE(match.run_until_playing(10));
  const auto predicts_well = [&] {
    match.run_seconds(1);
    const Played played = play(match, seat, 1, 7, wander);
    return played.share_predicted == 1 && played.at(0.9) < 0.02;
  };
  EXPECT_TRUE(predicts_well()) << "after a join";

  for (Seat* shooter : {&seat, &other}) {
    state::PlayerInput shot;
    const auto body = match.simulation().find_body(own_body(match, *shooter));
    const math::Position from =
        match.simulation().world().pose(*body).position + math::Vec3{0, 2, 0};
    const math::Vec3 point = from - math::Position{};
    shot.actions.push_back({state::ActionKind::Shoot, {}, point, {3, 4, 0}});
    shooter->client->set_input(shot);
    match.run_seconds(1);
  }
  EXPECT_TRUE(predicts_well()) << "after shots";

  seat.client->request({state::ControlKind::Reset, 0});
  EXPECT_TRUE(predicts_well()) << "after a reset";

  match.kill_client(1);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 40));
  EXPECT_TRUE(predicts_well()) << "after a leave";

  seat.client->load_scene("match");
  EXPECT_TRUE(predicts_well()) << "in another scene";
  EXPECT_EQ(seat.client->world().scene_name, "match");
}

// Inputs that other players held before a reset, or while the simulation state is being
// transferred, remain in effect.
TEST(Prediction, KeepsHeldInputsOfOthersAcrossANewSimulation) {
  Match match(options_of_scene("katamari", 50'000));
  Seat& seat = add_predicting(match, "ahead");
  Seat& other = match.add_client("other");
  ASSERT_TRUE(match.run_until_playing(10));
  ASSERT_TRUE(run_until_predicting(match, seat));
  state::PlayerInput held;
  held.move_x = 0.7f;
  held.buttons = state::button_pull;
  other.client->set_input(held);
  match.run_seconds(2);
  seat.client->request({state::ControlKind::Reset, 0});
  match.run_seconds(4);
  const std::uint64_t before = seat.predictor->figures().rollbacks;
  match.run_seconds(3);
  EXPECT_TRUE(seat.predictor->figures().is_running);
  EXPECT_LT(seat.predictor->figures().rollbacks - before, 10U);
}

TEST(Prediction, RunsContinuouslyAtLowLatency) {
  for (const std::int64_t latency_us : {0, 500}) {
    Match match(options_of_link(latency_us));
    Seat& seat = add_predicting(match, "near");
    ASSERT_TRUE(run_until_predicting(match, seat));
    match.run_seconds(1);
    int off = 0;
    for (int i = 0; i < 1'000; ++i) {
      match.run_to(match.network().now_us() + 1'000);
      off += seat.predictor->figures().is_running ? 0 : 1;
    }
    EXPECT_EQ(off, 0);
  }
}

TEST(Prediction, StopsWhileTheWorldIsPausedOrSlow) {
  Match match(options_of_link(40'000));
  Seat& seat = add_predicting(match, "ahead");
  ASSERT_TRUE(run_until_predicting(match, seat));
  seat.client->request({state::ControlKind::Pause, 0});
  match.run_seconds(1);
  EXPECT_FALSE(seat.predictor->figures().is_running);
  EXPECT_EQ(seat.predictor->figures().text, "the world is paused");
  seat.client->request({state::ControlKind::Resume, 0});
  seat.client->request({state::ControlKind::Rate, 30});
  match.run_seconds(1);
  EXPECT_EQ(seat.predictor->figures().text, "the world is in slow motion");
  seat.client->request({state::ControlKind::Rate, 100});
  match.run_seconds(1);
  EXPECT_TRUE(seat.predictor->figures().is_running);
  match.run_seconds(1);
  const Played played = play(match, seat, 5, 7, wander);
  EXPECT_LT(played.at(0.95), 0.01);
}

TEST(Prediction, StaysWithinItsCpuBudget) {
  Match match(options_of_link(80'000));
  Seat& seat = match.add_client("slow", protocol::Role::Player, {4'000, true});
  net::SlowIo io(match.network().node(seat.ip));
  seat.predictor = std::make_unique<WorldPredictor>(io, PredictorOptions{5'000});
  seat.client->set_predictor(seat.predictor.get());
  ASSERT_TRUE(run_until_predicting(match, seat));
  match.run_seconds(1);
  EXPECT_GE(seat.predictor->figures().ticks_ahead, 9);
  EXPECT_EQ(seat.predictor->figures().cpu_ms, 0);

  // Each tick appears to take 1 ms, so the budget of 5 ms is enough for four or five ticks.
  io.us_per_look = 1'000;
  match.run_seconds(3);
  EXPECT_TRUE(seat.predictor->figures().is_running);
  EXPECT_LE(seat.predictor->figures().ticks_ahead, 6);
  EXPECT_GE(seat.predictor->figures().ticks_ahead, 2);

  io.us_per_look = 20'000;
  match.run_seconds(1);
  EXPECT_FALSE(seat.predictor->figures().is_running);
  EXPECT_EQ(seat.predictor->figures().text, "a tick takes too long on this CPU");
  EXPECT_EQ(seat.client->status().state, client::ClientState::Playing);

  io.us_per_look = 0;
  match.run_seconds(6);
  EXPECT_TRUE(seat.predictor->figures().is_running);
  EXPECT_GE(seat.predictor->figures().ticks_ahead, 9);
}

TEST(Prediction, ReportsInvalidSimulations) {
  Match match(options_of_link(10'000));
  net::Io& io = match.network().node(match::first_client_ip);
  WorldPredictor predictor(io);
  predictor.begin({1});
  EXPECT_TRUE(predictor.wants_simulation());
  predictor.handle_simulation(std::vector<std::byte>(100, std::byte{7}));
  EXPECT_FALSE(predictor.wants_simulation());
  EXPECT_EQ(predictor.figures().text, "the server's simulation cannot be read");

  protocol::SimulationStart start;
  start.scene_file = "match";
  start.scene_text = std::string(match::match_scene);
  base::ByteWriter state;
  match.simulation().save(state);
  start.state.assign(state.bytes().begin(), state.bytes().end());
  start.seed = 1;
  predictor.begin({1});
  predictor.handle_simulation(protocol::encode_simulation(start).bytes);
  EXPECT_NE(predictor.figures().text, "the server's simulation does not fit this engine");
  int refused = 0;
  for (std::size_t i = 0; i < start.state.size(); i += start.state.size() / 40) {
    protocol::SimulationStart broken = start;
    broken.state[i] ^= std::byte{0x40};
    predictor.begin({1});
    predictor.handle_simulation(protocol::encode_simulation(broken).bytes);
    refused += predictor.wants_simulation() ? 0 : predictor.figures().text.ends_with("engine");
  }
  EXPECT_GT(refused, 25) << "of 41: the saved world has a hash, the state of the rules has none";
  start.scene_text = "{ \"bodies\": 7 }";
  predictor.begin({1});
  predictor.handle_simulation(protocol::encode_simulation(start).bytes);
  EXPECT_EQ(predictor.figures().text, "the server's simulation does not fit this engine");
}

// A client that missed commands and continued without a new state would predict a different world.
TEST(Prediction, RequestsASimulationAfterMissingTooManyCommands) {
  Match match(options_of_link(20'000));
  Seat& seat = add_predicting(match, "ahead");
  ASSERT_TRUE(run_until_predicting(match, seat));
  for (std::uint32_t i = 0; i <= WorldFollower::max_held_commands; ++i)
    seat.predictor->handle_commands({{1'000'000 + i}, {}});
  EXPECT_TRUE(seat.predictor->wants_simulation());
  match.run_seconds(4);
  EXPECT_FALSE(seat.predictor->wants_simulation());
  EXPECT_TRUE(seat.predictor->figures().is_running);
}

}  // namespace
}  // namespace jostle::prediction
