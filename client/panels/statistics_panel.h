#pragma once

#include "client/controls/key_table.h"
#include "shared/state/server_statistics.h"

namespace jostle::panels {

/// What the server is busy with, in the upper right corner from `top` on, or that it has not said
/// so yet (null). From where on there is room below.
float draw_statistics_panel(const state::ServerStatistics* statistics, float top,
                            const controls::KeyTable& keys);

}  // namespace jostle::panels
