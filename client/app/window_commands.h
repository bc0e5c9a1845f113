#pragma once

#include "client/app/runtime_settings.h"
#include "client/controls/command.h"
#include "client/panels/draw_panel.h"
#include "client/panels/panel_set.h"
#include "client/render/window.h"

#include <functional>
#include <string>

namespace jostle::client_app {

/// The parts of a window that its commands act on. They must outlive this struct.
struct WindowParts {
  render::Window& window;
  RuntimeSettings& live;
  panels::DrawChoice& choice;
  bool& is_quit;
  std::function<void(panels::Panel)> toggle;  // opens or closes a panel
  std::function<void()> toggle_panels;        // hides or shows all panels
  std::function<void()> inspect;              // selects the body under the cursor
  std::function<void()> take_screenshot;
  std::function<void(const std::string&)> say;
};

/// Executes a command that means the same while playing and while a recording is shown. Returns
/// false if it is another command.
bool execute_window_command(controls::Command command, const WindowParts& parts);

}  // namespace jostle::client_app
