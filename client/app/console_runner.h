#pragma once

#include "client/client.h"
#include "client/controls/console_language.h"
#include "client/panels/console.h"
#include "client/panels/draw_panel.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// What commands of the console change.
struct ConsoleTargets {
  client::Client& client;
  panels::DrawChoice& choice;
  bool& is_ghost_shown;
  bool& is_quit;
  std::function<void(state::BodyId)> follow;  // null: oneself
  /// What went wrong, or nothing.
  std::function<std::optional<std::string>(const std::string& path)> save_picture;
};

/// Carries a typed line out, and says in the console what came of it.
void run_console_line(const std::string& line, panels::Console& console,
                      const ConsoleTargets& targets);

}  // namespace jostle::client_app
