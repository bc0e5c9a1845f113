#pragma once

#include "shared/math/aabb.h"
#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::geometry {

/// Half extent of the bounding box of a plane. A plane is unbounded, but its box must be finite.
inline constexpr double plane_bounds_extent = 1e9;  // m

/// Returns the axis-aligned bounding box of a shape at a pose. The box is exact for spheres, boxes,
/// capsules, cylinders, cones and hulls. For a mesh or a height field it encloses the bounding box
/// of the surface in the shape's frame, so it may be larger than needed. For a plane it extends
/// `plane_bounds_extent` in every direction.
math::Aabb bounds(const state::Shape& shape, const math::Pose& pose);
/// As above, for a shape at `position` whose axes have the directions of the columns of `axes`.
math::Aabb bounds(const state::Shape& shape, math::Position position, const math::Mat3& axes);

/// Returns the largest distance of a point of the shape from the shape's origin; 0 for a plane. For
/// a mesh or a height field it is the largest distance of a point of the surface's bounding box.
float bounding_radius(const state::Shape& shape);

/// Returns true if any point of `box` lies in or below the plane at `plane_pose`.
bool reaches_plane(const math::Aabb& box, const math::Pose& plane_pose);

}  // namespace jostle::geometry
