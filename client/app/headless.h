#pragma once

#include "client/app/options.h"
#include "client/app/viewer.h"
#include "client/app/viewer_session.h"

#include <optional>
#include <string>

namespace jostle::client_app {

/// Plays without pictures: the client plays its script or only receives. Returns an error message,
/// or null on success.
std::optional<std::string> run_headless(net::Io& io, const Options& options, ViewerSession& session,
                                        const StopQuestion& should_stop);

/// Prints the server's scenes, one per line with its description. Returns a message for the user if
/// they cannot be listed, else null.
std::optional<std::string> print_scenes(ViewerSession& session, const StopQuestion& should_stop);

}  // namespace jostle::client_app
