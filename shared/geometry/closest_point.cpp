#include "shared/geometry/closest_point.h"

namespace jostle::geometry {

using math::Vec3;
using state::ShapeKind;

namespace {

SurfacePoint closest_on_ball(Vec3 centre, float radius, Vec3 point) {
  const Vec3 offset = point - centre;
  const Vec3 normal = normalized_or(offset, {0, 1, 0});
  return {centre + normal * radius, normal, length(offset) - radius};
}

SurfacePoint closest_on_box(Vec3 half, Vec3 point) {
  const Vec3 clamped = min_of(max_of(point, -half), half);
  if (clamped != point) {
    const Vec3 offset = point - clamped;
    return {clamped, normalized_or(offset, {0, 1, 0}), length(offset)};
  }
  // Inside: the nearest face.
  const Vec3 depth = half - abs_of(point);
  const int axis = depth.x <= depth.y && depth.x <= depth.z ? 0 : depth.y <= depth.z ? 1 : 2;
  const float side = point[axis] < 0.0f ? -1.0f : 1.0f;
  SurfacePoint result{point, {}, -depth[axis]};
  if (axis == 0) {
    result.point.x = side * half.x;
    result.normal = {side, 0, 0};
  } else if (axis == 1) {
    result.point.y = side * half.y;
    result.normal = {0, side, 0};
  } else {
    result.point.z = side * half.z;
    result.normal = {0, 0, side};
  }
  return result;
}

}  // namespace

SurfacePoint closest_point(const state::Shape& shape, Vec3 point) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return closest_on_ball({}, shape.radius, point);
    case ShapeKind::Box:
      return closest_on_box(shape.half_extents, point);
    case ShapeKind::Capsule: {
      const float y = math::clamp(point.y, -shape.half_segment, shape.half_segment);
      // On the axis itself the nearest surface is beside it, not above.
      if (point.x == 0.0f && point.z == 0.0f && y == point.y) {
        return {{shape.radius, y, 0}, {1, 0, 0}, -shape.radius};
      }
      return closest_on_ball({0, y, 0}, shape.radius, point);
    }
    case ShapeKind::Plane:
      return {{point.x, 0, point.z}, {0, 1, 0}, point.y};
  }
  return {};
}

bool overlaps_sphere(const state::Shape& shape, const math::Pose& pose, math::Position centre,
                     float radius) {
  return closest_point(shape, inverse_transform_point(pose, centre)).distance <= radius;
}

}  // namespace jostle::geometry
