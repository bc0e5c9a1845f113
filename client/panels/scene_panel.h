#pragma once

#include "client/panels/scene_chooser.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace jostle::panels {

/// Draws the list of scenes with the sentence of the selected one into the frame that Dear ImGui
/// has begun, and scrolls to the selected one if that is another than `shown_before`. The line that
/// was clicked, or nothing. `key` opens and closes it, if any does.
std::optional<std::size_t> draw_scene_panel(const SceneChooser& chooser,
                                            std::span<const protocol::SceneInfo> scenes,
                                            const std::string& current,
                                            std::optional<std::size_t> shown_before,
                                            const std::string& key);

}  // namespace jostle::panels
