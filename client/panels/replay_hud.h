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

/// Everything that stands over the picture of a recording.
struct ReplayHudModel {
  replay::ReplayPlayer& player;
  const std::string& file;        // its name
  const std::string& other_file;  // of the ghost; empty: none
  render::View view;
  bool is_ghost_shown = true;
  double seconds = 0;  // of the program's clock
  DrawChoice* choice = nullptr;
  const state::Overlay* overlay = nullptr;  // that is drawn
  SettingsView settings;
};

/// What was asked for with the mouse since the last call.
struct ReplayWish {
  ReplayCommand command = ReplayCommand::None;
  std::optional<state::Tick> seek;
};

/// The bar with its marks, what is known of the tick, help.
class ReplayHud {
 public:
  /// `window` must outlive it; nothing when Dear ImGui finds no OpenGL of its own.
  static std::unique_ptr<ReplayHud> create(render::Window& window);

  void handle(const SDL_Event& event) { frame_->handle(event); }
  bool takes(const SDL_Event& event) const { return frame_->takes(event); }
  void draw(const ReplayHudModel& model);
  ReplayWish take_wish() { return std::exchange(wish_, {}); }

  void set_scale(double scale) { frame_->set_scale(scale); }
  /// What is open to begin with.
  void open(PanelSet panels);
  void toggle_help() { is_help_shown_ = !is_help_shown_; }
  /// As Hud::close_one().
  bool close_one();
  void toggle_draw_panel() { is_draw_panel_shown_ = !is_draw_panel_shown_; }
  BodyBrowser& bodies() { return browser_; }
  /// Opens the panel of bodies, also where all panels are hidden.
  void select(state::BodyId body) {
    are_panels_shown_ = true;
    browser_.select(body);
  }
  /// All but help; figures and bar come back with them.
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
  float status_right_ = 0;  // of its panel
  ReplayWish wish_;
  NoticeLine notice_;
  BodyBrowser browser_;
};

}  // namespace jostle::panels
