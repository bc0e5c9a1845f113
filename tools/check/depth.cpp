#include "tools/check/depth.h"

#include "tools/check/polytope.h"
#include "tools/check/simplex.h"

#include <algorithm>
#include <limits>

namespace jostle::check {
namespace {

constexpr int max_iterations = 200;
constexpr double distance_tolerance = 1e-12;  // relative to the squared distance
// Relative to the size of the shapes: smaller distances count as overlap.
constexpr double touch_tolerance = 1e-9;

bool holds(const Simplex& simplex, Vector point) {
  return std::any_of(
      simplex.points.begin(), simplex.points.begin() + simplex.size,
      [&](const Vector& p) { return p.x == point.x && p.y == point.y && p.z == point.z; });
}

/// Returns the distance between the cores, or 0 if they touch or overlap.
double core_distance(const Convex& a, const Convex& b, double size) {
  const auto difference = [&](Vector direction) {
    return support(a, direction) - support(b, -direction);
  };
  Simplex simplex;
  simplex.add(difference({1, 0, 0}));
  Vector nearest = simplex.points[0];
  double squared = dot(nearest, nearest);
  const double touch_squared = touch_tolerance * touch_tolerance * size * size;
  for (int i = 0; i < max_iterations; ++i) {
    if (squared <= touch_squared) return 0;
    const Vector point = difference(-nearest);
    if (squared - dot(nearest, point) <= distance_tolerance * squared) break;
    if (holds(simplex, point)) break;
    // All points of the difference are as far along `nearest` as `point`, or farther. If that is
    // beyond the origin, the cores are apart, whatever a flat tetrahedron says.
    const bool is_apart = dot(nearest, point) > distance_tolerance * squared;
    simplex.add(point);
    const Vector next = nearest_to_origin(simplex);
    if (simplex.size == 4) {
      if (is_apart) break;
      return 0;
    }
    const double next_squared = dot(next, next);
    if (!(next_squared < squared)) break;  // rounding prevents further progress
    nearest = next;
    squared = next_squared;
  }
  return std::sqrt(squared);
}

double diagonal(const Bounds& bounds) {
  return length(bounds.high - bounds.low);
}

}  // namespace

double overlap_depth(const Convex& a, const Convex& b) {
  const double size = std::min(diagonal(bounds_of(a)), diagonal(bounds_of(b)));
  const double radii = a.radius + b.radius;
  const double distance = core_distance(a, b, size);
  if (distance > 0) return radii - distance;
  const auto difference = [&](Vector direction) {
    return support(a, direction) - support(b, -direction);
  };
  return radii + inner_distance(difference, size);
}

}  // namespace jostle::check
