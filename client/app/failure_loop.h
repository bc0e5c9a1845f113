#pragma once

#include "client/app/viewer.h"
#include "client/panels/failure_panel.h"
#include "client/render/window.h"
#include "client/settings/settings.h"
#include "shared/base/result.h"
#include "shared/net/io.h"

#include <string>

namespace jostle::client_app {

/// Shows the failure screen with this text until the user chooses what to do, or until
/// `should_stop`, which counts as Quit. The error is one sentence.
base::Result<panels::FailureChoice, std::string> run_failure_screen(
    net::Io& io, const settings::Settings& settings, render::Window& window,
    const panels::FailureText& text, const StopQuestion& should_stop);

}  // namespace jostle::client_app
