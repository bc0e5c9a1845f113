#include "shared/geometry/closest_point.h"
#include "shared/physics/collision/collide.h"

namespace jostle::physics {

using math::Vec3;

namespace {

/// Collides a ball of radius `radius_a` at the origin with one of `radius_b` at `offset`. The
/// normal is `fallback` if their centres coincide.
Collision collide_balls(float radius_a, float radius_b, Vec3 offset, float margin, Vec3 fallback) {
  Collision result;
  const float separation = length(offset) - radius_a - radius_b;
  if (separation > margin) return result;
  result.normal = normalized_or(offset, fallback);
  result.add({result.normal * (radius_a + 0.5f * separation), separation, 0});
  return result;
}

}  // namespace

Collision collide_sphere_sphere(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                                float margin) {
  return collide_balls(a.shape.radius, b.shape.radius, offset, margin, {0, 1, 0});
}

Collision collide_sphere_capsule(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                                 float margin) {
  const Vec3 axis = b.axes.cy;
  const float t = math::clamp(-dot(offset, axis), -b.shape.half_segment, b.shape.half_segment);
  return collide_balls(a.shape.radius, b.shape.radius, offset + axis * t, margin, b.axes.cx);
}

Collision collide_sphere_box(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                             float margin) {
  Collision result;
  const geometry::SurfacePoint nearest =
      geometry::closest_point(b.shape, transpose_multiply(b.axes, -offset));
  const float separation = nearest.distance - a.shape.radius;
  if (separation > margin) return result;
  result.normal = -(b.axes * nearest.normal);
  result.add({result.normal * (a.shape.radius + 0.5f * separation), separation, 0});
  return result;
}

Collision collide_sphere_plane(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                               float margin) {
  Collision result;
  const Vec3 down = -b.axes.cy;
  const float separation = dot(offset, down) - a.shape.radius;
  if (separation > margin) return result;
  result.normal = down;
  result.add({down * (a.shape.radius + 0.5f * separation), separation, 0});
  return result;
}

}  // namespace jostle::physics
