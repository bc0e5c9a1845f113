#pragma once

#include "client/controls/control_settings.h"
#include "client/render/camera.h"
#include "client/render/instances.h"

#include <cstdint>
#include <string>

namespace jostle::settings {

/// Quality of shadows and anti-aliasing. Auto is High with a GPU. With a software renderer, it is
/// Low for shadows and Off for anti-aliasing.
enum class Quality : std::uint8_t { Auto, Off, Low, High };

/// The user's persistent settings.
struct Settings {
  std::string name = "player";
  bool is_predicting = false;  // client-side prediction
  render::Size window;
  bool is_fullscreen = false;
  Quality shadows = Quality::Auto, edges = Quality::Auto;
  int max_frames_per_second = 0;  // 0: the display's refresh rate
  render::BodyLook look = render::BodyLook::Solid;
  double interface_scale = 0;  // 0: the scale of the display
  // True for panels that are shown at the start.
  bool are_panels_shown = true, is_net_graph_shown = false, is_body_browser_shown = false,
       is_help_shown = false;
  controls::ControlSettings controls;
  bool operator==(const Settings&) const = default;
};

// Limits of the settings and of the command-line options of the same meaning.
inline constexpr int min_window_side = 16, max_window_side = 16'384;
inline constexpr int max_frame_limit = 1'000;
inline constexpr double min_interface_scale = 0.5, max_interface_scale = 4;

}  // namespace jostle::settings
