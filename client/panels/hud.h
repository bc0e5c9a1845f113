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

/// Input of Hud::draw(): all data that is drawn over the world.
struct HudModel {
  const client::Status& status;
  const client::Metrics& metrics;
  const state::WorldDef& world;
  std::span<const client::ShownBody> bodies;
  const state::Labels& labels;
  std::size_t particles = 0;     // number of particles displayed
  std::string_view bad_network;  // description of the simulated network; empty: none
  render::View view;
  render::CameraMode camera_mode = render::CameraMode::Orbit;
  bool is_paused = false, is_gravity_off = false;
  std::uint32_t rate_percent = 100;  // speed of the simulation in percent of the normal speed
  double frames_per_second = 0;
  double seconds = 0;               // program time, for animations
  double shown_seconds = 0;         // displayed world time
  SceneChooser* chooser = nullptr;  // selection of a scene, with its panel; null: none
  std::span<const protocol::SceneInfo> scenes;
  ScenePanel::PictureOf picture_of_scene = [](const std::string&) { return 0U; };
  // the draw options, which the draw panel changes; null: no draw panel
  DrawChoice* choice = nullptr;
  const state::DebugDrawFrame* debug_draw = nullptr;  // the displayed debug draw frame; null: none
  const state::ServerStatistics* statistics = nullptr;  // received from the server; null: none yet
  // the server's report on the selected body; null: none yet
  const state::BodyReport* report = nullptr;
  const SceneError* scene_error = nullptr;  // error of the previewed scene file; null: none
  const FailureText* failure = nullptr;     // content of the failure screen; null: not shown
  double seconds_silent = 0;                // time since the last packet from the server
  std::optional<render::ScreenPoint> aim;   // aim point of a gamepad, in pixels; null: none
  SettingsView settings;
};

/// Panels, net graph, name tags and help, drawn with Dear ImGui into the bound framebuffer.
class Hud {
 public:
  /// Creates the HUD. `window` must outlive the HUD. Returns null if Dear ImGui cannot load OpenGL.
  static std::unique_ptr<Hud> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  void draw(const HudModel& model);

  void set_scale(double scale) { frame_->set_scale(scale); }
  /// Opens the panels of `panels` and closes the others. Does not change the scene list or the
  /// settings panel.
  void open(PanelSet panels);
  PanelSet shown() const;
  /// Opens or closes a panel. If the panels are hidden, first closes all of them except help and
  /// console.
  void toggle(Panel panel);
  /// Closes the first open panel of these: help, draw, bodies, statistics. Returns false if none is
  /// open.
  bool close_one();
  /// Returns true if the statistics panel or the net graph is open, which show server statistics.
  bool wants_statistics() const {
    return has(shown(), Panel::Statistics) || has(shown(), Panel::NetGraph);
  }
  BodyBrowser& bodies() { return browser_; }
  /// Selects a body and opens its panel, even if all panels are hidden.
  void select(state::BodyId body);
  Console& console() { return console_; }
  /// Hides or shows all panels except help, console, settings and scene list. Showing them also
  /// shows the status panel and name tags.
  void toggle_panels();
  /// Returns true if the event belongs to a panel. An open console receives all keys except
  /// function keys.
  bool takes(const SDL_Event& event) const {
    return frame_->takes(event) ||
           (event.type == SDL_KEYDOWN && console_.is_shown() && !is_function_key(event));
  }
  const ScenePanel& scene_panel() const { return scene_panel_; }
  /// Returns the line of the scene panel clicked since the last call; null: none.
  std::optional<std::size_t> take_clicked_scene();
  /// Returns the button of the failure screen that was clicked since the last call; None if none
  /// was.
  FailureChoice take_failure_choice() {
    return std::exchange(failure_choice_, FailureChoice::None);
  }
  /// Shows a message at the bottom for a few seconds. `seconds` is the program time.
  void say(const std::string& words, double seconds) { notice_.say(words, seconds); }

 private:
  /// One bar of the net graph. `loss` is a fraction; the rates are in kB/s.
  struct Sample {
    float kilobytes_down = 0, kilobytes_up = 0, round_trip_ms = 0, loss = 0;
  };
  static constexpr std::size_t history_size = 150;

  explicit Hud(std::unique_ptr<ImguiFrame> frame) : frame_(std::move(frame)) {}
  bool is_choosing(const HudModel& model) const {
    return model.chooser != nullptr && model.chooser->is_panel_shown();
  }
  bool is_net_graph_beside_status() const;
  bool is_status_covered(const HudModel& model) const;
  void draw_status(const HudModel& model);
  void draw_net_graph(const HudModel& model);
  void draw_message(const HudModel& model);
  void add_sample(const HudModel& model);

  std::unique_ptr<ImguiFrame> frame_;
  bool is_help_shown_ = false, is_net_graph_shown_ = false;
  bool are_panels_shown_ = true, are_figures_shown_ = true;
  bool is_choice_shown_ = false, are_statistics_shown_ = false;
  // Sizes in the frame in which they were last drawn.
  render::ScreenPoint status_size_, net_graph_size_;
  std::array<Sample, history_size> history_{};
  std::size_t next_sample_ = 0;
  double next_sample_at_s_ = 0;
  NoticeLine notice_;
  BodyBrowser browser_;
  Console console_;
  FailureChoice failure_choice_ = FailureChoice::None;
  ScenePanel scene_panel_;
  std::optional<std::size_t> clicked_scene_;  // line number
};

}  // namespace jostle::panels
