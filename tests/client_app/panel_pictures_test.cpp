#include "client/panels/hud.h"
#include "client/panels/replay_hud.h"
#include "shared/base/program_names.h"
#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/sim/default_rules.h"
#include "tests/client_app/studio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::client_app {
namespace {

using panels::Panel;

const state::Camera over_the_stage{{-1.5, 3.2, 5}, {-0.7, 0.5, 0}};
constexpr const char* crates = R"(
  { "name": "crate", "position": [-1, 0.5, -0.5], "colour": "wood", "shape": { "box": { "size": [1, 1, 1] } } },
  { "name": "ball", "position": [1, 0.5, -1], "colour": "red", "shape": { "sphere": { "radius": 0.5 } } },
  { "name": "barrel", "position": [0, 0.6, -1.5], "colour": "teal",
    "shape": { "cylinder": { "radius": 0.4, "height": 1.2 } } })";
/// Number of frames after which panels have determined their size.
constexpr int frames_until_panels_fit = 3;

/// Tests with pictures of panels, which share one window.
class PanelPictures : public StudioTest<640, 360> {
 protected:
  /// Calls `draw_over` until panels have their final size, then returns the picture.
  static Pixels draw(const std::function<void()>& draw_over) {
    for (int i = 0; i < frames_until_panels_fit; ++i)
      draw_over();
    return studio_->draw_flat(draw_over);
  }
};

/// The state that a client would have received from a server.
struct Shown {
  Stage stage{crates, {"Ann", "Bob"}};
  client::Status status{client::ClientState::Playing, "", {1}};
  client::Metrics metrics;
  state::Labels labels;
  panels::SceneChooser chooser;
  std::vector<protocol::SceneInfo> scenes;
  panels::DrawChoice choice{render::BodyLook::Solid, bit_of(state::DebugDrawLayer::Joints)};
  state::ServerStatistics statistics;
  std::optional<state::BodyReport> report;
  panels::SettingsPanel settings_panel;
  settings::Settings settings;
  std::optional<panels::FailureText> failure;
  std::optional<panels::SceneError> scene_error;
  double seconds = 100, seconds_silent = 0;

