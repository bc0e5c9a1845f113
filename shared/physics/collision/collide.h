#pragma once

#include "shared/math/mat3.h"
#include "shared/physics/collision/surface_scratch.h"
#include "shared/physics/collision/unset_array.h"
#include "shared/physics/events.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// The contact manifold of two shapes. If it has no points, the shapes are farther apart than the
/// margin; the normal is then a separating axis, or zero if none was found.
struct Collision {
  math::Vec3 normal;  // unit, from a to b
  std::uint32_t point_count = 0;
  std::array<CollisionPoint, max_manifold_points> points;

  void add(const CollisionPoint& point) { points[point_count++] = point; }
};

/// A shape for the narrow phase: its geometry, and the world directions of its axes.
struct PlacedShape {
  const state::Shape& shape;
  const math::Mat3& axes;
};

/// Collides two shapes, neither of which is a mesh or a height field. `offset` goes from the origin
/// of a to that of b, in world axes. Points whose separation exceeds `margin` are left out. Two
/// planes never collide.
///
/// `axis` is a guess of the direction from a to b, such as the normal of the previous step: a unit
/// vector, or zero for no guess. Box–box pairs and general convex pairs return early if it is a
/// separating axis. General convex pairs also try it as the normal first. All other pairs ignore
/// it. The result depends on the arguments only.
Collision collide(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset, float margin,
                  math::Vec3 axis);

/// The contact manifolds of a shape and a mesh or height field. There may be several, because such
/// a surface can push a shape in several directions at once.
struct CollisionSet {
  std::uint32_t count = 0;
  UnsetArray<Collision, max_manifolds> collisions;
};

constexpr bool is_surface(state::ShapeKind kind) {
  return kind == state::ShapeKind::Mesh || kind == state::ShapeKind::HeightField;
}

/// Collides two shapes, exactly one of which is a mesh or a height field. Triangles push outwards
/// only: a triangle is ignored if most of the other shape lies behind it. The manifold with the
/// deepest point comes first. If the other shape is a plane, the result is empty.
///
/// `travel` is the expected displacement of b relative to a within the step, in world axes. A ball
/// also gets contacts with the facets that it will run onto (runs_onto in surface_pairs.cpp).
void collide_surface(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                     math::Vec3 travel, float margin, SurfaceScratch& scratch,
                     CollisionSet& result);

// Closed-form collision functions, one per pair of kinds, with the kinds in the order of
// state::ShapeKind.
Collision collide_sphere_sphere(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                float margin);
Collision collide_sphere_box(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                             float margin);
Collision collide_sphere_capsule(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                 float margin);
Collision collide_sphere_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                               float margin);
Collision collide_box_box(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                          float margin, math::Vec3 axis);
Collision collide_box_capsule(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                              float margin);
Collision collide_box_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                            float margin);
Collision collide_capsule_capsule(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                  float margin);
Collision collide_capsule_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                float margin);

}  // namespace jostle::physics
