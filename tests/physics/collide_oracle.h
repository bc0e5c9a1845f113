#pragma once

#include "shared/base/random.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "shared/math/trig.h"
#include "shared/physics/collision/collide.h"
#include "tests/physics/scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

namespace jostle::physics::testing {

// Expected results of collide(), computed in doubles by a search over all directions. The
// separation of two convex bodies is the largest s(n) = −h_a(n) − h_b(−n) over the unit vectors n,
// with the support functions h. If the bodies overlap, the separation is the negative depth.

struct Vector {
  double x = 0, y = 0, z = 0;
};
inline Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector operator*(Vector a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline double inner(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vector exact(Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
inline Vector unit(Vector v) {
  return v * (1 / std::sqrt(inner(v, v)));
}
inline Vec3 rounded(Vector v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// A shape with its position and axes.
struct Placed {
  state::Shape shape;
  math::Mat3 axes;
  Vec3 at;
};

/// Returns the value of the shape's support function for the direction `d`, in the shape's own
/// frame. Uses the definition of each kind.
inline double support_height(const state::Shape& shape, Vector d) {
  const double r = static_cast<double>(shape.radius), h = static_cast<double>(shape.half_segment);
  const double across = std::sqrt(d.x * d.x + d.z * d.z);
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return r * std::sqrt(inner(d, d));
    case state::ShapeKind::Box: {
      const Vector e = exact(shape.half_extents);
      return std::abs(d.x) * e.x + std::abs(d.y) * e.y + std::abs(d.z) * e.z;
    }
    case state::ShapeKind::Capsule:
      return r * std::sqrt(inner(d, d)) + h * std::abs(d.y);
    case state::ShapeKind::Cylinder:
      return r * across + h * std::abs(d.y);
    case state::ShapeKind::Cone:
      return std::max(h * d.y, r * across - h * d.y);
    case state::ShapeKind::Hull: {
      double most = -1e300;
      for (const Vec3 v : std::get<state::ConvexHull>(shape.solid->content).vertices)
        most = std::max(most, inner(exact(v), d));
      return most;
    }
    default:
      return 0;
  }
}

inline double support_height(const Placed& body, Vector d) {
  const Vector local{inner(exact(body.axes.cx), d), inner(exact(body.axes.cy), d),
                     inner(exact(body.axes.cz), d)};
  return support_height(body.shape, local) + inner(exact(body.at), d);
}

/// Returns the separation of the two shapes along n.
inline double separation_along(const Placed& a, const Placed& b, Vector n) {
  return -support_height(a, n) - support_height(b, n * -1);
}

/// Returns the largest separation over all directions: first a spiral over the sphere, then a
/// shrinking search around the best samples. The result may be too small in the last digits, but is
/// never too large.
inline double search_separation(const Placed& a, const Placed& b) {
  constexpr int samples = 300, max_rounds = 120;
  constexpr std::size_t starts = 3;
  struct Start {
    double separation = -1e300;
    Vector n;
  };
  std::array<Start, starts> best;
  const double golden = 2.399963229728653;
  const auto offer = [&](Vector n) {
    const Start start{separation_along(a, b, n), n};
    for (std::size_t k = 0; k < starts; ++k) {
      if (start.separation <= best[k].separation) continue;
      for (std::size_t l = starts - 1; l > k; --l)
        best[l] = best[l - 1];
      best[k] = start;
      return;
    }
  };
  for (int i = 0; i < samples; ++i) {
    const double y = 1 - (2 * i + 1.0) / samples, ring = std::sqrt(1 - y * y);
    offer({ring * std::cos(golden * i), y, ring * std::sin(golden * i)});
  }
  double most = -1e300;
  for (Start& start : best) {
    double step = 0.1;
    for (int round = 0; round < max_rounds && step > 1e-8; ++round) {
      const Vector n = start.n;
      const Vector side = unit(std::abs(n.y) < 0.8 ? Vector{n.z, 0, -n.x} : Vector{0, -n.z, n.y});
      const Vector other{n.y * side.z - n.z * side.y, n.z * side.x - n.x * side.z,
                         n.x * side.y - n.y * side.x};
      bool is_better = false;
      for (int k = 0; k < 12; ++k) {
        // Each round uses other directions, because a ridge is seldom aligned with one of them.
        const double angle = k * 0.5235987755982988 + round * golden;
        const Vector tried =
            unit(n + side * (step * std::cos(angle)) + other * (step * std::sin(angle)));
        const double separation = separation_along(a, b, tried);
        if (separation > start.separation) {
          start = {separation, tried};
          is_better = true;
        }
      }
      step *= is_better ? 1.5 : 0.5;
    }
    most = std::max(most, start.separation);
  }
  return most;
}

inline Collision collide(const Placed& a, const Placed& b, float margin) {
  return physics::collide({a.shape, a.axes}, {b.shape, b.axes}, b.at - a.at, margin, {});
}

inline float deepest(const Collision& c) {
  float least = 1e9f;
  for (std::uint32_t i = 0; i < c.point_count; ++i)
    least = math::min_of(least, c.points[i].separation);
  return least;
}

inline state::Shape random_hull(base::Random& random, int points, float size) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i) {
    const float x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
    cloud.push_back(normalized_or(Vec3{x, y, z}, {1, 0, 0}) * size);
  }
  return state::solid(geometry::share(std::move(geometry::build_hull(cloud).value())));
}

inline constexpr std::array<state::ShapeKind, 6> convex_kinds{
    state::ShapeKind::Sphere,   state::ShapeKind::Box,  state::ShapeKind::Capsule,
    state::ShapeKind::Cylinder, state::ShapeKind::Cone, state::ShapeKind::Hull};

/// Returns a random shape of a convex kind, about a metre in size.
inline state::Shape random_convex(base::Random& random, state::ShapeKind kind) {
  const float a = random.between(0.15f, 0.5f);
  const float b = random.between(0.15f, 0.5f);
  const float c = random.between(0.15f, 0.5f);
  switch (kind) {
    case state::ShapeKind::Sphere:
      return state::sphere(a);
    case state::ShapeKind::Capsule:
      return state::capsule(0.5f * a, b);
    case state::ShapeKind::Cylinder:
      return state::cylinder(a, b);
    case state::ShapeKind::Cone:
      return state::cone(a, b);
    case state::ShapeKind::Hull:
      return random_hull(random, 8 + static_cast<int>(random.below(16)), a);
    default:
      return state::box({a, b, c});
  }
}

inline float size_of(const state::Shape& shape) {
  switch (shape.kind) {
    case state::ShapeKind::Box:
      return std::min({shape.half_extents.x, shape.half_extents.y, shape.half_extents.z});
    case state::ShapeKind::Cylinder:
    case state::ShapeKind::Cone:
      return std::min(shape.radius, shape.half_segment);
    case state::ShapeKind::Hull:
      return std::get<state::ConvexHull>(shape.solid->content).inner_radius;
    default:
      return shape.radius;
  }
}

/// Returns a mesh of `cells` × `cells` square cells in the xz-plane about the origin, two triangles
/// per cell. `height(x, z)` returns the height of a vertex.
template <typename Height>
state::Shape grid_mesh(int cells, float cell, Height&& height) {
  state::TriangleMesh mesh;
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * (cells + 1) + k); };
  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k <= cells; ++k) {
      const float x = (static_cast<float>(i) - 0.5f * static_cast<float>(cells)) * cell;
      const float z = (static_cast<float>(k) - 0.5f * static_cast<float>(cells)) * cell;
      mesh.vertices.push_back({x, height(x, z), z});
      if (i == cells || k == cells) continue;
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return state::solid(geometry::share(std::move(mesh)));
}

/// Adds a mesh of waves and noise with `cells` × `cells` cells of 0.5 m, and a hundred boxes at a
/// height of 3 m. Returns the boxes.
inline std::vector<BodyHandle> boxes_over_rough_ground(World& world, base::Random& random,
                                                       int cells) {
  const state::Shape rough = grid_mesh(cells, 0.5f, [&](float x, float z) {
    return 0.6f * math::sin_cos(0.5f * x).sin * math::sin_cos(0.4f * z).cos +
           random.between(-0.15f, 0.15f);
  });
  add_body(world, MotionType::Static, {}, shape_def(rough));
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 100; ++i) {
    const double x = 2.5 * (i % 10) - 11.25, z = 2.5 * (i / 10) - 11.25;
    boxes.push_back(add_body(world, MotionType::Dynamic, {{x, 3, z}, random_rotation(random)},
                             shape_def(state::box({0.5f, 0.4f, 0.3f}))));
  }
  return boxes;
}

}  // namespace jostle::physics::testing
