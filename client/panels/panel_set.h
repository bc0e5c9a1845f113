#pragma once

#include "shared/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::panels {

/// Panels of the window, as named on the command line.
enum class Panel : std::uint8_t {
  Hud,       // status panel and name tags; with a recording also its time line
  NetGraph,  // not for recordings
  Bodies,
  Draw,
  Scenes,      // not for recordings
  Statistics,  // not for recordings
  Help,
  Console,  // not for recordings
  Settings,
};
inline constexpr std::size_t panel_count = 9;
inline constexpr std::array<std::string_view, panel_count> panel_names{
    "hud", "net-graph", "bodies", "draw", "scenes", "statistics", "help", "console", "settings"};

/// A set of panels: one bit per Panel.
using PanelSet = std::uint16_t;
constexpr PanelSet bit_of(Panel panel) {
  return static_cast<PanelSet>(1U << static_cast<std::uint8_t>(panel));
}
constexpr bool has(PanelSet panels, Panel panel) {
  return (panels & bit_of(panel)) != 0;
}
/// Panels available for a server and for a recording.
inline constexpr PanelSet server_panels = (1U << panel_count) - 1;
inline constexpr PanelSet recording_panels =
    server_panels & ~(bit_of(Panel::NetGraph) | bit_of(Panel::Scenes) | bit_of(Panel::Statistics) |
                      bit_of(Panel::Console));
/// Panels that "all" opens: every panel except the console and the settings.
inline constexpr PanelSet all_panels =
    server_panels & ~(bit_of(Panel::Console) | bit_of(Panel::Settings));

/// Parses "hud,help", "all" or "none"; the error is the first word that is not a panel.
base::Result<PanelSet, std::string> parse_panels(const std::string& text);
/// Returns the names of the panels, e.g. "hud, net-graph".
std::string names_of(PanelSet panels);

}  // namespace jostle::panels
