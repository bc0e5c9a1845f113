#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::state {

enum class ShapeKind : std::uint8_t {
  Sphere = 0,
  Box = 1,
  Capsule = 2,
  Plane = 3,
};
inline constexpr std::uint8_t shape_kind_count = 4;

/// Geometry in its own frame, centred on the origin. Fields that a kind does not name are zero.
struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  float radius = 0;         // Sphere, Capsule; m
  float half_segment = 0;   // Capsule: half the length of its axis, along y; m
  math::Vec3 half_extents;  // Box; m

  bool operator==(const Shape&) const = default;
};

constexpr Shape sphere(float radius) {
  Shape shape;
  shape.radius = radius;
  return shape;
}
constexpr Shape box(math::Vec3 half_extents) {
  Shape shape;
  shape.kind = ShapeKind::Box;
  shape.half_extents = half_extents;
  return shape;
}
constexpr Shape capsule(float radius, float half_segment) {
  Shape shape;
  shape.kind = ShapeKind::Capsule;
  shape.radius = radius;
  shape.half_segment = half_segment;
  return shape;
}
/// The half-space below the xz-plane of its frame; its outward normal is +y.
constexpr Shape plane() {
  Shape shape;
  shape.kind = ShapeKind::Plane;
  return shape;
}

}  // namespace jostle::state
