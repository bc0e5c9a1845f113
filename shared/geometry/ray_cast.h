#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

#include <optional>

namespace jostle::geometry {

/// The point at which a ray enters a shape. `fraction` is a share of the ray's translation, 0..1.
/// `normal` is the outward unit normal at the point, in the frame of the ray.
struct ShapeRayHit {
  float fraction = 0;
  math::Vec3 normal;
};

/// Casts the ray from `origin` to `origin + translation`, in the shape's frame. Only entry points
/// count: a ray that starts inside a shape, or that hits a mesh or a height field from the back,
/// does not hit.
std::optional<ShapeRayHit> cast_ray(const state::Shape& shape, math::Vec3 origin,
                                    math::Vec3 translation);

/// Casts the ray against a shape at a pose in the world. Ray and normal are in the world frame.
std::optional<ShapeRayHit> cast_ray(const state::Shape& shape, const math::Pose& pose,
                                    math::Position origin, math::Vec3 translation);

}  // namespace jostle::geometry
