#pragma once

#include "shared/geometry/closest_point.h"
#include "shared/geometry/ray_cast.h"
#include "shared/math/vec3d.h"
#include "shared/state/solid.h"

#include <optional>

namespace jostle::geometry::detail {

std::optional<ShapeRayHit> cast_hull(const state::ConvexHull& hull, math::Vec3d origin,
                                     math::Vec3d translation);
SurfacePoint closest_on_hull(const state::ConvexHull& hull, math::Vec3 point);

}  // namespace jostle::geometry::detail
