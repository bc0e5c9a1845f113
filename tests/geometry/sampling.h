#pragma once

#include "shared/base/random.h"
#include "shared/math/quat.h"
#include "shared/math/transform.h"
#include "shared/state/shape.h"

#include <cmath>
#include <vector>

namespace jostle::geometry::testing {

inline math::Vec3 random_vector(base::Random& random, float scale) {
  return {random.between(-scale, scale), random.between(-scale, scale),
          random.between(-scale, scale)};
}

inline math::Quat random_rotation(base::Random& random) {
  return normalized(math::Quat{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                               random.between(-1, 1)});
}

/// Three of each kind with a volume.
inline std::vector<state::Shape> solid_shapes() {
  return {state::sphere(0.5f),
          state::sphere(0.1f),
          state::sphere(2.0f),
          state::box({0.5f, 0.5f, 0.5f}),
          state::box({0.1f, 1.0f, 0.4f}),
          state::box({2, 0.2f, 3}),
          state::capsule(0.3f, 0.7f),
          state::capsule(0.5f, 0.0f),
          state::capsule(0.1f, 2.0f)};
}

/// The definition of each kind, written down without the code under test.
inline bool is_inside(const state::Shape& shape, math::Vec3 p) {
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return length(p) <= shape.radius;
    case state::ShapeKind::Box:
      return std::abs(p.x) <= shape.half_extents.x && std::abs(p.y) <= shape.half_extents.y &&
             std::abs(p.z) <= shape.half_extents.z;
    case state::ShapeKind::Capsule: {
      const float y =
          std::abs(p.y) <= shape.half_segment ? 0.0f : std::abs(p.y) - shape.half_segment;
      return std::sqrt(p.x * p.x + y * y + p.z * p.z) <= shape.radius;
    }
    case state::ShapeKind::Plane:
      return p.y <= 0.0f;
  }
  return false;
}

}  // namespace jostle::geometry::testing
