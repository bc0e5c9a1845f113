#include "shared/physics/narrow_phase/convex_distance.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

// The functions below find the point of a simplex nearest to the origin. They drop the corners that
// do not take part, and set the weights of the others (Ericson, "Real-Time Collision Detection",
// 5.1.2–5.1.6).

void keep_one(Simplex& s, std::size_t i) {
  s.points[0] = s.points[i];
  s.weights[0] = 1;
  s.count = 1;
}

void keep_two(Simplex& s, std::size_t i, std::size_t j, double weight_j) {
  const DifferencePoint p = s.points[i], q = s.points[j];
  s.points[0] = p;
  s.points[1] = q;
  s.weights[0] = 1 - weight_j;
  s.weights[1] = weight_j;
  s.count = 2;
}

void reduce_segment(Simplex& s) {
  const math::Vec3d a = s.points[0].at, ab = s.points[1].at - a;
  const double along = -dot(a, ab), squared = dot(ab, ab);
  if (along <= 0) return keep_one(s, 0);
  if (along >= squared) return keep_one(s, 1);
  keep_two(s, 0, 1, along / squared);
}

void reduce_triangle(Simplex& s) {
  const math::Vec3d a = s.points[0].at, b = s.points[1].at, c = s.points[2].at;
  const math::Vec3d ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return keep_one(s, 0);
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return keep_one(s, 1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return keep_two(s, 0, 1, d1 / (d1 - d3));
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return keep_one(s, 2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return keep_two(s, 0, 2, d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return keep_two(s, 1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  }
  const double scale = 1 / (va + vb + vc);
  s.weights = {va * scale, vb * scale, vc * scale, 0};
}

math::Vec3d nearest_point(const Simplex& s) {
  math::Vec3d sum;
  for (std::uint32_t i = 0; i < s.count; ++i)
    sum = sum + s.points[i].at * s.weights[i];
  return sum;
}

math::Vec3d nearest_on_a(const Simplex& s) {
  math::Vec3d sum;
  for (std::uint32_t i = 0; i < s.count; ++i)
    sum = sum + s.points[i].on_a * s.weights[i];
  return sum;
}

/// Reduces a tetrahedron to the nearest feature of those of its faces that have the origin on their
/// outer side. Returns false if there is no such face: the origin then lies inside.
bool reduce_tetrahedron(Simplex& s) {
  constexpr std::array<std::array<std::size_t, 4>, 4> faces{
      {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
  Simplex best;
  double least = 0;
  for (const auto& f : faces) {
    const math::Vec3d a = s.points[f[0]].at;
    const math::Vec3d n = cross(s.points[f[1]].at - a, s.points[f[2]].at - a);
    const double origin_side = -dot(a, n), inner_side = dot(s.points[f[3]].at - a, n);
    // A flat tetrahedron has no inner side, so all its faces count.
    if (inner_side != 0 && origin_side * inner_side > 0) continue;
    Simplex face;
    face.count = 3;
    for (std::size_t k = 0; k < 3; ++k)
      face.points[k] = s.points[f[k]];
    reduce_triangle(face);
    const math::Vec3d p = nearest_point(face);
    const double squared = dot(p, p);
    if (best.count == 0 || squared < least) {
      best = face;
      least = squared;
    }
  }
  if (best.count == 0) return false;
  s = best;
  return true;
}

bool reduce(Simplex& s) {
  if (s.count == 2) reduce_segment(s);
  if (s.count == 3) reduce_triangle(s);
  if (s.count == 4) return reduce_tetrahedron(s);
  return true;
}

bool has_point(const Simplex& s, math::Vec3d at) {
  for (std::uint32_t i = 0; i < s.count; ++i) {
    if (s.points[i].at == at) return true;
  }
  return false;
}

double size_of(const Simplex& s) {
  double squared = 0;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    squared = std::max(squared, dot(s.points[i].on_a, s.points[i].on_a));
    squared = std::max(squared, dot(s.points[i].at, s.points[i].at));
  }
  return std::sqrt(squared);
}

}  // namespace

DifferencePoint difference_support(const ConvexPair& pair, math::Vec3d direction) {
  const math::Vec3d on_a = support(pair.a, direction);
  const math::Vec3d on_b =
      pair.centre + pair.axes * support(pair.b, transpose_multiply(pair.axes, -direction));
  return {on_a, on_a - on_b};
}

std::optional<math::Vec3d> separating_axis(const Difference& difference, math::Vec3d axis,
                                           double distance) {
  constexpr int max_rounds = 32;
  constexpr double relative_gap = 1e-4;
  Simplex s;
  s.points[0] = difference.support(axis);
  s.count = 1;
  const double along = -dot(axis, s.points[0].at), axis_squared = dot(axis, axis);
  if (along > 0 && along * along > distance * distance * axis_squared)
    return axis * (1 / std::sqrt(axis_squared));
  math::Vec3d v = s.points[0].at;
  double squared = dot(v, v);
  for (int round = 0; round < max_rounds && squared > distance * distance; ++round) {
    const DifferencePoint w = difference.support(-v);
    const double bound = dot(v, w.at);
    if (bound > 0 && bound * bound > distance * distance * squared)
      return v * (-1 / std::sqrt(squared));
    if (squared - bound <= relative_gap * squared || has_point(s, w.at)) return std::nullopt;
    s.points[s.count++] = w;
    if (!reduce(s)) return std::nullopt;
    const math::Vec3d nearer = nearest_point(s);
    const double nearer_squared = dot(nearer, nearer);
    if (nearer_squared >= squared) return std::nullopt;
    v = nearer;
    squared = nearer_squared;
  }
  return std::nullopt;
}

ConvexDistance convex_distance(const ConvexPair& pair, math::Vec3d axis, double max_distance,
                               const DistancePrecision& precision) {
  constexpr int max_rounds = 64;
  // Maximum gap between the distance found and its lower bound: as a share of the distance
  // (`relative_gap`), which bounds the error of the normal, plus a share of the cores' size
  // (`absolute_gap`). Below `overlap`, a share of the size, the cores count as overlapping.
  constexpr double absolute_gap = 1e-13, overlap = 1e-9;
  const double relative_gap = precision.relative_gap;

  ConvexDistance result;
  const auto overlapping = [&](const Simplex& simplex, double length_scale) {
    return precision.measures_overlap ? penetration(pair, simplex, length_scale) : ConvexDistance{};
  };
  Simplex s;
  s.points[0] = difference_support(pair, axis);
  s.count = 1;
  const double along = -dot(axis, s.points[0].at), axis_squared = dot(axis, axis);
  if (along > 0 && along * along > max_distance * max_distance * axis_squared) {
    result.normal = axis * (1 / std::sqrt(axis_squared));
    result.is_beyond = true;
    return result;
  }
  math::Vec3d v = s.points[0].at;
  result.on_a = s.points[0].on_a;
  double squared = dot(v, v);
  double size = size_of(s);
  for (int round = 0; round < max_rounds; ++round) {
    if (squared <= overlap * overlap * size * size) return overlapping(s, size);
    const DifferencePoint w = difference_support(pair, -v);
    size = std::max(size, length(w.at));
    const double bound = dot(v, w.at);
    if (bound > 0 && bound * bound > max_distance * max_distance * squared) {
      result.normal = v * (-1 / std::sqrt(squared));
      result.is_beyond = true;
      return result;
    }
    if (squared - bound <= relative_gap * squared + absolute_gap * size * std::sqrt(squared)) break;
    if (has_point(s, w.at)) break;
    s.points[s.count++] = w;
    if (!reduce(s)) return overlapping(s, size);
    const math::Vec3d nearer = nearest_point(s);
    const double nearer_squared = dot(nearer, nearer);
    if (nearer_squared >= squared) break;  // the remaining progress is below rounding
    v = nearer;
    squared = nearer_squared;
    result.on_a = nearest_on_a(s);
  }
  if (squared <= overlap * overlap * size * size) return overlapping(s, size);
  result.distance = std::sqrt(squared);
  result.normal = v * (-1 / result.distance);
  result.on_b = result.on_a - v;
  return result;
}

}  // namespace jostle::physics
