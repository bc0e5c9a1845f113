#pragma once

#include "client/client.h"
#include "client/controls/console_language.h"
#include "client/panels/console.h"
#include "client/panels/draw_panel.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// The objects that console commands act on.
struct ConsoleTargets {
  client::Client& client;
  panels::DrawChoice& choice;
  bool& is_ghost_shown;
  bool& is_quit;
  std::function<void(state::BodyId)> follow;  // id 0: the player's own body
  /// Saves a picture of the view to a file. Returns an error message, or null on success.
  std::function<std::optional<std::string>(const std::string& path)> save_picture;
};

/// Parses and runs a console command. Prints its result, or why it is invalid, in `console`.
void run_console_line(const std::string& line, panels::Console& console,
                      const ConsoleTargets& targets);

}  // namespace jostle::client_app
