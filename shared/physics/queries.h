#pragma once

#include "shared/math/transform.h"
#include "shared/physics/handles.h"
#include "shared/state/shape.h"

#include <cstdint>

namespace jostle::physics {

/// A ray from `origin` to `origin + translation`.
struct Ray {
  math::Position origin;
  math::Vec3 translation;  // m
};

/// The shapes that a query considers.
struct QueryFilter {
  std::uint32_t mask = 0xFFFFFFFFU;  // compared with a shape's category
  bool sees_sensors = false;         // sensors are not obstacles and are skipped by default
};

struct CastHit {
  ShapeHandle shape;
  BodyHandle body;
  float fraction = 0;  // fraction of the translation at the hit, 0..1
  math::Position point;
  math::Vec3 normal;  // outward unit normal
};

/// A convex shape for queries; it is not part of the world. Planes, meshes and height fields are
/// not allowed. It may be smaller than shapes of bodies: a sphere may be a point. Its sizes must be
/// finite and not negative.
struct QueryShape {
  state::Shape shape;
  math::Pose pose;
};

/// A shape cast: the shape moves from its pose in a straight line by `translation`, without
/// rotation.
struct ShapeCast {
  QueryShape moving;
  math::Vec3 translation;  // m
};

/// The closest points between a query shape and a shape of the world.
struct ClosestHit {
  ShapeHandle shape;
  BodyHandle body;
  float distance = 0;  // m; minus the penetration depth if the two shapes overlap
  math::Position point_on_query, point_on_shape;
  math::Vec3 normal;  // unit, from the world's shape to the query shape
};

}  // namespace jostle::physics
