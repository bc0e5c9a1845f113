#pragma once

#include "shared/geometry/detail/surface_edges.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::geometry::detail {

/// Returns, for each border edge, whether it is a seam: covered along its whole length by border
/// edges running the other way, without a convex bend at any of them. Seams arise at T-junctions,
/// where a corner of one triangle lies in the middle of another's edge. If a mesh has too many
/// overlapping borders to compare, none is a seam.
std::vector<bool> find_seams(const std::vector<math::Vec3>& vertices, const Triangles& triangles,
                             std::span<const TriangleEdge> borders);

}  // namespace jostle::geometry::detail
