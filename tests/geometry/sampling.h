#pragma once

#include "shared/base/random.h"
#include "shared/geometry/hull.h"
#include "shared/math/quat.h"
#include "shared/math/transform.h"
#include "shared/state/shape.h"

#include <algorithm>
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

/// Returns `count` points in a cube with a half extent of 0.5 m, whose centre is not the origin.
inline std::vector<math::Vec3> random_cloud(std::uint64_t seed, int count) {
  base::Random random(seed);
  std::vector<math::Vec3> points;
  for (int i = 0; i < count; ++i)
    points.push_back(math::Vec3{0.1f, -0.2f, 0.05f} + random_vector(random, 0.5f));
  return points;
}

inline state::Shape hull_of(const std::vector<math::Vec3>& points) {
  return state::solid(share(build_hull(points).value()));
}

/// Returns three shapes of each kind with a volume.
inline std::vector<state::Shape> solid_shapes() {
  return {state::sphere(0.5f),
          state::sphere(0.1f),
          state::sphere(2.0f),
          state::box({0.5f, 0.5f, 0.5f}),
          state::box({0.1f, 1.0f, 0.4f}),
          state::box({2, 0.2f, 3}),
          state::capsule(0.3f, 0.7f),
          state::capsule(0.5f, 0.0f),
          state::capsule(0.1f, 2.0f),
          state::cylinder(0.5f, 0.5f),
          state::cylinder(2.0f, 0.1f),
          state::cylinder(0.1f, 1.5f),
          state::cone(0.5f, 0.5f),
          state::cone(2.0f, 0.2f),
          state::cone(0.1f, 1.5f),
          hull_of({{-0.2f, -0.3f, -0.25f}, {1, 0.1f, 0}, {0, 0.9f, 0.2f}, {0.3f, 0, 1.1f}}),
          hull_of(random_cloud(7, 40)),
          hull_of({{-1, 0, 0}, {1, 0, 0}, {0, 0.2f, -1}, {0, 0.2f, 1}, {0, -1, 0}, {0, 2, 0}})};
}

/// Returns true if the point is in the shape, by the definition of each kind and without the code
/// under test.
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
    case state::ShapeKind::Cylinder:
      return std::abs(p.y) <= shape.half_segment &&
             std::sqrt(p.x * p.x + p.z * p.z) <= shape.radius;
    case state::ShapeKind::Cone: {
      const float below_tip = (shape.half_segment - p.y) / (2 * shape.half_segment);
      return p.y >= -shape.half_segment && below_tip >= 0.0f &&
             std::sqrt(p.x * p.x + p.z * p.z) <= shape.radius * below_tip;
    }
    case state::ShapeKind::Hull: {
      const auto& faces = std::get<state::ConvexHull>(shape.solid->content).faces;
      return std::all_of(faces.begin(), faces.end(), [p](const state::HullFace& face) {
        return dot(face.normal, p) <= face.offset;
      });
    }
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      return false;
  }
  return false;
}

}  // namespace jostle::geometry::testing
