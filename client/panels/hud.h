#pragma once

#include "client/client.h"
#include "client/controls/control_settings.h"
#include "client/panels/body_browser.h"
#include "client/panels/console.h"
#include "client/panels/draw_panel.h"
#include "client/panels/failure_panel.h"
#include "client/panels/imgui_frame.h"
#include "client/panels/panel.h"
#include "client/panels/panel_set.h"
#include "client/panels/scene_chooser.h"
#include "client/panels/scene_panel.h"
#include "client/panels/settings_panel.h"
#include "client/render/camera.h"
#include "client/render/window.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace jostle::panels {

/// Everything that stands over the picture.
struct HudModel {
  const client::Status& status;
  const client::Metrics& metrics;
  const state::WorldDef& world;
  std::span<const client::ShownBody> bodies;
  const state::Readouts& readouts;
  std::size_t particles = 0;     // shown
  std::string_view bad_network;  // the one that is simulated, in words
  render::View view;
  render::CameraMode camera_mode = render::CameraMode::Orbit;
  bool is_paused = false, is_gravity_off = false;
  std::uint32_t rate_percent = 100;  // of how fast time goes
  double frames_per_second = 0;
  double seconds = 0;               // of the program's clock, for what moves
  double shown_seconds = 0;         // of the world's time, as it is shown
  SceneChooser* chooser = nullptr;  // with its panel, or none
  std::span<const protocol::SceneInfo> scenes;
  ScenePanel::PictureOf picture_of_scene = [](const std::string&) { return 0U; };
  DrawChoice* choice = nullptr;                         // what is drawn; changed in its panel
  const state::Overlay* overlay = nullptr;              // that is drawn
  const state::ServerStatistics* statistics = nullptr;  // what the server told, if it has
  const state::BodyReport* report = nullptr;            // of the selected body, if it has
  const FailureText* failure = nullptr;    // why there is no connection, to be asked about; or none
  double seconds_silent = 0;               // since something came from the server
  std::optional<render::ScreenPoint> aim;  // of a gamepad, in pixels
  SettingsView settings;
};

/// Panels, net graph, name tags and help, drawn with Dear ImGui into the bound frame.
class Hud {
 public:
  /// `window` must outlive it; nothing when Dear ImGui finds no OpenGL of its own.
  static std::unique_ptr<Hud> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  void draw(const HudModel& model);

  void set_scale(double scale) { frame_->set_scale(scale); }
  /// What is open to begin with.
  void open(PanelSet panels);
  PanelSet shown() const;
  /// Where all are hidden, that one comes alone.
  void toggle(Panel panel);
  /// The one that was to be read or chosen from: help, or the panels of drawing, bodies and
  /// statistics. False where none is open.
  bool close_one();
  /// Shows what the server tells of its work: in its own panel, or a line of it in the net graph.
  bool wants_statistics() const { return are_statistics_shown_ || is_net_graph_shown_; }
  BodyBrowser& bodies() { return browser_; }
  /// Opens the panel of bodies, also where all panels are hidden.
  void select(state::BodyId body);
  Console& console() { return console_; }
  /// All but help and the list of scenes; the figures come back with them.
  void toggle_panels();
  /// While the console is open all keys are for it, also where its field waits for a picture.
  bool takes(const SDL_Event& event) const {
    return frame_->takes(event) || (event.type == SDL_KEYDOWN && console_.is_shown());
  }
  const ScenePanel& scene_panel() const { return scene_panel_; }
  /// The line of the scene panel that was clicked since the last call.
  std::optional<std::size_t> take_clicked_scene();
  /// What was clicked of the failure's buttons since the last call.
  FailureWish take_failure_wish() { return std::exchange(failure_wish_, FailureWish::None); }
  /// A line at the bottom for a few seconds.
  void say(const std::string& words, double seconds) { notice_.say(words, seconds); }

 private:
  /// One bar of the net graph.
  struct Sample {
    float kilobytes_down = 0, kilobytes_up = 0, round_trip_ms = 0, loss = 0;
  };
  static constexpr std::size_t history_size = 150;

  explicit Hud(std::unique_ptr<ImguiFrame> frame) : frame_(std::move(frame)) {}
  void draw_status(const HudModel& model);
  void draw_net_graph(const HudModel& model);
  void draw_message(const HudModel& model);
  void take_sample(const HudModel& model);

  std::unique_ptr<ImguiFrame> frame_;
  bool is_help_shown_ = false, is_net_graph_shown_ = false;
  bool are_panels_shown_ = true, are_figures_shown_ = true;
  bool is_choice_shown_ = false, are_statistics_shown_ = false;
  float status_right_ = 0;  // of its panel
  std::array<Sample, history_size> history_{};
  std::size_t next_sample_ = 0;
  double next_sample_at_s_ = 0;
  NoticeLine notice_;
  BodyBrowser browser_;
  Console console_;
  FailureWish failure_wish_ = FailureWish::None;
  ScenePanel scene_panel_;
  std::optional<std::size_t> clicked_scene_;  // its line
};

}  // namespace jostle::panels
