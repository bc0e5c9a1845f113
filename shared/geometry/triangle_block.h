#pragma once

#include "shared/math/vec3.h"
#include "shared/state/shape.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::geometry {

/// Eight triangles of a mesh or a height field in structure-of-arrays form, so that one SIMD
/// instruction tests all of them. Coordinates are in the shape's frame; SurfaceTriangle explains
/// the fields. Bit i of a mask belongs to lane i. Lanes without a triangle repeat the corners of
/// lane 0 and are set in no mask.
struct alignas(64) TriangleBlock {
  float corners[9][8]{};  // x, y, z of each corner
  std::uint32_t vertices[3][8]{};
  std::uint32_t index[8]{};
  std::uint8_t convex_edges[3]{};
  /// A convex edge is owned by exactly one of the two triangles that share it. Edges that are not
  /// convex have no owner. A corner is owned by at most one of its triangles; a corner without a
  /// convex edge may have no owner.
  std::uint8_t own_edges[3]{}, own_corners[3]{};
  std::uint8_t present = 0;

  math::Vec3 corner(std::size_t c, std::size_t i) const {
    return {corners[3 * c][i], corners[3 * c + 1][i], corners[3 * c + 2][i]};
  }
};

/// Blocks found in a surface, with storage for the blocks that a query has to build.
struct FoundBlocks {
  std::vector<const TriangleBlock*> list;
  std::vector<TriangleBlock> made;
};

/// Finds blocks that contain, each once, all triangles whose boxes overlap the box from `lower` to
/// `upper`, in the shape's frame. The blocks may contain other triangles too. Their order depends
/// on the surface alone. `found` is cleared first and stays valid until it or the surface changes.
void find_blocks(const state::Shape& surface, math::Vec3 lower, math::Vec3 upper,
                 FoundBlocks& found);

}  // namespace jostle::geometry
