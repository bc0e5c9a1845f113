#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace jostle::match {
namespace {

// A stream of particles along x, and a ball on a spring.
constexpr std::string_view show_scene = R"({
  "name": "show", "world": {"gravity": [0, -2, 0]},
  "spawns": [{"position": [0, 0, 50]}],
  "bodies": [{"name": "bob", "position": [2, 0, 30], "shape": {"sphere": {"radius": 0.5}},
              "gravity_scale": 0, "integrator": "explicit_euler"}],
  "force_fields": [{"kind": "attraction", "centre": [0, 0, 30], "strength": 9, "exponent": -1, "outer": 9}],
  "particles": [{"radius": 0.25, "colour": "#010203", "integrator": "runge_kutta_4",
                 "collides": false, "ignores_force_fields": true, "emitters": [
    {"position": [0, 0, 0], "rate": 50, "velocity": [10, 3, 0], "lifetime": 2}]}],
  "labels": [{"name": "spring", "body": "bob"}]})";

// Despite packet loss the stream must follow its parabola, without jumps between frames.
TEST(Show, ParticlesMoveSmoothlyOverABadNetwork) {
  MatchOptions options;
  options.scene = scene_of(show_scene);
  options.faults.latency_us = 30'000;
  options.faults.jitter_us = 10'000;
  options.faults.loss = 0.05;
  Match match(options);
  const Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(3.0);
  for (int i = 0; i < 100; ++i) {
    match.run_seconds(0.02);
    const auto& shown = ann.client->shown_particles();
    ASSERT_NEAR(static_cast<double>(shown.size()), 100, 2) << "frame " << i;
    for (const client::ShownParticle& particle : shown) {
      ASSERT_EQ(particle.radius, 0.25f);
      ASSERT_EQ(particle.colour, (state::Colour{1, 2, 3}));
      const double t = particle.position.x / 10;
      ASSERT_GT(t, -0.3);
      ASSERT_LT(t, 2.3);
      ASSERT_NEAR(particle.position.y, 3 * t - t * t, 0.05) << "frame " << i;
    }
  }
}

TEST(Show, LabelsReachSpectators) {
  MatchOptions options;
  options.scene = scene_of(show_scene);
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  const state::Labels& labels = ann.client->labels();
  ASSERT_EQ(labels.lines.size(), 1U);
  EXPECT_EQ(labels.lines[0].name, "spring");
  EXPECT_EQ(labels.lines[0].kind, state::LabelKind::EnergyChange);
  // Each step h of explicit Euler multiplies the energy by 1 + ω²h², with the spring's angular
  // frequency ω.
  const double steps = labels.tick.number;
  EXPECT_NEAR(labels.lines[0].value, std::pow(1 + 9.0 / 3'600, steps) - 1, 0.02);
  EXPECT_LT(static_cast<double>(match.simulation().tick() - labels.tick), 60 / 4 + 6);
}

// A message contains at most 28 ropes, so 60 ropes need three messages. All ropes must arrive
// within seconds even if messages are lost. A broken rope must disappear.
TEST(Show, RopesReachSpectators) {
  std::string bodies, joints;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "ball_" + std::to_string(i), x = std::to_string(i);
    bodies += R"(,{"name": ")" + name + R"(", "position": [)" + x +
              R"(, 2, 0], "shape": {"sphere": {"radius": 0.2}}})";
    joints += std::string(i == 0 ? "" : ",") +
              R"({"kind": "distance", "body_a": "beam", "body_b": ")" + name + R"(", "anchor": [)" +
              x + R"(, 5, 0], "anchor_b": [)" + x + R"(, 2, 0], "upper": 3)" +
              (i == 59 ? R"(, "break_force": 1e-3)" : "") + "}";
  }
  MatchOptions options;
  options.scene = scene_of(R"({"name": "ropes", "spawns": [{"position": [0, 0, 50]}], "bodies": [
      {"name": "beam", "motion_type": "static", "position": [30, 5, 0], "shape": {"box": {"size": [70, 0.2, 0.2]}}})" +
                           bodies + R"(], "joints": [)" + joints + "]}");
  options.faults.loss = 0.2;
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(10.0));
  match.run_seconds(10.0);
  const std::vector<state::Rope> ropes = match.simulation().ropes();
  ASSERT_EQ(ropes.size(), 59U) << "one rope has broken";
  EXPECT_EQ(ann.client->ropes(), ropes);
}

// After a scene change, nothing of the old scene may be shown, even if messages about it are still
// in transit.
TEST(Show, NothingOfASceneRemainsAfterASceneChange) {
  static constexpr std::string_view empty_scene =
      R"({"name": "empty", "spawns": [{"position": [0, 0, 50]}]})";
  MatchOptions options;
  options.scene = scene_of(show_scene);
  options.server.is_sandbox = true;
  options.is_recorded = false;
  options.scenes.entries = {{"empty", "Nothing."}, {"show", "A stream."}};
  options.scenes.load = [](const std::string& name) -> base::Result<scene::SceneDef, std::string> {
    return scene::parse_scene(name == "empty" ? empty_scene : show_scene, name).value();
  };
  options.faults.latency_us = 50'000;
  options.faults.jitter_us = 40'000;
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  const Seat& bob = match.add_client("Bob");  // spectators cannot change the scene
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  for (const char* name : {"empty", "show"}) {
    SCOPED_TRACE(name);
    ASSERT_GT(ann.client->shown_particles().size() + (*name == 'e' ? 0U : 1U), 0U);
    bob.client->load_scene(name);
    const std::string wished = name;
    bool was_there = false;
    for (int i = 0; i < 200; ++i) {
      match.run_seconds(0.01);
      const bool is_there = ann.client->world().scene_name == wished;
      was_there |= is_there;
      if (is_there && wished == "empty") {
        ASSERT_TRUE(ann.client->labels().lines.empty()) << i;
      }
    }
    ASSERT_TRUE(was_there);
    EXPECT_EQ(ann.client->labels().lines.size(), wished == "empty" ? 0U : 1U);
    EXPECT_EQ(ann.client->shown_particles().empty(), wished == "empty");
  }
}

}  // namespace
}  // namespace jostle::match
