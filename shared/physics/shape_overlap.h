#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// Whether a convex shape has a point in common with one of the world's, exactly: what
/// World::overlap_shape asks of each.
bool shape_overlaps(const WorldState& world, const state::Shape& convex, const math::Pose& pose,
                    std::uint32_t shape);

}  // namespace jostle::physics
