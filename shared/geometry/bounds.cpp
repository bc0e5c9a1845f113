#include "shared/geometry/bounds.h"

namespace jostle::geometry {

using math::Vec3;
using state::ShapeKind;

namespace {

math::Aabb around(math::Position centre, Vec3 half) {
  return {centre - half, centre + half};
}

/// Of a box with axes `r` and half extents `h`, along the world's axes.
Vec3 rotated_extents(const math::Mat3& r, Vec3 h) {
  return abs_of(r.cx) * h.x + abs_of(r.cy) * h.y + abs_of(r.cz) * h.z;
}

}  // namespace

math::Aabb bounds(const state::Shape& shape, const math::Pose& pose) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return around(pose.position, {shape.radius, shape.radius, shape.radius});
    case ShapeKind::Box:
      return around(pose.position, rotated_extents(to_matrix(pose.rotation), shape.half_extents));
    case ShapeKind::Capsule: {
      const Vec3 axis = abs_of(rotate(pose.rotation, {0, shape.half_segment, 0}));
      return around(pose.position, axis + Vec3{shape.radius, shape.radius, shape.radius});
    }
    case ShapeKind::Plane:
      break;
  }
  const math::Position p = pose.position;
  const double e = plane_bounds_extent;
  return {{p.x - e, p.y - e, p.z - e}, {p.x + e, p.y + e, p.z + e}};
}

float bounding_radius(const state::Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return shape.radius;
    case ShapeKind::Box:
      return length(shape.half_extents);
    case ShapeKind::Capsule:
      return shape.radius + shape.half_segment;
    case ShapeKind::Plane:
      return 0.0f;
  }
  return 0.0f;
}

bool reaches_plane(const math::Aabb& box, const math::Pose& plane_pose) {
  const Vec3 normal = rotate(plane_pose.rotation, {0, 1, 0});
  const math::Position deepest{normal.x > 0.0f ? box.lower.x : box.upper.x,
                               normal.y > 0.0f ? box.lower.y : box.upper.y,
                               normal.z > 0.0f ? box.lower.z : box.upper.z};
  return dot(deepest - plane_pose.position, normal) <= 0.0f;
}

}  // namespace jostle::geometry
