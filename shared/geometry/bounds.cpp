#include "shared/geometry/bounds.h"

#include "shared/geometry/detail/surface_index.h"

namespace jostle::geometry {

using math::Vec3;
using state::ShapeKind;

namespace {

math::Aabb around(math::Position centre, Vec3 half) {
  return {centre - half, centre + half};
}

/// Returns the half extents along the world's axes of a box with axes `r` and half extents `h`.
Vec3 rotated_extents(const math::Mat3& r, Vec3 h) {
  return abs_of(r.cx) * h.x + abs_of(r.cy) * h.y + abs_of(r.cz) * h.z;
}

/// Returns the half extents of a disc with the given radius and unit normal: r·√(1 − n²) along each
/// axis.
Vec3 disc_extents(Vec3 n, float radius) {
  const auto across = [](float c) { return std::sqrt(math::max_of(1.0f - c * c, 0.0f)); };
  return Vec3{across(n.x), across(n.y), across(n.z)} * radius;
}

math::Aabb bounds_of_cone(const state::Shape& shape, math::Position position, Vec3 axis) {
  const Vec3 tip = axis * shape.half_segment, disc = disc_extents(axis, shape.radius);
  return {position + min_of(tip, -tip - disc), position + max_of(tip, disc - tip)};
}

math::Aabb bounds_of_hull(const state::ConvexHull& hull, math::Position position,
                          const math::Mat3& axes) {
  Vec3 lower = axes * hull.vertices[0], upper = lower;
  for (const Vec3 v : hull.vertices) {
    const Vec3 placed = axes * v;
    lower = min_of(lower, placed);
    upper = max_of(upper, placed);
  }
  return {position + lower, position + upper};
}

math::Aabb bounds_of_surface(const state::SurfaceIndex& index, math::Position position,
                             const math::Mat3& axes) {
  const Vec3 middle = (index.lower + index.upper) * 0.5f;
  return around(position + axes * middle, rotated_extents(axes, index.upper - middle));
}

}  // namespace

math::Aabb bounds(const state::Shape& shape, const math::Pose& pose) {
  return bounds(shape, pose.position, to_matrix(pose.rotation));
}

math::Aabb bounds(const state::Shape& shape, math::Position p, const math::Mat3& axes) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return around(p, {shape.radius, shape.radius, shape.radius});
    case ShapeKind::Box:
      return around(p, rotated_extents(axes, shape.half_extents));
    case ShapeKind::Capsule:
      return around(
          p, abs_of(axes.cy) * shape.half_segment + Vec3{shape.radius, shape.radius, shape.radius});
    case ShapeKind::Cylinder:
      return around(p, abs_of(axes.cy) * shape.half_segment + disc_extents(axes.cy, shape.radius));
    case ShapeKind::Cone:
      return bounds_of_cone(shape, p, axes.cy);
    case ShapeKind::Hull:
      return bounds_of_hull(std::get<state::ConvexHull>(shape.solid->content), p, axes);
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      return bounds_of_surface(*shape.solid->index, p, axes);
    case ShapeKind::Plane:
      break;
  }
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
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
      return length(Vec3{shape.radius, shape.half_segment, 0});
    case ShapeKind::Hull: {
      float squared = 0;
      for (const Vec3 v : std::get<state::ConvexHull>(shape.solid->content).vertices)
        squared = math::max_of(squared, length_squared(v));
      return std::sqrt(squared);
    }
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      return length(max_of(abs_of(shape.solid->index->lower), abs_of(shape.solid->index->upper)));
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
