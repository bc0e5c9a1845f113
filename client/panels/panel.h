#pragma once

#include "client/client.h"
#include "client/render/camera.h"

#include <imgui.h>

#include <cstdio>
#include <span>
#include <string>

namespace jostle::panels {

// Shared parts of all panels.

inline constexpr float margin = 12;  // between panels and to the edges of the window

inline const ImVec4 dim{0.68f, 0.73f, 0.79f, 1};
inline const ImVec4 good{0.52f, 0.86f, 0.55f, 1};
inline const ImVec4 warning{1.0f, 0.80f, 0.36f, 1};
inline const ImVec4 bad{1.0f, 0.47f, 0.42f, 1};
/// Flags of panels that take neither mouse nor keys.
inline constexpr ImGuiWindowFlags panel_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

/// Windows below this height, in panel units, show fewer figures.
inline constexpr float roomy_height = 640;

/// Flags of panels that take the mouse.
inline constexpr ImGuiWindowFlags mouse_panel_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize;

/// Flags of panels that scroll with the wheel if they do not fit. Call limit_next_panel() before
/// ImGui::Begin.
inline constexpr ImGuiWindowFlags scrolled_panel_flags =
    mouse_panel_flags & ~ImGuiWindowFlags_NoScrollbar;
/// Limits the height of the next panel to the space from y = `top` to `below` units above the lower
/// edge of the window, less one margin. The limit is at least 60 units.
void limit_next_panel(float top, float below);

/// Gives the keyboard focus to the next text field of the current window.
void focus_next_field();

/// Returns true if `text` contains `part`, ignoring case.
bool holds(const std::string& text, const std::string& part);

/// Returns as much of the text as fits into `width` panel units, with "..." at the end if it was
/// cut. Returns an empty text if nothing fits.
std::string shortened(const std::string& text, float width);

/// Adds a row to a two-column table.
void row(const char* name, const char* value);
template <typename... Values>
void row(const char* name, const char* format, Values... values) {
  char text[96];
  std::snprintf(text, sizeof text, format, values...);
  row(name, static_cast<const char*>(text));
}

/// Draws labels of the scene and values of rules in the upper right corner, if there are any.
/// Returns the y position at which the next panel can start.
float draw_labels_panel(const state::Labels& labels);
/// Draws player names above their bodies. The name of player `own` is highlighted.
void draw_name_tags(std::span<const client::ShownBody> bodies, const render::View& view,
                    state::PlayerId own);

/// A message at the bottom for a few seconds, on top of all panels.
class NoticeLine {
 public:
  /// Shows a message. `seconds` is the program time, as in draw().
  void say(const std::string& words, double seconds);
  /// Draws the message `above` units above the lower edge of the window.
  void draw(double seconds, float above);

 private:
  std::string words_;
  double until_s_ = 0;
};

}  // namespace jostle::panels
