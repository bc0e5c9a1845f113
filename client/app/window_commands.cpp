#include "client/app/window_commands.h"

#include "client/render/instances.h"

namespace jostle::client_app {

bool execute_window_command(controls::Command command, const WindowParts& parts) {
  using controls::Command;
  switch (command) {
    case Command::Quit:
      parts.is_quit = true;
      return true;
    case Command::ToggleFullscreen:
      parts.window.toggle_fullscreen();
      return true;
    case Command::Screenshot:
      parts.take_screenshot();
      return true;
    case Command::ToggleBodies:
      parts.toggle(panels::Panel::Bodies);
      return true;
    case Command::ToggleDraw:
      parts.toggle(panels::Panel::Draw);
      return true;
    case Command::ToggleHelp:
      parts.toggle(panels::Panel::Help);
      return true;
    case Command::ToggleHud:
      parts.toggle_panels();
      return true;
    case Command::ToggleSettings:
      parts.live.panel().toggle();
      return true;
    case Command::Inspect:
      parts.inspect();
      return true;
    case Command::NextLook:
      parts.choice.look = after(parts.choice.look);
      parts.say(std::string("bodies: ") + render::name_of(parts.choice.look));
      return true;
    default:
      return false;
  }
}

}  // namespace jostle::client_app
