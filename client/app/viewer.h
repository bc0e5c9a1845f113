#pragma once

#include "client/app/options.h"
#include "client/app/runtime_settings.h"
#include "client/app/viewer_session.h"
#include "client/panels/failure_panel.h"
#include "client/render/window.h"
#include "shared/net/io.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// Function that a loop calls at least once per iteration. The loop ends when the function returns
/// true.
using StopQuestion = std::function<bool()>;

/// Result of playing in a window.
struct ViewerEnd {
  std::optional<std::string> text;  // message for the user; null if there was no error
  /// The user's choice on the failure screen, if playing ended there. Also OtherServer if the user
  /// named no server and no server answered on this machine.
  panels::FailureChoice wish = panels::FailureChoice::None;
};

/// Draws the session's world in the window and sends the user's inputs, until the user, the
/// options, the server or `should_stop` end this. Leaves the session open. If a user is present
/// (has_interactive_user) and the server cannot be reached, a failure screen asks what to do.
ViewerEnd run_viewer(net::Io& io, const Options& options, ViewerSession& session,
                     render::Window& window, RuntimeSettings& live,
                     const StopQuestion& should_stop);

}  // namespace jostle::client_app
