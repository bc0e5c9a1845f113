#pragma once

#include "shared/math/transform.h"
#include "shared/physics/handles.h"
#include "shared/state/shape.h"

#include <cstdint>

namespace jostle::physics {

/// From `origin` to `origin + translation`.
struct Ray {
  math::Position origin;
  math::Vec3 translation;  // m
};

struct QueryFilter {
  std::uint32_t mask = 0xFFFFFFFFU;  // against a shape's category
  bool sees_sensors = false;         // which are no obstacles
};

struct RayHit {
  ShapeHandle shape;
  BodyHandle body;
  float fraction = 0;  // of the translation, 0..1
  math::Position point;
  math::Vec3 normal;  // outward
};

/// A shape with a volume that asks about the world; it is no part of it. A plane, a mesh or a
/// height field cannot. It may be smaller than a body's, a sphere down to a point; its sizes must
/// be finite and not negative.
struct QueryShape {
  state::Shape shape;
  math::Pose pose;
};

/// The shape goes straight from its pose by `translation`, without turning.
struct ShapeCast {
  QueryShape moving;
  math::Vec3 translation;  // m
};

/// The place of a world's shape that is nearest to a query's.
struct NearHit {
  ShapeHandle shape;
  BodyHandle body;
  float distance = 0;  // m, negative where they overlap: then the least way out
  math::Position on_query, on_shape;
  math::Vec3 normal;  // unit, from the world's shape to the query's
};

}  // namespace jostle::physics
