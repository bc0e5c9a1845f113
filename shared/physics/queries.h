#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/handles.h"

#include <cstdint>

namespace jostle::physics {

/// From `origin` to `origin + translation`.
struct Ray {
  math::Position origin;
  math::Vec3 translation;  // m
};

struct QueryFilter {
  std::uint32_t mask = 0xFFFFFFFFU;  // against a shape's category
};

struct RayHit {
  ShapeHandle shape;
  BodyHandle body;
  float fraction = 0;  // of the translation, 0..1
  math::Position point;
  math::Vec3 normal;  // outward
};

}  // namespace jostle::physics
