#pragma once

#include "client/controls/key_table.h"
#include "client/render/instances.h"
#include "shared/state/overlay.h"

#include <imgui.h>

#include <optional>
#include <string>

namespace jostle::panels {

/// The user's choice of what is drawn.
struct DrawChoice {
  render::BodyLook look = render::BodyLook::Solid;
  state::OverlayLayers layers = 0;
  bool is_sleep_shown = true;  // asleep bodies are paler
};

/// Draws the panel for the choice, with its upper left corner at `at`. `overlay` is the displayed
/// overlay or null. `below` is the height that is occupied at the bottom.
void draw_choice_panel(DrawChoice& choice, const state::Overlay* overlay, ImVec2 at, float below,
                       const controls::KeyTable& keys);

}  // namespace jostle::panels
