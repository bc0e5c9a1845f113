#pragma once

#include "shared/geometry/surface.h"
#include "shared/math/mat3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::physics {

/// A box among triangles of a mesh or a height field.
struct BoxOnSurface {
  math::Vec3 half;
  math::Mat3 axes;                                       // of the box, in the surface's frame
  math::Vec3 origin;                                     // of the box, in the surface's frame
  float margin = 0;                                      // points farther apart are left out
  float slack = 0;                                       // lengths below it do not count
  std::span<const geometry::SurfaceTriangle> triangles;  // all that the box may reach
};

/// Under a hollow edge the prisms of its two triangles leave a gap, as wide as a point in it is
/// deep times twice the tangent of half the bend. This tangent is allowed for: there a point counts
/// as under both.
inline constexpr float half_bend = 0.3f;

/// What a box has to do with eight triangles: bit i of a mask stands for the i-th of them. Without
/// defaults: all is written, and clearing it would take as long.
struct TriangleLanes {
  alignas(32) float corners[9][8];         // x, y, z of each, in the box's frame
  alignas(32) float corner_heights[8][8];  // of the box's corners above the triangles' planes
  /// Triangles over which the box's corner k (bits of k: +x, +y, +z) is, or under which it has
  /// come, not higher than the margin.
  std::array<std::uint32_t, 8> is_under;
  /// Whether the triangle's corner c is at a convex edge and in the box grown by the margin.
  std::array<std::uint32_t, 3> is_vertex_near;
  /// Whether the edge e is convex and not apart from that box along the box's axes.
  std::array<std::uint32_t, 3> is_edge_near;

  math::Vec3 corner(std::size_t c, std::size_t i) const {
    return {corners[3 * c][i], corners[3 * c + 1][i], corners[3 * c + 2][i]};
  }
};

/// Looks at up to eight triangles at once. Those out of the box's reach, and those that have the
/// box's greater part behind them, are in no mask.
void look_at_eight(const BoxOnSurface& s, std::span<const geometry::SurfaceTriangle> triangles,
                   TriangleLanes& lanes);

}  // namespace jostle::physics
