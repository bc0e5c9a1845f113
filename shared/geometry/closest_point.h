#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::geometry {

/// The point of a shape's surface that is nearest to a given point.
struct SurfacePoint {
  math::Vec3 point;
  math::Vec3 normal;  // outward, unit length
  // distance from the surface to the given point; negative inside a solid or below a plane
  float distance = 0;
};

/// Returns the point of the surface that is nearest to `point`, all in the shape's frame. If
/// several points are equally near (the centre of a sphere, the middle of a box), it always returns
/// the same one. A mesh or a height field has no inside: the normal points towards `point` on
/// either side.
SurfacePoint closest_point(const state::Shape& shape, math::Vec3 point);

/// Returns true if a shape at a pose touches or overlaps the ball with this centre and radius.
bool overlaps_sphere(const state::Shape& shape, const math::Pose& pose, math::Position centre,
                     float radius);

}  // namespace jostle::geometry
