#include "shared/geometry/detail/hull_queries.h"

#include "shared/geometry/detail/segment.h"

namespace jostle::geometry::detail {

using math::Vec3;
using math::Vec3d;
using state::ConvexHull;
using state::HullFace;

namespace {

/// Returns the point of a face that is nearest to p. `at` is the projection of p onto the face's
/// plane.
Vec3d closest_on_face(const ConvexHull& hull, const HullFace& face, Vec3d p, Vec3d at) {
  const Vec3d normal = widened(face.normal);
  Vec3d best = at;
  double best_squared = -1.0;
  bool is_over = true;
  for (std::size_t i = 0; i < face.corner_count; ++i) {
    const std::size_t next = i + 1 == face.corner_count ? 0 : i + 1;
    const Vec3d tail = widened(hull.vertices[hull.corners[face.first_corner + i]]);
    const Vec3d head = widened(hull.vertices[hull.corners[face.first_corner + next]]);
    if (dot(cross(head - tail, p - tail), normal) >= 0.0) continue;
    is_over = false;
    const Vec3d candidate = closest_on_segment(p, tail, head);
    const double squared = dot(p - candidate, p - candidate);
    if (best_squared >= 0.0 && squared >= best_squared) continue;
    best_squared = squared;
    best = candidate;
  }
  return is_over ? at : best;
}

}  // namespace

std::optional<ShapeRayHit> cast_hull(const ConvexHull& hull, Vec3d o, Vec3d d) {
  // The ray is inside the hull from the point where it has entered all half-spaces until it leaves
  // one.
  double enter = -1.0, leave = 1.0;
  const HullFace* entered = nullptr;
  for (const HullFace& face : hull.faces) {
    const Vec3d normal = widened(face.normal);
    const double height = dot(normal, o) - static_cast<double>(face.offset);
    const double speed = dot(normal, d);
    if (speed == 0.0) {
      if (height > 0.0) return std::nullopt;
      continue;
    }
    const double t = -height / speed;
    if (speed < 0.0) {
      if (t > enter) {
        enter = t;
        entered = &face;
      }
    } else if (t < leave) {
      leave = t;
    }
  }
  if (entered == nullptr || enter < 0.0 || enter > leave || enter > 1.0) return std::nullopt;
  return ShapeRayHit{static_cast<float>(enter), entered->normal};
}

SurfacePoint closest_on_hull(const ConvexHull& hull, Vec3 point) {
  const Vec3d p = widened(point);
  const auto above = [&](const HullFace& face) {
    return dot(widened(face.normal), p) - static_cast<double>(face.offset);
  };
  const HullFace* highest = &hull.faces.front();
  double height = above(*highest);
  for (const HullFace& face : hull.faces) {
    const double of_face = above(face);
    if (of_face <= height) continue;
    highest = &face;
    height = of_face;
  }
  if (height <= 0.0) {  // inside: take the nearest face
    const Vec3d foot = p - widened(highest->normal) * height;
    return {narrowed(foot), highest->normal, static_cast<float>(height)};
  }
  Vec3d best;
  double best_squared = -1.0;
  // Check all faces, not only those whose planes lie below the point. Faces are flat only to a
  // tolerance, so the face nearest to a point just above a plane may be another one.
  for (const HullFace& face : hull.faces) {
    const double height_of = above(face);
    if (best_squared >= 0.0 && height_of * height_of >= best_squared) continue;
    const Vec3d candidate = closest_on_face(hull, face, p, p - widened(face.normal) * height_of);
    const double squared = dot(p - candidate, p - candidate);
    if (best_squared >= 0.0 && squared >= best_squared) continue;
    best_squared = squared;
    best = candidate;
  }
  const double distance = std::sqrt(best_squared);
  const Vec3 normal = distance > 0.0 ? narrowed((p - best) * (1.0 / distance)) : highest->normal;
  return {narrowed(best), normal, static_cast<float>(distance)};
}

}  // namespace jostle::geometry::detail
