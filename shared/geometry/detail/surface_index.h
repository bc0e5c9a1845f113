#pragma once

#include "shared/geometry/detail/triangle_tree.h"
#include "shared/math/vec3.h"

#include <cstdint>
#include <vector>

namespace jostle::state {

struct SurfaceIndex {
  math::Vec3 lower, upper;  // the box around all
  // Of a mesh; a height field finds its triangles by arithmetic.
  geometry::detail::TriangleTree tree;
  std::vector<std::uint8_t> convex_edges;  // by triangle, see geometry::SurfaceTriangle
};

}  // namespace jostle::state
