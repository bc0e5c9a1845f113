#include "tools/check/convex.h"

#include "shared/base/assert.h"

namespace jostle::check {
namespace {

double signed_as(double value, double sign) {
  return sign < 0 ? -value : value;
}

/// Returns the point of a circle of `radius` in the xz-plane that is farthest along `d`.
Vector rim(double radius, Vector d) {
  const double across = std::sqrt(d.x * d.x + d.z * d.z);
  if (!(across > 0)) return {};
  return {radius * d.x / across, 0, radius * d.z / across};
}

Vector support_local(const Convex& convex, Vector d) {
  const Vector size = convex.size;
  switch (convex.core) {
    case Convex::Core::Point:
      return {};
    case Convex::Core::Segment:
      return {0, signed_as(size.y, d.y), 0};
    case Convex::Core::Box:
      return {signed_as(size.x, d.x), signed_as(size.y, d.y), signed_as(size.z, d.z)};
    case Convex::Core::Cylinder:
      return rim(size.x, d) + Vector{0, signed_as(size.y, d.y), 0};
    case Convex::Core::Cone: {
      const Vector tip{0, size.y, 0}, base = rim(size.x, d) + Vector{0, -size.y, 0};
      return dot(tip, d) > dot(base, d) ? tip : base;
    }
    case Convex::Core::Points:
      break;
  }
  return {};
}

}  // namespace

Convex make_convex(const workload::Shape& shape, const Frame& frame) {
  using workload::ShapeKind;
  JOSTLE_ASSERT(shape.kind != ShapeKind::Mesh && shape.kind != ShapeKind::Plane);
  const double radius = static_cast<double>(shape.radius);
  const double half = static_cast<double>(shape.half_segment);
  Convex convex;
  convex.frame = frame;
  switch (shape.kind) {
    case ShapeKind::Sphere:
      convex.radius = radius;
      break;
    case ShapeKind::Capsule:
      convex.core = Convex::Core::Segment;
      convex.radius = radius;
      convex.size = {0, half, 0};
      break;
    case ShapeKind::Box:
      convex.core = Convex::Core::Box;
      convex.size = widen(shape.half_extents);
      break;
    case ShapeKind::Cylinder:
      convex.core = Convex::Core::Cylinder;
      convex.size = {radius, half, 0};
      break;
    case ShapeKind::Cone:
      convex.core = Convex::Core::Cone;
      convex.size = {radius, half, 0};
      break;
    default:
      convex.core = Convex::Core::Points;
      for (const math::Vec3& point : shape.points)
        convex.points.push_back(frame.to_world(widen(point)));
  }
  return convex;
}

Convex make_triangle(Vector a, Vector b, Vector c) {
  Convex convex;
  convex.core = Convex::Core::Points;
  convex.points = {a, b, c};
  return convex;
}

Vector support(const Convex& convex, Vector direction) {
  if (convex.core != Convex::Core::Points) {
    return convex.frame.to_world(support_local(convex, convex.frame.unrotate(direction)));
  }
  Vector best = convex.points.front();
  double best_height = dot(best, direction);
  for (const Vector& point : convex.points) {
    const double height = dot(point, direction);
    if (height > best_height) {
      best = point;
      best_height = height;
    }
  }
  return best;
}

Bounds bounds_of(const Convex& convex) {
  const double r = convex.radius;
  const Vector low{support(convex, {-1, 0, 0}).x, support(convex, {0, -1, 0}).y,
                   support(convex, {0, 0, -1}).z};
  const Vector high{support(convex, {1, 0, 0}).x, support(convex, {0, 1, 0}).y,
                    support(convex, {0, 0, 1}).z};
  return {low - Vector{r, r, r}, high + Vector{r, r, r}};
}

bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

}  // namespace jostle::check
