#include "shared/physics/narrow_phase/collide.h"

namespace jostle::physics {

using math::Vec3;
using state::ShapeKind;

namespace {

/// a's kind does not come after b's.
Collision collide_ordered(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin) {
  switch (a.shape.kind) {
    case ShapeKind::Sphere:
      switch (b.shape.kind) {
        case ShapeKind::Sphere:
          return collide_sphere_sphere(a, b, offset, margin);
        case ShapeKind::Box:
          return collide_sphere_box(a, b, offset, margin);
        case ShapeKind::Capsule:
          return collide_sphere_capsule(a, b, offset, margin);
        case ShapeKind::Plane:
          return collide_sphere_plane(a, b, offset, margin);
      }
      break;
    case ShapeKind::Box:
      switch (b.shape.kind) {
        case ShapeKind::Box:
          return collide_box_box(a, b, offset, margin);
        case ShapeKind::Capsule:
          return collide_box_capsule(a, b, offset, margin);
        case ShapeKind::Plane:
          return collide_box_plane(a, b, offset, margin);
        case ShapeKind::Sphere:
          break;
      }
      break;
    case ShapeKind::Capsule:
      switch (b.shape.kind) {
        case ShapeKind::Capsule:
          return collide_capsule_capsule(a, b, offset, margin);
        case ShapeKind::Plane:
          return collide_capsule_plane(a, b, offset, margin);
        case ShapeKind::Sphere:
        case ShapeKind::Box:
          break;
      }
      break;
    case ShapeKind::Plane:
      break;
  }
  return {};
}

}  // namespace

Collision collide(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin) {
  if (a.shape.kind <= b.shape.kind) return collide_ordered(a, b, offset, margin);
  Collision result = collide_ordered(b, a, -offset, margin);
  result.normal = -result.normal;
  for (std::uint32_t i = 0; i < result.point_count; ++i)
    result.points[i].position += offset;
  return result;
}

}  // namespace jostle::physics
