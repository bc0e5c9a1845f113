#pragma once

#include "client/controls/key_bindings.h"
#include "client/render/instances.h"
#include "shared/state/debug_draw_frame.h"

#include <imgui.h>

#include <optional>
#include <string>

namespace jostle::panels {

/// The user's choice of what is drawn.
struct DrawChoice {
  render::BodyLook look = render::BodyLook::Solid;
  state::DebugDrawLayers layers = 0;
  bool is_sleep_shown = true;  // true if sleeping bodies are drawn paler
};

/// Draws the panel that changes `choice`, with its upper left corner at `at`. `debug_draw` is the
/// displayed debug draw frame, or null. `below` is the height at the bottom of the window that
/// other panels occupy.
void draw_choice_panel(DrawChoice& choice, const state::DebugDrawFrame* debug_draw, ImVec2 at,
                       float below, const controls::KeyBindings& keys);

}  // namespace jostle::panels
