#pragma once

#include "protocol/messages.h"
#include "shared/sim/simulation.h"
#include "shared/state/overlay.h"

#include <cstddef>
#include <optional>

namespace jostle::server {

/// What the layers show of the world around who looks so: of what it sees what is nearest and in
/// the middle, at most `most_items`. Without an interest, around the origin.
state::Overlay overlay_for(const sim::Simulation& simulation, state::OverlayLayers layers,
                           const std::optional<protocol::SetInterest>& interest,
                           std::size_t most_items);

}  // namespace jostle::server
