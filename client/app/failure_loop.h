#pragma once

#include "client/app/viewer.h"
#include "client/panels/failure_panel.h"
#include "client/render/window.h"
#include "client/settings/settings.h"
#include "shared/base/result.h"
#include "shared/net/io.h"

#include <string>

namespace jostle::client_app {

/// Shows a failure screen with `text` until the user chooses what to do, and returns the choice.
/// Returns Quit if the window is closed or `should_stop` returns true. The error is one sentence:
/// why the screen cannot be drawn.
base::Result<panels::FailureChoice, std::string> run_failure_screen(
    net::Io& io, const settings::Settings& settings, render::Window& window,
    const panels::FailureText& text, const StopQuestion& should_stop);

}  // namespace jostle::client_app
