#pragma once

#include "shared/math/vec3d.h"
#include "shared/state/solid.h"

#include <optional>
#include <span>
#include <vector>

namespace jostle::geometry::detail {

struct HullMeasure {
  double volume = 0;  // m³; 0 if the points are coplanar
  double area = 0;    // m²
};

/// Measures the hull of the points to about a thousandth of their extent, which is enough for
/// comparisons.
HullMeasure measure_hull(std::span<const math::Vec3d> points);

/// Returns a convex hull that encloses the points, to `hull_tolerance`. If the hull of the points
/// has more than `max_hull_vertices` corners, returns a simpler one, enlarged until it encloses all
/// points. Returns nothing if there is no such hull, or if its inner radius is below
/// `min_inner_radius`.
std::optional<state::ConvexHull> cover(std::span<const math::Vec3> points);

}  // namespace jostle::geometry::detail
