#pragma once

#include "protocol/messages.h"
#include "shared/sim/simulation.h"
#include "shared/state/debug_draw_frame.h"

#include <cstddef>
#include <optional>

namespace jostle::server {

/// Collects the debug draw layers of what the camera of `interest` sees: items near the eye and
/// near the centre of the view first, at most `most_items`. Without an interest, items around the
/// origin.
state::DebugDrawFrame debug_draw_for(const sim::Simulation& simulation,
                                     state::DebugDrawLayers layers,
                                     const std::optional<protocol::SetInterest>& interest,
                                     std::size_t most_items);

}  // namespace jostle::server
