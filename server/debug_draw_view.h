#pragma once

#include "protocol/messages.h"
#include "shared/sim/simulation.h"
#include "shared/state/debug_draw_frame.h"

#include <cstddef>
#include <optional>

namespace jostle::server {

/// Returns a debug draw frame with the items of `layers` that the camera of `interest` sees. If
/// there are more than `most_items`, those near the eye and near the centre of the view are kept
/// and the others counted. If `interest` is null, returns items around the origin.
state::DebugDrawFrame debug_draw_for(const sim::Simulation& simulation,
                                     state::DebugDrawLayers layers,
                                     const std::optional<protocol::SetInterest>& interest,
                                     std::size_t most_items);

}  // namespace jostle::server
