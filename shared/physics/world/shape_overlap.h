#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// Returns true if a convex shape at `pose` has a point in common with the shape in slot `shape` of
/// the world (exact test). World::overlap_shape uses the same test.
bool shape_overlaps(const WorldState& world, const state::Shape& convex, const math::Pose& pose,
                    std::uint32_t shape);

}  // namespace jostle::physics
