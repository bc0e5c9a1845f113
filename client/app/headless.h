#pragma once

#include "client/app/options.h"
#include "client/app/viewer.h"
#include "client/app/viewer_session.h"

#include <optional>
#include <string>

namespace jostle::client_app {

/// Runs the client without drawing until `should_stop` returns true, the duration of the options is
/// over or the session fails. The client plays the script of the options. Returns an error message,
/// or null on success.
std::optional<std::string> run_headless(net::Io& io, const Options& options, ViewerSession& session,
                                        const StopQuestion& should_stop);

/// Waits for the list of the server's scenes and prints it, one scene and its description per line.
/// Returns a message for the user if the server sends no list, else null.
std::optional<std::string> print_scenes(ViewerSession& session, const StopQuestion& should_stop);

}  // namespace jostle::client_app
