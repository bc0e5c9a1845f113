#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/world.h"
#include "shared/state/debug_draw_frame.h"

#include <cstddef>
#include <optional>

namespace jostle::remote_debug_draw {

/// Returns the items of the given layers in the order of physics::debug_draw, at most `most_items`.
/// If `box` is given, omits items that do not intersect it. The caller sets the tick.
state::DebugDrawFrame collect(const physics::World& world, state::DebugDrawLayers layers,
                              std::size_t most_items,
                              const std::optional<math::Aabb>& box = std::nullopt);

}  // namespace jostle::remote_debug_draw
