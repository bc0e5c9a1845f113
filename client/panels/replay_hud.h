#pragma once

#include "client/panels/body_browser.h"
#include "client/panels/draw_panel.h"
#include "client/panels/imgui_frame.h"
#include "client/panels/panel.h"
#include "client/panels/panel_set.h"
#include "client/panels/replay_keys.h"
#include "client/panels/settings_panel.h"
#include "client/render/camera.h"
#include "client/replay/replay_player.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace jostle::panels {

/// Input of ReplayHud::draw(): all data that is drawn over a recording.
struct ReplayHudModel {
  replay::ReplayPlayer& player;
  const std::string& file;        // file name
  const std::string& other_file;  // file name of the other recording; empty: none
  render::View view;
  bool is_ghost_shown = true;
  double seconds = 0;  // program time
  DrawChoice* choice = nullptr;
  const state::DebugDrawFrame* debug_draw = nullptr;  // the displayed debug draw frame; null: none
  SettingsView settings;
};

/// Result of ReplayHud::take_wish(): the user's input from the time line and its buttons since the
/// last call. `seek` is the requested tick; null: none.
struct ReplayChoice {
  ReplayCommand command = ReplayCommand::None;
  std::optional<state::Tick> seek;
};

/// The time line with its marks, a status panel for the tick, and help.
class ReplayHud {
 public:
  /// Creates the HUD. `window` must outlive the HUD. Returns null if Dear ImGui cannot load OpenGL.
  static std::unique_ptr<ReplayHud> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  bool takes(const SDL_Event& event) const { return frame_->takes(event); }
  void draw(const ReplayHudModel& model);
  ReplayChoice take_wish() { return std::exchange(wish_, {}); }

  void set_scale(double scale) { frame_->set_scale(scale); }
  /// Opens the panels of `panels` and closes the others. Does not change the settings panel.
  void open(PanelSet panels);
  PanelSet shown() const;
  /// Opens or closes help, draw or bodies. If the panels are hidden, first closes all of them
  /// except help. Nothing happens for other panels.
  void toggle(Panel panel);
  /// Closes the first open panel of these: help, draw, bodies. Returns false if none is open.
  bool close_one();
  BodyBrowser& bodies() { return browser_; }
  /// Selects a body and opens its panel, even if all panels are hidden.
  void select(state::BodyId body) {
    if (!has(shown(), Panel::Bodies)) toggle(Panel::Bodies);
    browser_.select(body);
  }
  /// Hides or shows all panels except help and settings. Showing them also shows the status panel
  /// and the time line.
  void toggle_panels();
  void say(const std::string& words, double seconds) { notice_.say(words, seconds); }

 private:
  explicit ReplayHud(std::unique_ptr<ImguiFrame> frame) : frame_(std::move(frame)) {}
  void draw_status(const ReplayHudModel& model);
  void draw_bar(const ReplayHudModel& model);
  void draw_scrubber(replay::ReplayPlayer& player, float width);
  void draw_buttons(const ReplayHudModel& model, float width);

  std::unique_ptr<ImguiFrame> frame_;
  bool is_help_shown_ = false, is_draw_panel_shown_ = false;
  bool are_panels_shown_ = true, are_figures_shown_ = true;
  std::uint32_t typed_tick_ = 0;
  float status_right_ = 0;  // right edge of the status panel
  ReplayChoice wish_;
  NoticeLine notice_;
  BodyBrowser browser_;
};

}  // namespace jostle::panels
