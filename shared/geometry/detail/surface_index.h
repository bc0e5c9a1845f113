#pragma once

#include "shared/geometry/detail/triangle_tree.h"
#include "shared/geometry/surface.h"
#include "shared/geometry/triangle_block.h"
#include "shared/math/vec3.h"

#include <cstdint>
#include <vector>

namespace jostle::state {

struct SurfaceIndex {
  math::Vec3 lower, upper;  // bounding box of the surface
  // Tree of the triangles of a mesh. A height field has none, because its cells are found from
  // coordinates.
  geometry::detail::TriangleTree tree;
  /// The triangles in the tree's order, eight per block. Each leaf is one block, and all blocks but
  /// the last are full. Corners at the same position have the number of the first vertex there.
  std::vector<geometry::TriangleBlock> blocks;
  std::vector<std::uint32_t> slots;  // position of each triangle in `blocks`: 8 · block + lane
};

}  // namespace jostle::state

namespace jostle::geometry::detail {

/// Edges and corners that a triangle owns, as bits in the order of `convex_edges`.
struct OwnParts {
  std::uint8_t edges = 0, corners = 0;
};

/// Writes the triangle into a free lane.
void set_lane(TriangleBlock& block, std::uint32_t lane, const SurfaceTriangle& triangle,
              OwnParts own);
SurfaceTriangle triangle_in(const TriangleBlock& block, std::uint32_t lane);
/// Fills the corners of free lanes with those of lane 0.
void fill_up(TriangleBlock& block);

}  // namespace jostle::geometry::detail
