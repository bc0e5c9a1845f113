#pragma once

#include "shared/math/vec3.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace jostle::geometry {

/// A triangle of a mesh or a height field, in the shape's frame, counter-clockwise from outside.
struct SurfaceTriangle {
  std::array<math::Vec3, 3> corners;
  std::uint32_t index = 0;
  /// Bit e: the edge from corner e to corner e + 1 is a border, or convex: something may rest
  /// against it. The others are flat or concave, and no contact normal may come from them.
  std::uint8_t convex_edges = 0b111;
};

/// The triangles whose boxes overlap the box from `lower` to `upper`, in the shape's frame, by
/// index. `found` is emptied first.
void find_triangles(const state::Shape& surface, math::Vec3 lower, math::Vec3 upper,
                    std::vector<SurfaceTriangle>& found);

}  // namespace jostle::geometry
