#pragma once

#include "shared/math/vec3.h"
#include "shared/state/shape.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::geometry {

/// Eight triangles of a mesh or a height field side by side, in the shape's frame, so that all are
/// looked at at once; what each number means stands at SurfaceTriangle. Bit i of a mask stands for
/// the i-th of them. Lanes without a triangle repeat another one and are in no mask.
struct alignas(64) TriangleBlock {
  float corners[9][8]{};  // x, y, z of each corner
  std::uint32_t vertices[3][8]{};
  std::uint32_t index[8]{};
  std::uint8_t convex_edges[3]{};
  /// An edge or corner that several triangles share is the own one of one of them. Edges that are
  /// not convex are nobody's, nor need corners be at which none is.
  std::uint8_t own_edges[3]{}, own_corners[3]{};
  std::uint8_t present = 0;

  math::Vec3 corner(std::size_t c, std::size_t i) const {
    return {corners[3 * c][i], corners[3 * c + 1][i], corners[3 * c + 2][i]};
  }
};

/// Blocks found in a surface, with memory for those that are made up for the purpose.
struct FoundBlocks {
  std::vector<const TriangleBlock*> list;
  std::vector<TriangleBlock> made;
};

/// Blocks that hold, each once, all triangles whose boxes overlap the box from `lower` to `upper`,
/// in the shape's frame, and some others; in an order that follows from the surface alone. `found`
/// is emptied first, and holds until it or the surface is changed.
void find_blocks(const state::Shape& surface, math::Vec3 lower, math::Vec3 upper,
                 FoundBlocks& found);

}  // namespace jostle::geometry
