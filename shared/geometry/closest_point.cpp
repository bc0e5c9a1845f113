#include "shared/geometry/closest_point.h"

#include "shared/geometry/detail/hull_queries.h"
#include "shared/geometry/detail/segment.h"
#include "shared/geometry/detail/surface_queries.h"

#include <array>
#include <span>

namespace jostle::geometry {

using math::Vec3;
using math::Vec3d;
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
  // Inside: take the nearest face.
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

/// A corner of the outline of a solid of revolution, as distance from the axis and height.
struct OutlinePoint {
  double out = 0, y = 0;
};

/// Returns the closest point on a convex solid of revolution about y. The outline runs from the
/// upper end of the axis to the lower one.
SurfacePoint closest_on_lathe(std::span<const OutlinePoint> outline, Vec3 point) {
  const Vec3d p = widened(point);
  const double out = std::sqrt(p.x * p.x + p.z * p.z);
  const Vec3d q{out, p.y, 0};
  Vec3d best, best_normal;
  double best_distance = -1.0;
  bool is_inside = true;
  for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
    const Vec3d a{outline[i].out, outline[i].y, 0};
    const Vec3d b{outline[i + 1].out, outline[i + 1].y, 0};
    const Vec3d along = (b - a) * (1.0 / length(b - a));
    const Vec3d normal{-along.y, along.x, 0};  // outward, because the outline runs downward
    is_inside = is_inside && dot(normal, q - a) <= 0.0;
    const Vec3d at = detail::closest_on_segment(q, a, b);
    const double distance = length(q - at);
    if (best_distance >= 0.0 && distance >= best_distance) continue;
    best = at;
    best_normal = normal;
    best_distance = distance;
  }
  if (!is_inside && best_distance > 0.0) best_normal = (q - best) * (1.0 / best_distance);
  // Rotate back to 3D. On the axis every direction is equally near, so +x is used.
  const double x = out > 0.0 ? p.x / out : 1.0, z = out > 0.0 ? p.z / out : 0.0;
  return {narrowed(Vec3d{x * best.x, best.y, z * best.x}),
          narrowed(Vec3d{x * best_normal.x, best_normal.y, z * best_normal.x}),
          static_cast<float>(is_inside ? -best_distance : best_distance)};
}

SurfacePoint closest_on_cylinder(const state::Shape& shape, Vec3 point) {
  const auto r = static_cast<double>(shape.radius), l = static_cast<double>(shape.half_segment);
  const std::array<OutlinePoint, 4> outline{{{0, l}, {r, l}, {r, -l}, {0, -l}}};
  return closest_on_lathe(outline, point);
}

SurfacePoint closest_on_cone(const state::Shape& shape, Vec3 point) {
  const auto r = static_cast<double>(shape.radius), l = static_cast<double>(shape.half_segment);
  const std::array<OutlinePoint, 3> outline{{{0, l}, {r, -l}, {0, -l}}};
  return closest_on_lathe(outline, point);
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
      // For a point on the axis itself, the nearest surface is at the side, not at the caps.
      if (point.x == 0.0f && point.z == 0.0f && y == point.y) {
        return {{shape.radius, y, 0}, {1, 0, 0}, -shape.radius};
      }
      return closest_on_ball({0, y, 0}, shape.radius, point);
    }
    case ShapeKind::Plane:
      return {{point.x, 0, point.z}, {0, 1, 0}, point.y};
    case ShapeKind::Cylinder:
      return closest_on_cylinder(shape, point);
    case ShapeKind::Cone:
      return closest_on_cone(shape, point);
    case ShapeKind::Hull:
      return detail::closest_on_hull(std::get<state::ConvexHull>(shape.solid->content), point);
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      return detail::closest_on_surface(shape, point);
  }
  return {};
}

bool overlaps_sphere(const state::Shape& shape, const math::Pose& pose, math::Position centre,
                     float radius) {
  const Vec3 local = inverse_transform_point(pose, centre);
  if (shape.kind == ShapeKind::Mesh || shape.kind == ShapeKind::HeightField)
    return detail::is_surface_within(shape, local, radius);
  return closest_point(shape, local).distance <= radius;
}

}  // namespace jostle::geometry
