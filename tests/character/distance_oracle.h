#pragma once

#include "shared/math/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

// This file computes the distance of a capsule from boxes and triangles without any collision code
// of the engine. Along a segment, the distance to a convex body is a convex function, so ternary
// search finds its minimum.

namespace jostle::character::testing {

using Point = std::array<double, 3>;

inline Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline double inner(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point between(const Point& a, const Point& b, double t) {
  return {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t};
}

inline double to_segment(const Point& p, const Point& a, const Point& b) {
  const Point ab = minus(b, a);
  const double size = inner(ab, ab);
  const double t = size > 0 ? std::clamp(inner(minus(p, a), ab) / size, 0.0, 1.0) : 0.0;
  const Point off = minus(p, between(a, b, t));
  return std::sqrt(inner(off, off));
}

inline double to_triangle(const Point& p, const std::array<Point, 3>& c) {
  double best =
      std::min({to_segment(p, c[0], c[1]), to_segment(p, c[1], c[2]), to_segment(p, c[2], c[0])});
  const Point u = minus(c[1], c[0]), v = minus(c[2], c[0]), w = minus(p, c[0]);
  const double uu = inner(u, u), uv = inner(u, v), vv = inner(v, v);
  const double wu = inner(w, u), wv = inner(w, v), d = uu * vv - uv * uv;
  if (!(d > 0)) return best;
  const double s = (vv * wu - uv * wv) / d, t = (uu * wv - uv * wu) / d;
  if (s < 0 || t < 0 || s + t > 1) return best;
  const Point off = minus(minus(w, between({0, 0, 0}, u, s)), between({0, 0, 0}, v, t));
  return std::min(best, std::sqrt(inner(off, off)));
}

/// A box, given by its centre, its axes and its half extents.
struct OracleBox {
  Point middle;
  std::array<Point, 3> axes;
  Point half;
};

inline OracleBox oracle_box(const math::Pose& pose, math::Vec3 half) {
  OracleBox box;
  box.middle = {pose.position.x, pose.position.y, pose.position.z};
  const std::array<math::Vec3, 3> units{math::Vec3{1, 0, 0}, math::Vec3{0, 1, 0},
                                        math::Vec3{0, 0, 1}};
  for (std::size_t i = 0; i < 3; ++i) {
    const math::Vec3 axis = rotate(pose.rotation, units[i]);
    box.axes[i] = {double(axis.x), double(axis.y), double(axis.z)};
  }
  box.half = {double(half.x), double(half.y), double(half.z)};
  return box;
}

inline double to_box(const Point& p, const OracleBox& box) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double along = std::abs(inner(minus(p, box.middle), box.axes[i]));
    const double beyond = std::max(along - box.half[i], 0.0);
    sum += beyond * beyond;
  }
  return std::sqrt(sum);
}

/// Returns the minimum of `distance` over the segment from `a` to `b`. `distance` must be convex
/// along the segment: it is the distance of a point from a convex body, and 0 inside it. The result
/// is about 0 if the segment intersects the body.
template <typename Distance>
double least_along(const Point& a, const Point& b, const Distance& distance) {
  double low = 0, high = 1;
  for (int i = 0; i < 30; ++i) {
    const double s = low + (high - low) / 3, t = high - (high - low) / 3;
    if (distance(between(a, b, s)) <= distance(between(a, b, t))) {
      high = t;
    } else {
      low = s;
    }
  }
  return distance(between(a, b, 0.5 * (low + high)));
}

}  // namespace jostle::character::testing
