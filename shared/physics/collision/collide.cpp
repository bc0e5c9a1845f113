#include "shared/physics/collision/collide.h"

#include "shared/physics/collision/convex_manifold.h"

namespace jostle::physics {

using math::Vec3;
using state::ShapeKind;

namespace {

Collision collide_with_plane(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                             float margin) {
  switch (a.shape.kind) {
    case ShapeKind::Sphere:
      return collide_sphere_plane(a, b, offset, margin);
    case ShapeKind::Box:
      return collide_box_plane(a, b, offset, margin);
    case ShapeKind::Capsule:
      return collide_capsule_plane(a, b, offset, margin);
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
    case ShapeKind::Hull:
      return collide_convex_plane(a, b, offset, margin);
    case ShapeKind::Plane:
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      break;
  }
  return {};
}

/// Returns the rank of a kind: planes come last, the others in the order of their kinds.
constexpr int rank(ShapeKind kind) {
  return kind == ShapeKind::Plane ? state::shape_kind_count : static_cast<int>(kind);
}

/// Collides two shapes. The rank of a must not be higher than that of b.
Collision collide_ordered(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin,
                          Vec3 axis) {
  const ShapeKind kind_a = a.shape.kind, kind_b = b.shape.kind;
  if (kind_b == ShapeKind::Plane) return collide_with_plane(a, b, offset, margin);
  if (kind_a == ShapeKind::Sphere) {
    if (kind_b == ShapeKind::Sphere) return collide_sphere_sphere(a, b, offset, margin);
    if (kind_b == ShapeKind::Box) return collide_sphere_box(a, b, offset, margin);
    if (kind_b == ShapeKind::Capsule) return collide_sphere_capsule(a, b, offset, margin);
  }
  if (kind_a == ShapeKind::Box) {
    if (kind_b == ShapeKind::Box) return collide_box_box(a, b, offset, margin, axis);
    if (kind_b == ShapeKind::Capsule) return collide_box_capsule(a, b, offset, margin);
  }
  if (kind_a == ShapeKind::Capsule && kind_b == ShapeKind::Capsule) {
    return collide_capsule_capsule(a, b, offset, margin);
  }
  return collide_convex(a, b, offset, margin, axis);
}

}  // namespace

Collision collide(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin,
                  Vec3 axis) {
  if (is_surface(a.shape.kind) || is_surface(b.shape.kind)) return {};
  if (rank(a.shape.kind) <= rank(b.shape.kind)) {
    return collide_ordered(a, b, offset, margin, axis);
  }
  Collision result = collide_ordered(b, a, -offset, margin, -axis);
  result.normal = -result.normal;
  for (std::uint32_t i = 0; i < result.point_count; ++i)
    result.points[i].position += offset;
  return result;
}

}  // namespace jostle::physics
