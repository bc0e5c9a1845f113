#pragma once

#include "shared/geometry/triangle_block.h"
#include "shared/math/mat3.h"

#include <cstdint>

namespace jostle::physics {

/// A box near a mesh or a height field, as input of the SIMD kernels.
struct BoxOnSurface {
  math::Vec3 half;
  math::Mat3 axes;    // axes of the box, in the surface's frame
  math::Vec3 origin;  // m, origin of the box, in the surface's frame
  float margin = 0;   // m; points with a larger separation from the surface are left out
  float slack = 0;    // m; tolerance of the geometric tests
};

/// Maximum depth of a body's centre behind a triangle that still pushes it, as a share of the
/// body's half extent along the normal. Triangles push from the front only, so of two triangles
/// back to back only one pushes a body. A body that an impact or a load has pressed through by less
/// than this is pushed back. If a body rests on one of the two triangles, its centre is a full half
/// extent behind the other one, which therefore does not push it.
inline constexpr float pressed_through = 0.5f;

/// Maximum rise of a surface above one of its features (edges or corners) that pushes, along the
/// direction of the push. It is a share of the length of the rising edge. This maximum is larger
/// than the bend of an edge that counts as flat (geometry::detail::flat_bend). An edge that counts
/// as flat must not keep the edges that lead to it from pushing.
inline constexpr float rise = 2e-3f;

/// Tangent of half the largest bend at which the gap under a concave edge is closed. Under such an
/// edge the prisms of its two triangles leave a gap. The width of the gap is the depth of the point
/// times twice the tangent of half the bend. A point in the gap counts as under both triangles.
inline constexpr float half_bend = 0.3f;
/// Length by which an edge of a surface is extended past both ends when it is tested against an
/// edge of the box, per metre of depth.
inline constexpr float end_reach = 1.0f;

/// The result of testing a box against the triangles of a block. Bit i of a mask belongs to
/// triangle i. The members have no default values: if no triangle is in reach, only in_reach is
/// set.
struct TriangleLanes {
  alignas(32) float corners[9][8];  // x, y, z of each corner, in the box's frame
  // heights of the box's corners above the triangles' planes, m
  alignas(32) float corner_heights[8][8];
  /// Triangles that no axis of the box separates from the box grown by the margin.
  std::uint32_t in_reach;
  /// Triangles of in_reach that may push the box. The box is not above them by more than the
  /// margin, and its centre is not farther behind them than pressed_through allows.
  std::uint32_t is_front;
  /// Triangles of `is_front` over which the box's corner k lies no higher than the margin, or
  /// through which it has sunk. Bits of k: +x, +y, +z.
  std::uint32_t is_under[8];
  /// Triangles that own their corner c, if this corner is in the grown box. Of the triangles that
  /// share a corner, only the owner tests it.
  std::uint32_t is_corner_near[3];
  /// Triangles that own their edge e, if no axis of the box separates this edge from the grown box.
  std::uint32_t is_edge_near[3];

  math::Vec3 corner(std::size_t c, std::size_t i) const {
    return {corners[3 * c][i], corners[3 * c + 1][i], corners[3 * c + 2][i]};
  }
};

/// Eight edges of a surface, in the box's frame.
struct EdgeLanes {
  alignas(32) float tails[3][8];   // x, y, z of the tails
  alignas(32) float alongs[3][8];  // x, y, z of the vectors from tail to head
};

/// For each axis of the box, the mask of those of eight surface edges that may cross a box edge
/// parallel to the axis.
struct CrossingMasks {
  std::uint32_t axis[3];
};

/// The SIMD kernels for boxes on surfaces, for one instruction set. All instruction sets give the
/// same bits.
struct SurfaceKernels {
  void (*look_at_triangles)(const BoxOnSurface&, const geometry::TriangleBlock&, TriangleLanes&);
  CrossingMasks (*look_at_edges)(const BoxOnSurface&, const EdgeLanes&);
};

}  // namespace jostle::physics
