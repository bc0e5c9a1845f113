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

/// How the start screen begins.
struct StartOccasion {
  std::string note;              // why it is here, where a server was tried before
  std::string server;            // in the field
  bool is_token_wanted = false;  // the server that was tried asks for one
};

/// Shows the servers of the local network and those of before, until the user joins one or quits:
/// then nothing. Offscreen there is no user: it ends after a second, and leaves the options'
/// screenshot. An error is one sentence.
base::Result<std::optional<panels::JoinWish>, std::string> run_start_screen(
    net::Io& io, const Options& options, const settings::Settings& settings, render::Window& window,
    const RecentServers& recent, const StartOccasion& occasion, const StopQuestion& should_stop);

}  // namespace jostle::client_app