  Shown() {
    statistics.tick_ms = 3.1f;
    statistics.longest_tick_ms = 5.25f;
    statistics.phase_ms = {0.1f, 2.5f, 0.4f, 0.1f};
    statistics.stage_ms[2] = 0.9f;
    statistics.stage_ms[8] = 1.4f;
    statistics.stage_ms[15] = 0.001f;
    statistics.counts = {110, 104, 413, 81, 112, 96, 0, 2, 3};
    statistics.bytes_per_second = 35'900;
    metrics.input_latency_ms = 71;
    metrics.input_confirmation_ms = 71;
    metrics.newest_tick = {4321};
    metrics.round_trip_ms = 24.5;
    metrics.loss = 0.02;
    metrics.bytes_per_second_down = 31'500;
    metrics.bytes_per_second_up = 2'400;
    metrics.interpolation_delay_ms = 52;
    metrics.jitter_buffer_ms = 14;
    metrics.snapshot_age_ms = 20;
    metrics.clock_error_ms = 0.4;
    metrics.input_margin_ticks = 2.5;
    metrics.wire_down = {{"JSN2", 30'000, 60}, {"IP and UDP", 1'500, 0}};
    metrics.wire_up = {{"JIN1", 2'000, 60}, {"IP and UDP", 400, 0}};
    labels.lines = {{"kept", state::LabelKind::EnergyChange, 0.001f},
                    {"gained", state::LabelKind::EnergyChange, 0.35f},
                    {"fast", state::LabelKind::Speed, 3.25f}};
    scenes = {{0, 3, "crates", "Two hundred crates fall into a heap."},
              {1, 3, "stage", "Three things stand about."},
              {2, 3, "tower", "A round tower of loose bricks."}};
  }
  panels::HudModel model() {
    return {.status = status,
            .metrics = metrics,
            .world = stage.world(),
            .bodies = stage.scene().bodies,
            .labels = labels,
            .bad_network = "",
            .view = picture().view,
            .is_paused = true,
            .frames_per_second = 60,
            .seconds = seconds,
            .shown_seconds = seconds,
            .chooser = &chooser,
            .scenes = scenes,
            .choice = &choice,
            .statistics = &statistics,
            .report = report ? &*report : nullptr,
            .scene_error = scene_error ? &*scene_error : nullptr,
            .failure = failure ? &*failure : nullptr,
            .seconds_silent = seconds_silent,
            .aim = std::nullopt,
            .settings = {settings_panel, settings, {}}};
  }
  render::Picture picture() const { return picture_of(stage, over_the_stage); }
};

class HudPictures : public PanelPictures {
 protected:
  void SetUp() override {
    PanelPictures::SetUp();
    if (IsSkipped()) return;
    hud_ = panels::Hud::create(studio_->window());
    ASSERT_NE(hud_, nullptr);
  }
  Pixels drawn(panels::PanelSet panels) {
    hud_->open(panels);
    return draw([&] { hud_->draw(shown_.model()); });
  }
  /// Expects that a panel looks like its golden picture, and that a picture without the panel does
  /// not.
  void expect_panel(const std::string& name, Panel panel) {
    const Pixels with = drawn(bit_of(panel));
    expect_golden("panel-" + name, with, {{"the panel", drawn(0)}});
  }

  Shown shown_;
  std::unique_ptr<panels::Hud> hud_;
};

TEST_F(HudPictures, ShowFiguresNameTagsAndLabels) {
  const Pixels with = drawn(bit_of(Panel::Hud));
  std::vector<Without> lacking{{"any panel", drawn(0)}};
  const state::Labels labels = std::exchange(shown_.labels, {});
  lacking.push_back({"the scene's figures", drawn(bit_of(Panel::Hud))});
  shown_.labels = labels;
  expect_golden("panel-hud", with, lacking);
}

// The pictures are cropped: a missing tag would change too few blocks of a whole picture.
TEST_F(HudPictures, ShowNameTagsAboveTheirPlayers) {
  const auto tags_of = [&](const std::vector<std::string>& players) {
    std::vector<state::BodyInfo> infos;
    for (const client::ShownBody& body : shown_.stage.scene().bodies)
      infos.push_back(*body.info);
    std::vector<client::ShownBody> bodies = shown_.stage.scene().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (std::find(players.begin(), players.end(), infos[i].name) == players.end())
        infos[i].owner = {};
      bodies[i].info = &infos[i];
    }
    const auto draw_tags = [&] {
      panels::HudModel model = shown_.model();
      model.bodies = bodies;
      hud_->open(bit_of(Panel::Hud));
      hud_->draw(model);
    };
    draw(draw_tags);
    return rows_of(studio_->draw(shown_.picture(), draw_tags), 120, 100);
  };
  expect_golden("name-tags", tags_of({"Ann", "Bob"}),
                {{"Ann's name", tags_of({"Bob"})}, {"Bob's name", tags_of({"Ann"})}});
}

TEST_F(HudPictures, ShowTheNetGraph) {
  for (int i = 0; i < 150; ++i, shown_.seconds += 0.1) {
    shown_.metrics.bytes_per_second_down = 20'000 + 150.0 * i;
    shown_.metrics.round_trip_ms = 20 + 10 * (i / 30 % 2);
    shown_.metrics.loss = i % 50 == 0 ? 0.2 : 0;
    hud_->draw(shown_.model());
  }
  expect_panel("net-graph", Panel::NetGraph);
}

TEST_F(HudPictures, ShowBothLatenciesOfAPredictedInput) {
  const auto graph = [&] {
    // Crop the picture to the lines of text below the graph.
    return rows_of(drawn(bit_of(Panel::NetGraph)), 230, 130);
  };
  shown_.metrics.input_latency_ms = 25;
  shown_.metrics.prediction.is_running = true;
  const Pixels with = graph();
  shown_.metrics.prediction.is_running = false;
  expect_golden("net-graph-predicted", with, {{"the time until the confirmation", graph()}});
}

TEST_F(HudPictures, ShowAnErrorInAPreviewedScene) {
  const Pixels without = drawn(bit_of(Panel::Hud));
  shown_.scene_error = panels::SceneError{
      .text = "my.scene.json:3:3: unknown field: spwans; did you mean \"spawns\"?"};
  expect_golden("panel-scene-error", drawn(bit_of(Panel::Hud)), {{"the error", without}});
}

TEST_F(HudPictures, ShowTheBodyList) {
  const Pixels without = drawn(0);
  const state::BodyId crate = shown_.stage.scene().bodies[1].info->id;
  hud_->bodies().select(crate);
  const Pixels unreported = drawn(bit_of(Panel::Bodies));
  shown_.report = state::BodyReport{{4321}, crate, 312.5f, 12, 3};
  expect_golden("panel-bodies", drawn(bit_of(Panel::Bodies)),
                {{"the panel", without}, {"mass and island", unreported}});
}

TEST_F(HudPictures, ShowTheSceneList) {
  const Pixels without = drawn(0);
  shown_.chooser.toggle_panel();
  shown_.chooser.update(shown_.scenes, "stage");
  expect_golden("panel-scenes", drawn(0), {{"the panel", without}});
}

TEST_F(HudPictures, ShowHelp) {
  expect_panel("help", Panel::Help);
}

TEST_F(HudPictures, ShowTheConnectionStateWithoutAWorld) {
  const Pixels without = drawn(0);
  shown_.status = {client::ClientState::Failed, "the server at 127.0.0.1:7777 is full", {}};
  expect_golden("panel-message", drawn(0), {{"the message", without}});
}

TEST_F(HudPictures, ShowTheDrawPanel) {
  expect_panel("draw", Panel::Draw);
}

TEST_F(HudPictures, ShowServerStatistics) {
  const Pixels with = drawn(bit_of(Panel::Statistics));
  std::vector<Without> lacking{{"the panel", drawn(0)}};
  shown_.statistics.stage_ms = {};
  lacking.push_back({"the stages", drawn(bit_of(Panel::Statistics))});
  expect_golden("panel-statistics", with, lacking);
}

TEST_F(HudPictures, NeedStatisticsOnlyWhileTheirPanelIsShown) {
  hud_->open(bit_of(Panel::Statistics));
  EXPECT_TRUE(hud_->wants_statistics());
  hud_->toggle_panels();
  EXPECT_FALSE(hud_->wants_statistics());
}

TEST_F(HudPictures, ShowTheConsole) {
  const Pixels without = drawn(0);
  hud_->console().print("crates  Two hundred crates fall into a heap.");
  hud_->console().complain("unknown command 'jump'; help lists all commands");
  expect_golden("panel-console", drawn(bit_of(Panel::Console)), {{"the console", without}});
}

TEST_F(HudPictures, ShowTheSettings) {
  const Pixels without = drawn(0);
  shown_.settings_panel.toggle();
  expect_golden("panel-settings", drawn(0), {{"the settings", without}});
}

TEST_F(HudPictures, ShowTheFailureScreen) {
  const Pixels without = drawn(0);
  shown_.status = {client::ClientState::Failed, "", {}};
  shown_.failure = panels::explain(client::Failure::Full, "the server is full: 16 of 16 players",
                                   "127.0.0.1:7777", base::program_names("./run"));
  const Pixels with = drawn(0);
  expect_golden("panel-failure", with, {{"the failure", without}});
}

TEST_F(HudPictures, ShowALostConnection) {
  const Pixels without = drawn(bit_of(Panel::Hud));
  shown_.status = {client::ClientState::Connecting, "the server does not answer", {1}};
  shown_.status.is_reconnecting = true;
  shown_.seconds_silent = 3.5;
  expect_golden("panel-lost", drawn(bit_of(Panel::Hud)), {{"the notice of the loss", without}});
}

TEST_F(HudPictures, ShowANotice) {
  const Pixels without = drawn(0);
  hud_->say("A house of cards stands by friction alone", shown_.seconds);
  const Pixels with = drawn(0);
  expect_golden("panel-notice", rows_of(with, 280, 80),
                {{"the notice", rows_of(without, 280, 80)}});
}

TEST_F(HudPictures, ShowLettersOfOtherScriptsAndASignForUnknownCharacters) {
  const auto notice = [&](const std::string& words) {
    hud_->say(words, shown_.seconds);
    return rows_of(drawn(0), 280, 80).bytes;
  };
  EXPECT_NE(notice("\u0416"), notice("\u0414")) << "two Cyrillic letters";
  EXPECT_NE(notice("\u0633"), notice("\u0645")) << "two Arabic letters";
  EXPECT_NE(notice("a\U0001F600b"), notice("ab")) << "an emoji that no font has";
}

/// Returns a recording of 60 ticks (one second) of a ground plane and a static block, without
/// players.
record::Recording short_recording() {
  const auto scene =
      scene::parse_scene(R"({ "name": "stage", "spawns": [{ "position": [0, 9, 0] }], "bodies": [
    { "motion_type": "static", "shape": { "plane": {} }, "colour": "#9AA39A" },
    { "name": "block", "motion_type": "static", "position": [0, 0.5, -1], "colour": "wood",
      "shape": { "box": { "size": [1, 1, 1] } } }] })",
                         "stage");
  sim::Simulation simulation(*scene, {}, sim::default_rules());
  std::vector<std::byte> bytes;
  record::RecordingWriter writer(simulation, record::rule_names(sim::default_rules()), "stage",
                                 [&](std::span<const std::byte> part) {
                                   bytes.insert(bytes.end(), part.begin(), part.end());
                                   return true;
                                 });
  for (std::uint32_t i = 1; i <= 60; ++i) {
    const state::TickCommands commands{{i}, {}};
    simulation.step(commands);
    writer.add_tick(commands, simulation, {});
  }
  writer.close(simulation);
  return *record::read_recording(bytes);
}

