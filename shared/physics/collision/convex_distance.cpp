#include "shared/physics/collision/convex_distance.h"

#include "shared/physics/collision/closest_features.h"

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
  double squared = 0;  // squared distance of the nearest point from the origin
};

// The functions below find the feature of a simplex that is nearest to the origin. The simplex
// without its last corner was reduced before, and its last corner brings it nearer to the origin.
// This corner is therefore part of the feature.

/// An edge of a simplex, from its last corner to another one.
struct SimplexEdge {
  std::uint32_t corner = 0;
  math::Vec3d along;
  double squared_length = 0;
  double to_origin = 0;  // dot product with the offset from the last corner to the origin

  SimplexEdge(const Simplex& s, std::uint32_t other)
      : corner(other), along(s.points[other].at - s.points[s.count - 1].at) {
    squared_length = dot(along, along);
    to_origin = -dot(along, s.points[s.count - 1].at);
  }
};

Feature nearest_on_edge(const Simplex& s, const SimplexEdge& edge) {
  const std::uint32_t last = s.count - 1;
  const double squared = dot(s.points[last].at, s.points[last].at);
  if (!(edge.to_origin > 0)) return {{last}, {1}, 1, squared};
  const double share = std::min(edge.to_origin / edge.squared_length, 1.0);
  return {{edge.corner, last},
          {share, 1 - share},
          2,
          squared - share * (2 * edge.to_origin - share * edge.squared_length)};
}

/// Finds the nearest feature of the triangle between two edges.
Feature nearest_on_triangle(const Simplex& s, const SimplexEdge& p, const SimplexEdge& q) {
  // Below this squared sine of the angle between the edges, the triangle counts as flat.
  constexpr double thin = 1e-14;
  const double product = dot(p.along, q.along), lengths = p.squared_length * q.squared_length;
  const double whole = lengths - product * product;
  const double u = p.to_origin * q.squared_length - q.to_origin * product;
  const double v = q.to_origin * p.squared_length - p.to_origin * product;
  if (u > 0 && v > 0 && whole > u + v && whole > thin * lengths) {
    const std::uint32_t last = s.count - 1;
    const double scale = 1 / whole;
    return {
        {p.corner, q.corner, last},
        {u * scale, v * scale, (whole - u - v) * scale},
        3,
        dot(s.points[last].at, s.points[last].at) - (u * p.to_origin + v * q.to_origin) * scale};
  }
  const Feature on_p = nearest_on_edge(s, p), on_q = nearest_on_edge(s, q);
  return on_q.squared < on_p.squared ? on_q : on_p;
}

/// Finds the nearest feature of a tetrahedron, among the faces with the last corner that have the
/// origin on their outer side. Returns false if there is no such face: the origin then lies inside.
bool nearest_on_tetrahedron(const Simplex& s, Feature& nearest) {
  const std::array<SimplexEdge, 3> edges{SimplexEdge(s, 0), SimplexEdge(s, 1), SimplexEdge(s, 2)};
  const math::Vec3d last = s.points[3].at;
  bool is_found = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const SimplexEdge &p = edges[i == 2 ? 0 : i], &q = edges[i == 0 ? 1 : 2];
    const SimplexEdge& opposite = edges[i == 0 ? 2 : i == 1 ? 0 : 1];
    const math::Vec3d normal = cross(p.along, q.along);
    const double volume = dot(normal, opposite.along);
    // The origin and the opposite corner are on the same side of the face if these have one sign. A
    // flat tetrahedron has no inner side, so all its faces count.
    if (volume != 0 && -dot(last, normal) * volume > 0) continue;
    const Feature feature = nearest_on_triangle(s, p, q);
    if (is_found && feature.squared >= nearest.squared) continue;
    nearest = feature;
    is_found = true;
  }
  return is_found;
}

/// Finds the part of the simplex that is nearest to the origin. Returns false if the simplex
/// contains the origin.
bool find_nearest(const Simplex& s, Feature& nearest) {
  switch (s.count) {
    case 2:
      nearest = nearest_on_edge(s, SimplexEdge(s, 0));
      return true;
    case 3:
      nearest = nearest_on_triangle(s, SimplexEdge(s, 0), SimplexEdge(s, 1));
      return true;
    default:
      return nearest_on_tetrahedron(s, nearest);
  }
}

math::Vec3d point_of(const Simplex& s, const Feature& feature) {
  math::Vec3d sum;
  for (std::uint32_t i = 0; i < feature.count; ++i)
    sum = sum + s.points[feature.corners[i]].at * feature.weights[i];
  return sum;
}

/// Keeps only the corners of a feature.
void keep(const Feature& feature, Simplex& s) {
  // The corners are in ascending order, so that none is overwritten before it is moved.
  for (std::uint32_t i = 0; i < feature.count; ++i) {
    if (feature.corners[i] != i) s.points[i] = s.points[feature.corners[i]];
    s.weights[i] = feature.weights[i];
  }
  s.count = feature.count;
}

enum class Progress : std::uint8_t { Nearer, None, Inside };

/// Adds a point to the simplex, reduces it to the part that is nearest to the origin, and updates
/// the nearest point `v`. If the simplex contains the origin, does not reduce it. If the new point
/// leads no nearer, because the progress is below rounding, changes nothing.
Progress add(const DifferencePoint& point, Simplex& s, math::Vec3d& v) {
  s.points[s.count++] = point;
  Feature nearest;
  if (!find_nearest(s, nearest)) return Progress::Inside;
  const math::Vec3d nearer = point_of(s, nearest);
  if (dot(nearer, nearer) >= dot(v, v)) {
    --s.count;
    return Progress::None;
  }
  keep(nearest, s);
  v = nearer;
  return Progress::Nearer;
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
    if (add(w, s, v) != Progress::Nearer) return std::nullopt;
    squared = dot(v, v);
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
  constexpr double exact = 1e-4;  // relative gap below which the search by features saves time
  if (relative_gap < exact && has_rim(pair)) {
    if (const auto found = closest_features(pair, axis, max_distance)) return *found;
  }

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
    const Progress progress = add(w, s, v);
    if (progress == Progress::Inside) return overlapping(s, size);
    if (progress == Progress::None) break;
    squared = dot(v, v);
  }
  if (squared <= overlap * overlap * size * size) return overlapping(s, size);
  result.distance = std::sqrt(squared);
  result.normal = v * (-1 / result.distance);
  result.on_a = nearest_on_a(s);
  result.on_b = result.on_a - v;
  return result;
}

}  // namespace jostle::physics
