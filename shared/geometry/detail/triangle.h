#pragma once

#include "shared/geometry/detail/segment.h"
#include "shared/math/vec3d.h"

#include <array>
#include <cstddef>

namespace jostle::geometry::detail {

/// Returns the point of a triangle (with non-zero area) that is nearest to p.
inline math::Vec3d closest_on_triangle(const std::array<math::Vec3d, 3>& c, math::Vec3d p) {
  using math::Vec3d;
  const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]);
  Vec3d best;
  double best_squared = -1.0;
  for (std::size_t e = 0; e < 3; ++e) {
    const Vec3d tail = c[e], head = c[(e + 1) % 3];
    if (dot(cross(head - tail, p - tail), normal) >= 0.0) continue;
    const Vec3d candidate = closest_on_segment(p, tail, head);
    const double squared = dot(p - candidate, p - candidate);
    if (best_squared >= 0.0 && squared >= best_squared) continue;
    best_squared = squared;
    best = candidate;
  }
  if (best_squared >= 0.0) return best;
  return p - normal * (dot(normal, p - c[0]) / dot(normal, normal));
}

}  // namespace jostle::geometry::detail
