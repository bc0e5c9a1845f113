#pragma once

#include "shared/math/vec3.h"

namespace jostle::math {

/// Axis-aligned bounding box in world coordinates, metres.
struct Aabb {
  Position lower, upper;

  constexpr bool operator==(const Aabb&) const = default;
};

constexpr bool overlaps(const Aabb& a, const Aabb& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
constexpr bool contains(const Aabb& outer, const Aabb& inner) {
  return outer.lower.x <= inner.lower.x && inner.upper.x <= outer.upper.x &&
         outer.lower.y <= inner.lower.y && inner.upper.y <= outer.upper.y &&
         outer.lower.z <= inner.lower.z && inner.upper.z <= outer.upper.z;
}
constexpr Aabb united(const Aabb& a, const Aabb& b) {
  return {
      {a.lower.x < b.lower.x ? a.lower.x : b.lower.x, a.lower.y < b.lower.y ? a.lower.y : b.lower.y,
       a.lower.z < b.lower.z ? a.lower.z : b.lower.z},
      {a.upper.x > b.upper.x ? a.upper.x : b.upper.x, a.upper.y > b.upper.y ? a.upper.y : b.upper.y,
       a.upper.z > b.upper.z ? a.upper.z : b.upper.z}};
}
constexpr Aabb expanded(const Aabb& a, float margin) {
  return {a.lower - Vec3{margin, margin, margin}, a.upper + Vec3{margin, margin, margin}};
}

}  // namespace jostle::math
