#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/world.h"
#include "shared/state/overlay.h"

#include <cstddef>
#include <optional>

namespace jostle::overlay {

/// What the layers show of the world, in the order of physics::debug_draw, where `box` stands what
/// reaches into it alone; as many items as there is room for. The tick is the caller's.
state::Overlay collect(const physics::World& world, state::OverlayLayers layers,
                       std::size_t most_items, const std::optional<math::Aabb>& box = std::nullopt);

}  // namespace jostle::overlay
