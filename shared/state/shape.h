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

/// Returns true for planes, meshes and height fields. Only static bodies may have them, and they
/// have no mass.
constexpr bool is_static_only(ShapeKind kind) {
  return kind == ShapeKind::Plane || kind == ShapeKind::Mesh || kind == ShapeKind::HeightField;
}

/// Returns true for kinds whose geometry is in Shape::solid.
constexpr bool has_solid(ShapeKind kind) {
  return kind == ShapeKind::Hull || kind == ShapeKind::Mesh || kind == ShapeKind::HeightField;
}

/// A collision shape in its own frame. Spheres, boxes, capsules, cylinders and cones are centred on
/// the origin. Fields that a kind does not use are zero.
struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  float radius = 0;         // Sphere, Capsule, Cylinder; Cone: radius of the base; m
  float half_segment = 0;   // Capsule, Cylinder, Cone: half the length of the axis, along y; m
  math::Vec3 half_extents;  // Box; m
  /// Geometry of Hull, Mesh and HeightField; otherwise null. Its vertices or heights determine
  /// where the origin is.
  std::shared_ptr<const Solid> solid;

  /// Compares solids by their content hashes.
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
/// Returns a cone with its base at −half_height and its tip at +half_height. Its centre of mass is
/// half_height / 2 below the origin.
inline Shape cone(float radius, float half_height) {
  Shape shape;
  shape.kind = ShapeKind::Cone;
  shape.radius = radius;
  shape.half_segment = half_height;
  return shape;
}
/// Returns a shape whose kind is determined by the solid's content.
inline Shape solid(std::shared_ptr<const Solid> content) {
  constexpr std::array kinds{ShapeKind::Hull, ShapeKind::Mesh, ShapeKind::HeightField};
  Shape shape;
  shape.kind = kinds[content->content.index()];
  shape.solid = std::move(content);
  return shape;
}
/// Returns the half-space below the xz-plane of its frame; its outward normal is +y.
inline Shape plane() {
  Shape shape;
  shape.kind = ShapeKind::Plane;
  return shape;
}

}  // namespace jostle::state
