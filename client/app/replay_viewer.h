#pragma once

#include "client/app/options.h"
#include "client/app/runtime_settings.h"
#include "client/app/viewer.h"
#include "client/render/window.h"
#include "client/replay/replay_player.h"
#include "shared/net/io.h"

#include <memory>
#include <optional>
#include <string>

namespace jostle::client_app {

/// Opens the recordings that the options name. The error is one sentence that names the file.
base::Result<std::unique_ptr<replay::ReplayPlayer>, std::string> open_recordings(
    net::Io& io, const Options& options);

/// Shows the recordings until the user, the options or `should_stop` end it. Offscreen, if neither
/// --frames nor --duration is given, also ends when playback has stopped: after the last tick, or
/// at the tick of --at-tick. Returns an error message, or null on success.
std::optional<std::string> run_replay_viewer(net::Io& io, const Options& options,
                                             replay::ReplayPlayer& player, RuntimeSettings& live,
                                             render::Window& window,
                                             const StopQuestion& should_stop);

/// Returns e.g. "jostle-view: a.jrec: tick 900 of 0 to 6000, hash 0123456789abcdef, as recorded".
/// If a second recording is compared, the result of the comparison follows.
std::string replay_summary(const Options& options, replay::ReplayPlayer& player);

}  // namespace jostle::client_app
