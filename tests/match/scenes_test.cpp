#include "protocol/control_codec.h"
#include "shared/journal/executor.h"
#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "tests/journal/late_executor.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace jostle::match {
namespace {

using client::ClientState;

constexpr std::string_view other_scene = R"({
  "name": "other", "camera": { "eye": [3, 4, 5], "target": [0, 1, 0] },
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "ball", "position": [0, 9, 0], "shape": { "sphere": { "radius": 0.5 } } }
  ],
  "spawns": [{ "position": [4, 0.5, 0] }, { "position": [-4, 0.5, 0] }]
})";

/// Returns a catalogue of two scenes, and a third one whose file no longer exists. If `asked` is
/// not null, it counts the attempts to load a scene.
server::SceneCatalogue catalogue(int* asked = nullptr) {
  server::SceneCatalogue scenes;
  scenes.entries = {{"broken", "A file that has gone."},
                    {"match", "Crates that fall."},
                    {"other", "A ball that falls."}};
  scenes.load = [asked](const std::string& name) -> base::Result<scene::SceneDef, std::string> {
    if (asked != nullptr) ++*asked;
    if (name == "broken") return std::string("/secret/path: no such file");
    return scene::parse_scene(name == "other" ? other_scene : match_scene, name).value();
  };
  return scenes;
}

MatchOptions sandbox() {
  MatchOptions options;
  options.server.is_sandbox = true;
  options.scenes = catalogue();
  options.is_recorded = false;
  return options;
}

TEST(Scenes, AreListedOnRequest) {
  MatchOptions options = sandbox();
  options.server.is_sandbox = false;
  options.faults.loss = 0.1f;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(10.0));
  EXPECT_TRUE(ann.client->scenes().empty()) << "no list was requested";
  ann.client->ask_for_scenes();
  match.run_seconds(2.0);
  ASSERT_EQ(ann.client->scenes().size(), 3U);
  EXPECT_EQ(ann.client->scenes()[1].name, "match");
  EXPECT_EQ(ann.client->scenes()[2].description, "A ball that falls.");
}

TEST(Scenes, AServerWithoutScenesSendsANotice) {
  Match match({});
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->ask_for_scenes();
  match.run_seconds(0.5);
  EXPECT_EQ(ann.client->take_notice(), "the server has no scenes to choose from");
}

TEST(Scenes, TheListIsSentOncePerSecondAndClient) {
  Match match(sandbox());
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  for (int i = 0; i < 5; ++i)
    ann.client->ask_for_scenes();
  match.run_seconds(0.5);
  EXPECT_EQ(match.server().metrics().messages_refused, 4U);
  match.run_seconds(1.0);
  ann.client->ask_for_scenes();
  match.run_seconds(0.5);
  EXPECT_EQ(match.server().metrics().messages_refused, 4U);
}

TEST(Scenes, ANewSceneReachesAllClientsUnderLoss) {
  MatchOptions options = sandbox();
  options.faults.loss = 0.1f;
  options.faults.latency_us = 20'000;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(10.0));
  for (const char* name : {"other", "match", "other"}) {
    SCOPED_TRACE(name);
    match.run_seconds(2.0);
    bob.client->load_scene(name);
    match.run_seconds(5.0);
    EXPECT_EQ(bob.client->take_notice(), std::nullopt);
    EXPECT_EQ(match.simulation().scene().name, name);
    for (const Seat* seat : {&ann, &bob}) {
      EXPECT_EQ(seat->client->status().state, ClientState::Playing);
      EXPECT_EQ(seat->client->world().scene_name, name);
      EXPECT_EQ(seat->client->world().camera, match.simulation().world_def().camera);
      EXPECT_EQ(seat->client->world().bodies, match.simulation().world_def().bodies);
      EXPECT_LT(match.largest_error(*seat), shown_tolerance);
      EXPECT_EQ(match.agreement(*seat).different, 0U);
    }
  }
  const auto place = [&] {
    const state::BodyId body = match.simulation().player_body(ann.client->status().player);
    return match.simulation().world().pose(*match.simulation().find_body(body)).position;
  };
  const math::Position before = place();
  state::PlayerInput input;
  input.move_z = 1;
  ann.client->set_input(input);
  match.run_seconds(1.0);
  EXPECT_GT(math::length(place() - before), 0.5f) << "input still has an effect";
}

/// Requests a scene that the server must refuse. Returns the server's notice, or nullopt if there
/// is none.
std::optional<std::string> refusal(Match& match, Seat& seat, const std::string& name) {
  const std::uint32_t revision = match.simulation().world_def().revision;
  seat.client->load_scene(name);
  match.run_seconds(0.5);
  EXPECT_EQ(match.simulation().world_def().revision, revision);
  EXPECT_EQ(seat.client->status().state, ClientState::Playing);
  return seat.client->take_notice();
}

TEST(Scenes, ChangingTheSceneRequiresASandbox) {
  int asked = 0;
  MatchOptions options = sandbox();
  options.server.is_sandbox = false;
  options.scenes = catalogue(&asked);
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_EQ(refusal(match, ann, "other"),
            "only operators may change the scene, unless the server runs with --sandbox");
  EXPECT_EQ(match.server().metrics().controls_denied, 1U);
  EXPECT_EQ(asked, 0);
}

