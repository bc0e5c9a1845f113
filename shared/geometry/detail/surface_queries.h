#pragma once

#include "shared/geometry/closest_point.h"
#include "shared/geometry/ray_cast.h"
#include "shared/math/vec3d.h"
#include "shared/state/shape.h"

#include <optional>

namespace jostle::geometry::detail {

/// Casts a ray against a mesh or a height field. Only hits from the outer side count.
std::optional<ShapeRayHit> cast_surface(const state::Shape& surface, math::Vec3d origin,
                                        math::Vec3d translation);
SurfacePoint closest_on_surface(const state::Shape& surface, math::Vec3 point);
bool is_surface_within(const state::Shape& surface, math::Vec3 point, float radius);

}  // namespace jostle::geometry::detail
