#pragma once

#include "shared/math/mat3.h"
#include "shared/physics/events.h"
#include "shared/physics/narrow_phase/surface_scratch.h"
#include "shared/physics/narrow_phase/unset_array.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// How two shapes touch or are about to. No points: they are farther apart than the margin; the
/// normal is then an axis along which they are, or zero where none was found.
struct Collision {
  math::Vec3 normal;  // unit, from a to b
  std::uint32_t point_count = 0;
  std::array<CollisionPoint, max_manifold_points> points;

  void add(const CollisionPoint& point) { points[point_count++] = point; }
};

/// A shape for the narrow phase: its geometry and the world directions of its own axes.
struct PlacedShape {
  const state::Shape& shape;
  const math::Mat3& axes;
};

/// Two shapes without a surface among them. `offset` goes from the origin of a to that of b. Points
/// farther apart than `margin` are left out. Two planes never collide. `axis` is a guess of the
/// direction from a to b, such as the normal of the step before, or zero: shapes that it proves to
/// be apart cost next to nothing. A pure function of its arguments.
Collision collide(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset, float margin,
                  math::Vec3 axis);

/// A mesh or a height field touches in several directions at once.
struct CollisionSet {
  std::uint32_t count = 0;
  UnsetArray<Collision, max_manifolds> collisions;
};

constexpr bool is_surface(state::ShapeKind kind) {
  return kind == state::ShapeKind::Mesh || kind == state::ShapeKind::HeightField;
}

/// The same where one of the two is a mesh or a height field. Triangles push outwards only: one
/// whose back looks at most of the other shape is ignored. The deepest direction comes first.
void collide_surface(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset, float margin,
                     SurfaceScratch& scratch, CollisionSet& result);

// One function per pair of kinds in closed form, the kinds in the order of state::ShapeKind.
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