class ReplayPictures : public PanelPictures {
 protected:
  void SetUp() override {
    PanelPictures::SetUp();
    if (IsSkipped()) return;
    hud_ = panels::ReplayHud::create(studio_->window());
    ASSERT_NE(hud_, nullptr);
    player_ = *replay::ReplayPlayer::create(short_recording(), std::nullopt);
    player_->seek({40});
    player_->advance(0, [] { return true; });
  }
  Pixels drawn(panels::PanelSet panels) {
    hud_->open(panels);
    render::CameraRig rig;
    rig.set(over_the_stage);
    const std::string file = "a.jrec", other_file;
    return draw([&] {
      hud_->draw({.player = *player_,
                  .file = file,
                  .other_file = other_file,
                  .view = rig.view(),
                  .seconds = 100,
                  .choice = &choice_,
                  .settings = {settings_panel_, settings_, {}}});
    });
  }
  void expect_panel(const std::string& name, Panel panel) {
    const Pixels with = drawn(bit_of(panel));
    expect_golden("replay-" + name, with, {{"the panel", drawn(0)}});
  }

  panels::DrawChoice choice_;
  panels::SettingsPanel settings_panel_;
  settings::Settings settings_;
  std::unique_ptr<replay::ReplayPlayer> player_;
  std::unique_ptr<panels::ReplayHud> hud_;
};

