#pragma once

#include "shared/forces/detail/clip_polyhedron.h"
#include "shared/state/shape.h"

namespace jostle::forces::detail {

/// Corners of each ring of a round solid.
inline constexpr int ring_corners = 16;

/// A ball, capsule, cylinder or cone in its own frame as a polyhedron of the same volume: rings of
/// corners about y, at every 22.5° of a ball's latitude, all widened alike.
Polyhedron round_solid(const state::Shape& shape);

}  // namespace jostle::forces::detail
