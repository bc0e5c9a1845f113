#pragma once

#include "client/app/live_settings.h"
#include "client/app/options.h"
#include "client/app/viewer.h"
#include "client/render/window.h"
#include "client/replay/replay_player.h"
#include "shared/net/io.h"

#include <memory>
#include <optional>
#include <string>

namespace jostle::client_app {

/// The recordings that the options name. The error is a sentence that says which of them is at
/// fault, and where.
base::Result<std::unique_ptr<replay::ReplayPlayer>, std::string> open_recordings(
    net::Io& io, const Options& options);

/// Shows them until the user, the options or `should_stop` end it; offscreen, until all was shown
/// that was asked for. What is left to say, or nothing when all went well.
std::optional<std::string> run_replay_viewer(net::Io& io, const Options& options,
                                             replay::ReplayPlayer& player, LiveSettings& live,
                                             render::Window& window,
                                             const StopQuestion& should_stop);

/// "jostle-view: a.jrec: tick 900 of 0 to 6000, hash 0123456789abcdef, as it was recorded"
std::string replay_summary(const Options& options, replay::ReplayPlayer& player);

}  // namespace jostle::client_app
