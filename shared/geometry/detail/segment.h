#pragma once

#include "shared/math/vec3d.h"

namespace jostle::geometry::detail {

/// Returns the point of the segment from a to b that is nearest to p.
constexpr math::Vec3d closest_on_segment(math::Vec3d p, math::Vec3d a, math::Vec3d b) {
  const math::Vec3d along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0.0 ? dot(p - a, along) / squared : 0.0;
  return a + along * (t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t);
}
inline double distance_to_segment(math::Vec3d p, math::Vec3d a, math::Vec3d b) {
  return length(p - closest_on_segment(p, a, b));
}

}  // namespace jostle::geometry::detail
