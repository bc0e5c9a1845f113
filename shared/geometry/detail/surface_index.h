#pragma once

#include "shared/geometry/detail/triangle_tree.h"
#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::state {

/// A triangle as the tree's leaves hold it. The first vertex in a place stands for all in it.
struct IndexedTriangle {
  std::array<std::uint32_t, 3> vertices{};
  std::uint32_t name = 0;  // the triangle's index, and in the upper three bits its convex edges

  std::uint32_t index() const { return name & 0x1FFFFFFFU; }
  std::uint8_t convex_edges() const { return static_cast<std::uint8_t>(name >> 29); }
};

struct SurfaceIndex {
  math::Vec3 lower, upper;  // the box around all
  // Of a mesh; a height field finds its triangles by arithmetic.
  geometry::detail::TriangleTree tree;
  std::vector<IndexedTriangle> leaves;  // as in the tree's order
  std::vector<std::uint32_t> slots;     // in `leaves`, by triangle
};

}  // namespace jostle::state
