#include "shared/physics/narrow_phase/convex_distance.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

/// The part of a simplex that contains its point nearest to the origin: the corners that take part,
/// and their weights.
struct Feature {
  std::array<std::uint32_t, 3> corners{};
  std::array<double, 3> weights{1, 0, 0};
  std::uint32_t count = 1;
};

// The functions below find the feature of a simplex that is nearest to the origin (Ericson,
// "Real-Time Collision Detection", 5.1.2–5.1.6).

Feature corner(std::uint32_t i) {
  return {{i}, {1}, 1};
}

Feature edge(std::uint32_t i, std::uint32_t j, double weight_j) {
  return {{i, j}, {1 - weight_j, weight_j}, 2};
}

Feature nearest_on_segment(const Simplex& s) {
  const math::Vec3d a = s.points[0].at, ab = s.points[1].at - a;
  const double along = -dot(a, ab), squared = dot(ab, ab);
  if (along <= 0) return corner(0);
  if (along >= squared) return corner(1);
  return edge(0, 1, along / squared);
}

Feature nearest_on_triangle(const Simplex& s, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  const math::Vec3d a = s.points[i].at, b = s.points[j].at, c = s.points[k].at;
  const math::Vec3d ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return corner(i);
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return corner(j);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return edge(i, j, d1 / (d1 - d3));
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return corner(k);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return edge(i, k, d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return edge(j, k, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  }
  const double scale = 1 / (va + vb + vc);
  return {{i, j, k}, {va * scale, vb * scale, vc * scale}, 3};
}

math::Vec3d point_of(const Simplex& s, const Feature& feature) {
  math::Vec3d sum;
  for (std::uint32_t i = 0; i < feature.count; ++i)
    sum = sum + s.points[feature.corners[i]].at * feature.weights[i];
  return sum;
}

/// Finds the nearest part of a tetrahedron among the faces that have the origin on their outer
/// side. Returns false if there is no such face: the origin then lies inside.
bool nearest_on_tetrahedron(const Simplex& s, Feature& nearest) {
  const math::Vec3d first = s.points[0].at, last = s.points[3].at;
  const math::Vec3d a = first - last, b = s.points[1].at - last, c = s.points[2].at - last;
  const math::Vec3d ab = cross(a, b), bc = cross(b, c), ca = cross(c, a), abc = ab + bc + ca;
  const double volume = dot(ab, c);
  // The height of the origin over each face. It has the sign of `volume` if the origin and the
  // fourth corner are on the same side of the face.
  const std::array<double, 4> heights{-dot(last, ab), -dot(last, bc), -dot(last, ca),
                                      dot(first, abc)};
  constexpr std::array<std::array<std::uint32_t, 3>, 4> faces{
      {{0, 1, 3}, {1, 2, 3}, {0, 2, 3}, {0, 1, 2}}};
  bool is_found = false;
  double least = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    // A flat tetrahedron has no inner side, so all its faces count.
    if (volume != 0 && heights[i] * volume > 0) continue;
    const Feature feature = nearest_on_triangle(s, faces[i][0], faces[i][1], faces[i][2]);
    const math::Vec3d point = point_of(s, feature);
    const double squared = dot(point, point);
    if (is_found && squared >= least) continue;
    nearest = feature;
    least = squared;
    is_found = true;
  }
  return is_found;
}

/// Keeps only the corners of the part that is nearest to the origin. Returns false if the simplex
/// contains the origin.
bool reduce(Simplex& s) {
  Feature nearest;
  if (s.count == 4) {
    if (!nearest_on_tetrahedron(s, nearest)) return false;
  } else {
    nearest = s.count == 3 ? nearest_on_triangle(s, 0, 1, 2) : nearest_on_segment(s);
  }
  // The corners are in ascending order, so that none is overwritten before it is moved.
  for (std::uint32_t i = 0; i < nearest.count; ++i) {
    if (nearest.corners[i] != i) s.points[i] = s.points[nearest.corners[i]];
    s.weights[i] = nearest.weights[i];
  }
  s.count = nearest.count;
  return true;
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
  // The search ends when the gap between the distance and its lower bound is small enough. The
  // limit is `relative_gap` times the distance, which bounds the error of the normal, plus
  // `absolute_gap` times the size of the cores. Cores at a distance below `overlap` times this size
  // count as overlapping.
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
  double squared = dot(v, v);
  double size = size_of(s);
  const double least = precision.least, least_squared = least * least;
  for (int round = 0; round < max_rounds; ++round) {
    if (squared <= overlap * overlap * size * size) return overlapping(s, size);
    if (squared <= least_squared) break;
    const DifferencePoint w = difference_support(pair, -v);
    size = std::max(size, length(w.at));
    const double bound = dot(v, w.at);
    if (bound > 0 && bound * bound > max_distance * max_distance * squared) {
      result.normal = v * (-1 / std::sqrt(squared));
      result.is_beyond = true;
      return result;
    }
    const double allowed = relative_gap * (squared - least * std::sqrt(squared));
    if (squared - bound <= allowed + absolute_gap * size * std::sqrt(squared)) break;
    if (has_point(s, w.at)) break;
    s.points[s.count++] = w;
    if (!reduce(s)) return overlapping(s, size);
    const math::Vec3d nearer = nearest_point(s);
    const double nearer_squared = dot(nearer, nearer);
    const bool is_done = nearer_squared >= squared;  // the remaining progress is below rounding
    v = nearer;
    squared = nearer_squared;
    if (is_done) break;
  }
  if (squared <= overlap * overlap * size * size) return overlapping(s, size);
  result.distance = std::sqrt(squared);
  result.normal = v * (-1 / result.distance);
  result.on_a = nearest_on_a(s);
  result.on_b = result.on_a - v;
  return result;
}

}  // namespace jostle::physics
