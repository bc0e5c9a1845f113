#pragma once

#include "client/controls/key_table.h"
#include "client/render/instances.h"
#include "shared/state/overlay.h"

#include <imgui.h>

#include <optional>
#include <string>

namespace jostle::panels {

/// What is drawn, and how, as the user has chosen.
struct DrawChoice {
  render::BodyLook look = render::BodyLook::Solid;
  state::OverlayLayers layers = 0;
  bool is_sleep_shown = true;  // asleep bodies are paler
};

/// A panel with all of it, its upper left corner `at`; `overlay` is what is drawn now, or null;
/// `below` is taken by others there.
void draw_choice_panel(DrawChoice& choice, const state::Overlay* overlay, ImVec2 at, float below,
                       const controls::KeyTable& keys);

}  // namespace jostle::panels
