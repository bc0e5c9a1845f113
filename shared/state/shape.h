#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/state/solid.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace jostle::state {

enum class ShapeKind : std::uint8_t {
  Sphere = 0,
  Box = 1,
  Capsule = 2,
  Plane = 3,
  Cylinder = 4,
  Cone = 5,
  Hull = 6,
  Mesh = 7,
  HeightField = 8,
};
inline constexpr std::uint8_t shape_kind_count = 9;

/// Planes and surfaces: only static bodies have them, and they have no mass.
constexpr bool is_static_only(ShapeKind kind) {
  return kind == ShapeKind::Plane || kind == ShapeKind::Mesh || kind == ShapeKind::HeightField;
}

/// Kinds whose geometry lies in Shape::solid.
constexpr bool has_solid(ShapeKind kind) {
  return kind == ShapeKind::Hull || kind == ShapeKind::Mesh || kind == ShapeKind::HeightField;
}

/// Geometry in its own frame, centred on the origin. Fields that a kind does not name are zero.
struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  float radius = 0;         // Sphere, Capsule, Cylinder; Cone: of its base; m
  float half_segment = 0;   // Capsule, Cylinder, Cone: half the length of its axis, along y; m
  math::Vec3 half_extents;  // Box; m
  /// Hull, Mesh and HeightField; else null. A hull's origin is wherever its points put it.
  std::shared_ptr<const Solid> solid;

  /// Solids are equal when their contents' hashes are.
  friend bool operator==(const Shape& a, const Shape& b) {
    const std::uint64_t solid_a = a.solid ? a.solid->content_hash : 0;
    const std::uint64_t solid_b = b.solid ? b.solid->content_hash : 0;
    return a.kind == b.kind && a.radius == b.radius && a.half_segment == b.half_segment &&
           a.half_extents == b.half_extents && solid_a == solid_b;
  }
};

inline Shape sphere(float radius) {
  Shape shape;
  shape.radius = radius;
  return shape;
}
inline Shape box(math::Vec3 half_extents) {
  Shape shape;
  shape.kind = ShapeKind::Box;
  shape.half_extents = half_extents;
  return shape;
}
inline Shape capsule(float radius, float half_segment) {
  Shape shape;
  shape.kind = ShapeKind::Capsule;
  shape.radius = radius;
  shape.half_segment = half_segment;
  return shape;
}
inline Shape cylinder(float radius, float half_height) {
  Shape shape;
  shape.kind = ShapeKind::Cylinder;
  shape.radius = radius;
  shape.half_segment = half_height;
  return shape;
}
/// Its base lies at −half_height, its tip at +half_height; the centre of mass is half a half_height
/// below the origin.
inline Shape cone(float radius, float half_height) {
  Shape shape;
  shape.kind = ShapeKind::Cone;
  shape.radius = radius;
  shape.half_segment = half_height;
  return shape;
}
/// The kind follows from the solid's content.
inline Shape solid(std::shared_ptr<const Solid> content) {
  constexpr std::array kinds{ShapeKind::Hull, ShapeKind::Mesh, ShapeKind::HeightField};
  Shape shape;
  shape.kind = kinds[content->content.index()];
  shape.solid = std::move(content);
  return shape;
}
/// The half-space below the xz-plane of its frame; its outward normal is +y.
inline Shape plane() {
  Shape shape;
  shape.kind = ShapeKind::Plane;
  return shape;
}

}  // namespace jostle::state
