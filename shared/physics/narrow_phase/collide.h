#pragma once

#include "shared/math/mat3.h"
#include "shared/physics/events.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// One point of contact, midway between the two surfaces.
struct CollisionPoint {
  math::Vec3 position;   // from the origin of shape a, world axes
  float separation = 0;  // along the normal, negative when overlapping
  std::uint32_t feature = 0;
};

/// How two shapes touch or are about to. No points: they are farther apart than the margin.
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

/// A pure function of its arguments. `offset` goes from the origin of a to that of b. Points
/// farther apart than `margin` are left out. Two planes never collide.
Collision collide(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset, float margin);

// One function per pair of kinds, the kinds in the order of state::ShapeKind.
Collision collide_sphere_sphere(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                float margin);
Collision collide_sphere_box(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                             float margin);
Collision collide_sphere_capsule(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                 float margin);
Collision collide_sphere_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                               float margin);
Collision collide_box_box(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                          float margin);
Collision collide_box_capsule(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                              float margin);
Collision collide_box_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                            float margin);
Collision collide_capsule_capsule(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                  float margin);
Collision collide_capsule_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                                float margin);

}  // namespace jostle::physics
