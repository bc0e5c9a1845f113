#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::geometry {

/// The point of a shape's surface that is nearest to a given point.
struct SurfacePoint {
  math::Vec3 point;
  math::Vec3 normal;   // outward, unit length
  float distance = 0;  // from the surface to the given point; negative inside of a solid
};

/// All in the shape's own frame. Where several points are equally near (the centre of a ball, the
/// middle of a box), one of them, always the same. A mesh or a height field has no inside: there
/// the normal points to the given point, on whichever side it is.
SurfacePoint closest_point(const state::Shape& shape, math::Vec3 point);

/// Whether a shape at a pose has a point in common with the solid ball.
bool overlaps_sphere(const state::Shape& shape, const math::Pose& pose, math::Position centre,
                     float radius);

}  // namespace jostle::geometry
