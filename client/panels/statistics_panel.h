#pragma once

#include "client/controls/key_bindings.h"
#include "shared/state/server_statistics.h"

namespace jostle::panels {

/// Draws the server's timings in the upper right corner below `top`. If `statistics` is null, the
/// panel says that the statistics have not arrived yet. Returns the y position below the panel.
float draw_statistics_panel(const state::ServerStatistics* statistics, float top,
                            const controls::KeyBindings& keys);

}  // namespace jostle::panels
