#pragma once

#include "client/app/options.h"
#include "client/app/recent_servers.h"
#include "client/app/viewer.h"
#include "client/panels/start_screen.h"
#include "client/render/window.h"
#include "client/settings/settings.h"
#include "shared/base/result.h"
#include "shared/net/io.h"

#include <optional>
#include <string>

namespace jostle::client_app {

/// Initial content of the start screen.
struct StartOccasion {
  std::string note;    // message to show, e.g. why the last server could not be joined; empty: none
  std::string server;  // text of the server field
  bool is_token_wanted = false;  // true: the token field is shown
};

/// Shows the servers on the local network and recent servers until the user joins one or quits.
/// Returns the server to join, or null if the user quits. Offscreen, returns null after 1.2 s.
/// Before it returns null, saves the screenshot that the options name. The error is one sentence.
base::Result<std::optional<panels::JoinRequest>, std::string> run_start_screen(
    net::Io& io, const Options& options, const settings::Settings& settings, render::Window& window,
    const RecentServers& recent, const StartOccasion& occasion, const StopQuestion& should_stop);

}  // namespace jostle::client_app
