#pragma once

#include "client/client.h"
#include "client/render/camera.h"

#include <imgui.h>

#include <cstdio>
#include <span>
#include <string>

namespace jostle::panels {

// What panels of all kinds are made of.

inline const ImVec4 dim{0.68f, 0.73f, 0.79f, 1};
inline const ImVec4 good{0.52f, 0.86f, 0.55f, 1};
inline const ImVec4 warning{1.0f, 0.80f, 0.36f, 1};
inline const ImVec4 bad{1.0f, 0.47f, 0.42f, 1};
/// Of panels that take neither mouse nor keys.
inline constexpr ImGuiWindowFlags panel_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

/// Windows with less room than this, in units of the panels, show less of the figures.
inline constexpr float roomy_height = 640;

/// Of those that take the mouse.
inline constexpr ImGuiWindowFlags mouse_panel_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize;

/// Of those that may hold more than there is room for, between what stands above and below them:
/// they are scrolled with the wheel. Before ImGui::Begin.
inline constexpr ImGuiWindowFlags scrolled_panel_flags =
    mouse_panel_flags & ~ImGuiWindowFlags_NoScrollbar;
void limit_next_panel(float top, float below);

/// Whether the text holds the part, in letters of any case.
bool holds(const std::string& text, const std::string& part);

/// What of the text fits the width, with dots where that is not all of it.
std::string shortened(const std::string& text, float width);

/// A line of a two-column table.
void row(const char* name, const char* value);
template <typename... Values>
void row(const char* name, const char* format, Values... values) {
  char text[96];
  std::snprintf(text, sizeof text, format, values...);
  row(name, static_cast<const char*>(text));
}

/// The figures of the scene, in the upper right corner; nothing where there are none. From where on
/// there is room below.
float draw_readouts_panel(const state::Readouts& readouts);
/// The names of players above their bodies; that of `own` stands out.
void draw_name_tags(std::span<const client::ShownBody> bodies, const render::View& view,
                    state::PlayerId own);

/// A sentence at the bottom for a few seconds, over all panels.
class NoticeLine {
 public:
  /// `seconds` of the program's clock, as in draw().
  void say(const std::string& words, double seconds);
  /// So many units above the window's lower edge.
  void draw(double seconds, float above);

 private:
  std::string words_;
  double until_s_ = 0;
};

}  // namespace jostle::panels
