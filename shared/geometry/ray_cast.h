#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

#include <optional>

namespace jostle::geometry {

/// Where a ray enters a shape. `fraction` is of the ray's translation, 0..1; `normal` is the
/// outward unit normal there, in the frame of the ray.
struct ShapeRayHit {
  float fraction = 0;
  math::Vec3 normal;
};

/// The ray from `origin` to `origin + translation` in the shape's own frame. Only the way in
/// counts: a ray that starts inside of a shape does not hit it, nor one that comes from the back of
/// a mesh or a height field.
std::optional<ShapeRayHit> cast_ray(const state::Shape& shape, math::Vec3 origin,
                                    math::Vec3 translation);

/// The same for a shape at a pose in the world, ray and normal in the world frame.
std::optional<ShapeRayHit> cast_ray(const state::Shape& shape, const math::Pose& pose,
                                    math::Position origin, math::Vec3 translation);

}  // namespace jostle::geometry
