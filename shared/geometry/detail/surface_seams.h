#pragma once

#include "shared/geometry/detail/surface_edges.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::geometry::detail {

/// Which of the border edges are none: along all of their length other border edges run the other
/// way (T-junctions: a corner of one triangle in the middle of another's edge), and the surface
/// bends away at none of these. A mesh with very many borders in one place has them all.
std::vector<bool> find_seams(const std::vector<math::Vec3>& vertices, const Triangles& triangles,
                             std::span<const TriangleEdge> borders);

}  // namespace jostle::geometry::detail
