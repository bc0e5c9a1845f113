#pragma once

#include "client/app/runtime_settings.h"
#include "client/controls/command.h"
#include "client/panels/draw_panel.h"
#include "client/panels/panel_set.h"
#include "client/render/window.h"

#include <functional>
#include <memory>
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

/// Creates the parts of the window whose main loop is `loop`. The loop has the functions inspect(),
/// take_screenshot() and say(text). `hud` holds the panels; null: there are none. All arguments
/// must outlive the parts.
template <typename Hud, typename Loop>
WindowParts make_window_parts(render::Window& window, RuntimeSettings& live,
                              panels::DrawChoice& choice, bool& is_quit,
                              const std::unique_ptr<Hud>& hud, Loop& loop) {
  return {.window = window,
          .live = live,
          .choice = choice,
          .is_quit = is_quit,
          .toggle =
              [&hud](panels::Panel panel) {
                if (hud) hud->toggle(panel);
              },
          .toggle_panels =
              [&hud] {
                if (hud) hud->toggle_panels();
              },
          .inspect = [&loop] { loop.inspect(); },
          .take_screenshot = [&loop] { loop.take_screenshot(); },
          .say = [&loop](const std::string& words) { loop.say(words); }};
}

/// Executes a command that means the same while playing and while a recording is shown. Returns
/// false if it is another command.
bool execute_window_command(controls::Command command, const WindowParts& parts);

}  // namespace jostle::client_app
