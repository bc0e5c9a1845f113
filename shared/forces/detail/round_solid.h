#pragma once

#include "shared/forces/detail/clip_polyhedron.h"
#include "shared/state/shape.h"

namespace jostle::forces::detail {

/// Number of corners of each ring of a round solid.
inline constexpr int ring_corners = 16;

/// Approximates a sphere, capsule, cylinder or cone in its own frame by a polyhedron of the same
/// volume. The polyhedron consists of rings of corners about y, at every 22.5° of latitude on round
/// ends. All rings are widened by the same factor to match the volume.
Polyhedron round_solid(const state::Shape& shape);

}  // namespace jostle::forces::detail
