#pragma once

#include "client/app/live_settings.h"
#include "client/app/options.h"
#include "client/app/session.h"
#include "client/render/window.h"
#include "shared/net/io.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// Asked once per round of a loop: true ends it.
using StopQuestion = std::function<bool()>;

/// Plays until the user, the options, the server or `should_stop` end it. What is left to say, or
/// nothing when all went well; the session is still open then.
std::optional<std::string> run_viewer(net::Io& io, const Options& options, Session& session,
                                      render::Window& window, LiveSettings& live,
                                      const StopQuestion& should_stop);

/// The same without pictures: the client plays its script or only listens.
std::optional<std::string> run_headless(net::Io& io, const Options& options, Session& session,
                                        const StopQuestion& should_stop);

/// Prints the server's scenes, a line each with its sentence. What is left to say, as above.
std::optional<std::string> print_scenes(Session& session, const StopQuestion& should_stop);

}  // namespace jostle::client_app
