#pragma once

#include "shared/geometry/detail/triangle_tree.h"
#include "shared/geometry/surface.h"
#include "shared/geometry/triangle_block.h"
#include "shared/math/vec3.h"

#include <cstdint>
#include <vector>

namespace jostle::state {

struct SurfaceIndex {
  math::Vec3 lower, upper;  // the box around all
  // Of a mesh; a height field finds its triangles by arithmetic.
  geometry::detail::TriangleTree tree;
  /// The triangles in the tree's order, eight by eight: a leaf is a block, and all but the last are
  /// full. Of corners in one place the first vertex there stands for all.
  std::vector<geometry::TriangleBlock> blocks;
  std::vector<std::uint32_t> slots;  // 8 · block + lane, by triangle
};

}  // namespace jostle::state

namespace jostle::geometry::detail {

/// Which edges and corners of a triangle others leave to it; bits as of convex_edges.
struct OwnParts {
  std::uint8_t edges = 0, corners = 0;
};

/// Puts the triangle into a lane that is not taken yet.
void set_lane(TriangleBlock& block, std::uint32_t lane, const SurfaceTriangle& triangle,
              OwnParts own);
SurfaceTriangle triangle_in(const TriangleBlock& block, std::uint32_t lane);
/// Fills the lanes that are not taken with the first one's corners.
void fill_up(TriangleBlock& block);

}  // namespace jostle::geometry::detail
