#pragma once

#include "protocol/messages.h"
#include "shared/sim/simulation.h"
#include "shared/state/debug_draw_frame.h"

#include <cstddef>
#include <optional>

namespace jostle::server {

/// Returns a debug draw frame with the items of `layers` that the camera of `interest` sees, at
/// most 80 m from the eye along each axis. If there are more than `most_items`, the items nearest
/// to the eye and to the centre of the view are returned and `left_out` counts the others. If
/// `interest` is null, returns items around the origin.
state::DebugDrawFrame debug_draw_for(const sim::Simulation& simulation,
                                     state::DebugDrawLayers layers,
                                     const std::optional<protocol::SetInterest>& interest,
                                     std::size_t most_items);

}  // namespace jostle::server
