#pragma once

#include "shared/math/aabb.h"
#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::geometry {

/// How far the box of a plane reaches from the plane's origin: a plane has no end, but a box must.
inline constexpr double plane_bounds_extent = 1e9;  // m

/// The axis-aligned box around a shape at a pose: exact for solids; for a mesh or a height field,
/// around the box that it fills in its own frame; for a plane, `plane_bounds_extent` in every
/// direction.
math::Aabb bounds(const state::Shape& shape, const math::Pose& pose);

/// The largest distance of a point of the shape from its origin (of its box, for a mesh or a
/// height field); 0 for a plane.
float bounding_radius(const state::Shape& shape);

/// Whether any point of `box` lies in or below the plane at `plane_pose`.
bool reaches_plane(const math::Aabb& box, const math::Pose& plane_pose);

}  // namespace jostle::geometry