TEST(Scenes, SpectatorsChangeNothingInASandboxEither) {
  Match match(sandbox());
  Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_EQ(refusal(match, ann, "other"), "spectators may not change the scene; join as a player");
  ann.client->request({state::ControlKind::Pause, 0});
  match.run_seconds(1);
  EXPECT_FALSE(match.simulation().is_paused());
  EXPECT_EQ(match.server().metrics().controls_denied, 2U);
}

TEST(Scenes, AreLoadedBesideTheTicksOfTheRunningWorld) {
  journal::LateExecutor executor;
  Match match(sandbox());
  match.server().set_loading_executor(&executor);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->load_scene("other");
  match.run_seconds(1);
  const std::uint32_t before = match.simulation().tick().number;
  match.run_seconds(1);
  EXPECT_EQ(match.simulation().tick().number, before + 60);
  EXPECT_EQ(match.simulation().scene().name, "match") << "the scene is not loaded yet";
  executor.run();
  match.run_seconds(0.1);
  EXPECT_EQ(match.simulation().scene().name, "other");
  EXPECT_EQ(match.simulation().tick().number, before + 66);
}

TEST(Scenes, OnlyListedNamesAreAcceptedAndNeverPaths) {
  int asked = 0;
  MatchOptions options = sandbox();
  options.scenes = catalogue(&asked);
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  for (const char* name : {"", "Other", "other.scene.json", "../scenes/other", "/etc/passwd",
                           "scenes/other.scene.json", "othe", "other "}) {
    SCOPED_TRACE(name);
    const std::string refused = refusal(match, ann, name).value_or("");
    EXPECT_TRUE(refused.starts_with("the server has no scene '" + std::string(name) + "'"))
        << refused;
  }
  EXPECT_EQ(refusal(match, ann, "othre"), "the server has no scene 'othre'; did you mean 'other'?");
  EXPECT_EQ(asked, 0) << "no file was read";
  EXPECT_EQ(refusal(match, ann, "broken"), "scene 'broken' can no longer be read")
      << "clients must not learn paths on the server";
  EXPECT_EQ(asked, 1);
}

TEST(Scenes, CannotBeChangedDuringARecording) {
  MatchOptions options = sandbox();
  options.is_recorded = true;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_EQ(refusal(match, ann, "other"),
            "the scene cannot be changed while the run is recorded with --record FILE");
}

TEST(Scenes, TheRingRecordingRestartsWithANewScene) {
  Match match(sandbox());
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  record::RingRecorder recent(record::rule_names(sim::default_rules()), {});
  match.server().set_recent(&recent, "match");
  match.run_seconds(1.0);
  ann.client->load_scene("other");
  match.run_seconds(2.0);
  ASSERT_EQ(match.simulation().scene().name, "other");
  const record::RingRecorder::Saved saved = recent.save(match.simulation());
  EXPECT_LT(saved.tick_count, 125U) << "ticks of the previous scene";
  const auto recording = record::read_recording(saved.bytes);
  ASSERT_TRUE(recording.has_value()) << recording.error().text();
  auto simulation = record::start_replay(*recording);
  ASSERT_TRUE(simulation.has_value()) << simulation.error();
  EXPECT_EQ(record::verify(*recording, **simulation).ticks, saved.tick_count);
}

TEST(Scenes, AreLoadedAtLeastASecondApart) {
  int asked = 0;
  MatchOptions options = sandbox();
  options.scenes = catalogue(&asked);
  Match match(options);
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->load_scene("other");
  match.run_seconds(0.3);
  EXPECT_EQ(match.simulation().scene().name, "other");
  ann.client->load_scene("broken");
  match.run_seconds(0.1);
  bob.client->load_scene("match");
  match.run_seconds(0.3);
  EXPECT_EQ(match.simulation().scene().name, "other") << "too soon";
  EXPECT_EQ(ann.client->take_notice(), "another client chose scene 'match'");
  match.run_seconds(0.7);
  EXPECT_EQ(match.simulation().scene().name, "match") << "a request waits and is not lost";
  EXPECT_EQ(bob.client->take_notice(), std::nullopt);
  EXPECT_EQ(asked, 2);
}

// An attempt to read a missing file costs as much time as reading a scene, so both are limited.
TEST(Scenes, FilesAreReadAtMostOncePerSecond) {
  int asked = 0;
  MatchOptions options = sandbox();
  options.scenes = catalogue(&asked);
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  for (int i = 0; i < 30; ++i) {
    ann.client->load_scene("broken");
    match.run_seconds(0.1);
  }
  EXPECT_GE(asked, 3);
  EXPECT_LE(asked, 4);
}

TEST(Scenes, ARequestOfAClientThatLeavesIsStillExecuted) {
  Match match(sandbox());
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->load_scene("other");
  match.run_seconds(0.3);
  bob.client->load_scene("match");
  match.run_seconds(0.1);
  bob.client->close();
  match.run_seconds(1.0);
  EXPECT_EQ(match.simulation().scene().name, "match");
}

TEST(Scenes, ASceneThatIsTooLargeIsRejected) {
  MatchOptions options = sandbox();
  options.scenes.load = [](const std::string&) -> base::Result<scene::SceneDef, std::string> {
    scene::SceneDef scene = scene::parse_scene(other_scene, "other").value();
    scene.bodies.resize(10'001, scene.bodies[1]);
    return scene;
  };
  Match match(options);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  const auto words = refusal(match, ann, "other");
  ASSERT_TRUE(words.has_value());
  EXPECT_NE(words->find("a snapshot holds 10000"), std::string::npos) << *words;
}

}  // namespace
}  // namespace jostle::match