// The picture leaves out the values above the time line. They contain a hash of the state, which
// changes whenever the format of saved states changes.
TEST_F(ReplayPictures, ShowTheTimeLine) {
  constexpr int top = 260, height = 100;
  const Pixels with = drawn(bit_of(Panel::Hud)), without = drawn(0);
  player_->seek({10});
  player_->advance(0, [] { return true; });
  const Pixels earlier = drawn(bit_of(Panel::Hud));
  expect_golden("replay-bar", rows_of(with, top, height),
                {{"the bar", rows_of(without, top, height)},
                 {"thirty ticks", rows_of(earlier, top, height)}});
}

TEST_F(ReplayPictures, ShowTheDrawPanel) {
  choice_.layers = bit_of(state::DebugDrawLayer::Joints);
  expect_panel("draw", Panel::Draw);
}

TEST_F(ReplayPictures, ShowAPanelThatIsOpenedWhileAllAreHidden) {
  hud_->open(bit_of(Panel::Hud) | bit_of(Panel::Draw));
  hud_->toggle_panels();
  EXPECT_EQ(hud_->shown(), 0);
  EXPECT_FALSE(hud_->close_one());
  hud_->toggle(Panel::Draw);
  EXPECT_EQ(hud_->shown(), bit_of(Panel::Draw));
}

TEST_F(ReplayPictures, ShowTheBodyList) {
  expect_panel("bodies", Panel::Bodies);
}

TEST_F(ReplayPictures, ShowHelp) {
  expect_panel("help", Panel::Help);
}

// parse_panels() reads the argument of `jostle-view --panels`.
TEST(PanelSet, ParsesAListOfNamesAllOrNone) {
  EXPECT_EQ(*panels::parse_panels("none"), panels::PanelSet{0});
  EXPECT_EQ(*panels::parse_panels("all"), panels::all_panels);
  EXPECT_EQ(*panels::parse_panels("help,hud"), bit_of(Panel::Hud) | bit_of(Panel::Help));
  EXPECT_EQ(panels::names_of(*panels::parse_panels("help,net-graph")), "net-graph, help");
  for (const char* wrong : {"", "hud,", "hud help", "hud,all", "Hud", "panel"})
    EXPECT_FALSE(panels::parse_panels(wrong)) << wrong;
  EXPECT_EQ(panels::parse_panels("hud,foo,bar").error(), "foo");
}

}  // namespace
}  // namespace jostle::client_app
