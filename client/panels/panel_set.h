#pragma once

#include "shared/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::panels {

/// What may stand over a picture, as the command line names it.
enum class Panel : std::uint8_t {
  Hud,       // figures and name tags; of a recording its bar, too
  NetGraph,  // of a server's world
  Bodies,
  Draw,
  Scenes,      // of a server
  Statistics,  // of a server
  Help,
  Console,  // of a server
  Settings,
};
inline constexpr std::size_t panel_count = 9;
inline constexpr std::array<std::string_view, panel_count> panel_names{
    "hud", "net-graph", "bodies", "draw", "scenes", "statistics", "help", "console", "settings"};

/// A set of panels, by bit.
using PanelSet = std::uint16_t;
constexpr PanelSet bit_of(Panel panel) {
  return static_cast<PanelSet>(1U << static_cast<std::uint8_t>(panel));
}
constexpr bool has(PanelSet panels, Panel panel) {
  return (panels & bit_of(panel)) != 0;
}
/// Those that there are over a server's world, and over a recording.
inline constexpr PanelSet server_panels = (1U << panel_count) - 1;
inline constexpr PanelSet recording_panels =
    server_panels & ~(bit_of(Panel::NetGraph) | bit_of(Panel::Scenes) | bit_of(Panel::Statistics) |
                      bit_of(Panel::Console));
/// "all": those that stand beside each other. The others lie over them.
inline constexpr PanelSet all_panels =
    server_panels & ~(bit_of(Panel::Console) | bit_of(Panel::Settings));

/// Of "hud,help", "all" or "none"; the error is the first word that is no panel.
base::Result<PanelSet, std::string> parse_panels(const std::string& text);
/// "hud, net-graph, ..."
std::string names_of(PanelSet panels);

}  // namespace jostle::panels
