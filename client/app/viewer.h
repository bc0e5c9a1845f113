#pragma once

#include "client/app/live_settings.h"
#include "client/app/options.h"
#include "client/app/session.h"
#include "client/panels/failure_panel.h"
#include "client/render/window.h"
#include "shared/net/io.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// Asked once per round of a loop: true ends it.
using StopQuestion = std::function<bool()>;

/// How playing in a window has ended.
struct ViewerEnd {
  std::optional<std::string> words;  // what is left to say; nothing when all went well
  /// What the user wants instead of an end, when nothing could be played any more.
  panels::FailureWish wish = panels::FailureWish::None;
};

/// Plays until the user, the options, the server or `should_stop` end it; the session is still open
/// then. Where somebody is at the window (is_attended) and the server cannot be reached, he is
/// asked what to do.
ViewerEnd run_viewer(net::Io& io, const Options& options, Session& session, render::Window& window,
                     LiveSettings& live, const StopQuestion& should_stop);

}  // namespace jostle::client_app
