#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/world.h"
#include "shared/state/overlay.h"

#include <cstddef>
#include <optional>

namespace jostle::overlay {

/// Collects the items of the given layers in the order of physics::debug_draw, at most
/// `most_items`. If `box` is given, only items that reach into it. The caller sets the tick.
state::Overlay collect(const physics::World& world, state::OverlayLayers layers,
                       std::size_t most_items, const std::optional<math::Aabb>& box = std::nullopt);

}  // namespace jostle::overlay
