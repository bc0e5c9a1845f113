#pragma once

#include "shared/geometry/triangle_block.h"
#include "shared/math/mat3.h"

#include <cstdint>

namespace jostle::physics {

/// A box at a mesh or a height field, as kernels see it.
struct BoxOnSurface {
  math::Vec3 half;
  math::Mat3 axes;    // of the box, in the surface's frame
  math::Vec3 origin;  // of the box, in the surface's frame
  float margin = 0;   // points farther apart are left out
  float slack = 0;    // lengths below it do not count
};

/// Triangles are seen from the front: of two that stand back to back only one pushes a body. A body
/// that a blow or a load has pressed through by not more than this share of what reaches before the
/// triangle when its middle lies in it, is pushed back; what rests on one of two back to back has
/// its middle a whole reach behind the other.
inline constexpr float pressed_through = 0.5f;

/// Of an edge's length: what may stand above an edge or a corner of a surface along a direction in
/// which that pushes. More than what counts as a flat edge (geometry::detail::flat_bend): where an
/// edge is too flat to push, the edges that lead to it must not be kept from it by the same bend.
inline constexpr float rise = 2e-3f;

/// Under a hollow edge the prisms of its two triangles leave a gap, as wide as a point in it is
/// deep times twice the tangent of half the bend. This tangent is allowed for: there a point counts
/// as under both.
inline constexpr float half_bend = 0.3f;
/// How far past its end an edge of a surface still meets an edge of the box, for each metre of
/// depth.
inline constexpr float end_reach = 1.0f;

/// What a box has to do with the triangles of a block: bit i of a mask stands for the i-th of them.
/// Without defaults: where no triangle is within reach nothing else is set.
struct TriangleLanes {
  alignas(32) float corners[9][8];         // x, y, z of each, in the box's frame
  alignas(32) float corner_heights[8][8];  // of the box's corners above the triangles' planes
  /// Triangles that are not apart, along the box's axes, from the box grown by the margin.
  std::uint32_t in_reach;
  /// Those of them that push the box, by where its middle is.
  std::uint32_t is_front;
  /// Those of these over which the box's corner k (bits of k: +x, +y, +z) is, or under which it has
  /// come, not higher than the margin.
  std::uint32_t is_under[8];
  /// Whether the triangle's own corner c is in the grown box.
  std::uint32_t is_corner_near[3];
  /// Whether its own edge e is not apart from that box along the box's axes.
  std::uint32_t is_edge_near[3];

  math::Vec3 corner(std::size_t c, std::size_t i) const {
    return {corners[3 * c][i], corners[3 * c + 1][i], corners[3 * c + 2][i]};
  }
};

/// Eight edges of a surface, in the box's frame.
struct EdgeLanes {
  alignas(32) float tails[3][8];   // x, y, z
  alignas(32) float alongs[3][8];  // from tail to head
};

/// At [axis], which of eight edges may cross edges of the box along that axis.
struct CrossingMasks {
  std::uint32_t axis[3];
};

/// One form of what boxes on surfaces need of lanes. All give the same bits.
struct SurfaceKernels {
  void (*look_at_triangles)(const BoxOnSurface&, const geometry::TriangleBlock&, TriangleLanes&);
  CrossingMasks (*look_at_edges)(const BoxOnSurface&, const EdgeLanes&);
};

}  // namespace jostle::physics
