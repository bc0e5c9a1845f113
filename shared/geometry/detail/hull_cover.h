#pragma once

#include "shared/math/vec3d.h"
#include "shared/state/solid.h"

#include <optional>
#include <span>
#include <vector>

namespace jostle::geometry::detail {

struct HullMeasure {
  double volume = 0;  // m³; 0: the points lie in a plane
  double area = 0;    // m²
};

/// Of the hull of the points, to a thousandth of their extent or so: for comparisons.
HullMeasure measure_hull(std::span<const math::Vec3d> points);

/// A hull around the points: theirs, to hull_tolerance, or where that has more corners than a hull
/// may have, one with fewer that is as much larger as it must be to hold them all. Nothing when the
/// points make no hull that a shape can have.
std::optional<state::ConvexHull> cover(std::span<const math::Vec3> points);

}  // namespace jostle::geometry::detail
