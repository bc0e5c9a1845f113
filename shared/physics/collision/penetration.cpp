#include "shared/physics/collision/convex_distance.h"
#include "shared/physics/collision/unset_array.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

// Expanding polytope algorithm (EPA): a convex hull of points of the Minkowski difference contains
// the origin. The hull grows towards the nearest part of the difference's surface, until its face
// nearest to the origin cannot grow.

constexpr std::size_t max_points = 128, max_faces = 256, max_horizon = 256;

struct Face {
  std::array<std::uint8_t, 3> corners{};  // counter-clockwise from outside
  math::Vec3d normal;
  double distance = 0;  // distance of the face's plane from the origin
};

struct Polytope {
  UnsetArray<DifferencePoint, max_points> points;
  std::size_t point_count = 0;
  UnsetArray<Face, max_faces> faces;
  std::size_t face_count = 0;
};

/// Adds a face. Returns false if the three points lie on a line or the array is full.
bool add_face(Polytope& p, std::uint8_t i, std::uint8_t j, std::uint8_t k) {
  if (p.face_count == max_faces) return false;
  const math::Vec3d a = p.points[i].at, ab = p.points[j].at - a, ac = p.points[k].at - a;
  const math::Vec3d n = cross(ab, ac);
  const double squared = dot(n, n);
  // Maximum squared sine of the angle at which the points count as collinear.
  constexpr double thin = 1e-24;
  if (!(squared > thin * dot(ab, ab) * dot(ac, ac))) return false;
  Face& face = p.faces[p.face_count++];
  face.corners = {i, j, k};
  face.normal = n * (1 / std::sqrt(squared));
  face.distance = dot(face.normal, a);
  return true;
}

/// Adds the farthest point along or against `direction` if it lies more than `tolerance` from the
/// first point, measured along that direction. Returns false if neither does.
bool extend(const ConvexPair& pair, Polytope& p, math::Vec3d direction, double tolerance) {
  const double scale = 1 / length(direction);
  for (const double sign : {1.0, -1.0}) {
    const math::Vec3d d = direction * (sign * scale);
    const DifferencePoint w = difference_support(pair, d);
    if (std::abs(dot(d, w.at - p.points[0].at)) > tolerance) {
      p.points[p.point_count++] = w;
      return true;
    }
  }
  return false;
}

constexpr std::array<math::Vec3d, 3> unit_axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Returns the unit axis that is most nearly perpendicular to v.
math::Vec3d across(math::Vec3d v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return unit_axes[x <= y && x <= z ? 0 : y <= z ? 1 : 2];
}

/// Builds a tetrahedron from the points of the simplex. If they are too few or degenerate, adds or
/// substitutes support points of the Minkowski difference. Returns false if the difference is flat.
bool start(const ConvexPair& pair, const Simplex& simplex, double tolerance, Polytope& p) {
  p.point_count = simplex.count;
  for (std::size_t i = 0; i < simplex.count; ++i)
    p.points[i] = simplex.points[i];
  if (p.point_count == 4) {
    const math::Vec3d a = p.points[0].at;
    const math::Vec3d n = cross(p.points[1].at - a, p.points[2].at - a);
    const double height = length(n);
    if (height > 0 && std::abs(dot(n, p.points[3].at - a)) > tolerance * height) return true;
    p.point_count = 3;
  }
  if (p.point_count == 3) {
    const math::Vec3d a = p.points[0].at;
    const math::Vec3d n = cross(p.points[1].at - a, p.points[2].at - a);
    if (length(n) > tolerance * tolerance && extend(pair, p, n, tolerance)) return true;
    p.point_count = 1;
  }
  p.point_count = 1;
  for (const math::Vec3d axis : unit_axes) {
    if (extend(pair, p, axis, tolerance)) break;
  }
  if (p.point_count < 2) return false;
  const math::Vec3d line = p.points[1].at - p.points[0].at;
  const math::Vec3d side = cross(line, across(line));
  if (!extend(pair, p, side, tolerance) && !extend(pair, p, cross(line, side), tolerance)) {
    return false;
  }
  const math::Vec3d a = p.points[0].at;
  const math::Vec3d n = cross(p.points[1].at - a, p.points[2].at - a);
  return dot(n, n) > 0 && extend(pair, p, n, tolerance);
}

void build_tetrahedron(Polytope& p) {
  const math::Vec3d a = p.points[0].at;
  const math::Vec3d n = cross(p.points[1].at - a, p.points[2].at - a);
  if (dot(n, p.points[3].at - a) > 0) std::swap(p.points[1], p.points[2]);
  add_face(p, 0, 1, 2);
  add_face(p, 0, 3, 1);
  add_face(p, 1, 3, 2);
  add_face(p, 2, 3, 0);
}

std::size_t nearest_face(const Polytope& p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < p.face_count; ++i) {
    if (p.faces[i].distance < p.faces[best].distance) best = i;
  }
  return best;
}

struct Edge {
  std::uint8_t tail = 0, head = 0;
};

/// The border of the visible faces. Each edge runs in the direction that it has in its visible
/// face.
struct Horizon {
  UnsetArray<Edge, max_horizon> edges;
  std::size_t count = 0;
};

/// Collects the border edges of the visible faces. Returns false if the array is full or there is
/// no edge.
bool find_horizon(const Polytope& p, const std::array<bool, max_faces>& is_visible,
                  Horizon& horizon) {
  horizon.count = 0;
  for (std::size_t i = 0; i < p.face_count; ++i) {
    if (!is_visible[i]) continue;
    const auto& corners = p.faces[i].corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge edge{corners[k], corners[(k + 1) % 3]};
      std::size_t twin = 0;
      while (twin < horizon.count &&
             (horizon.edges[twin].tail != edge.head || horizon.edges[twin].head != edge.tail)) {
        ++twin;
      }
      if (twin < horizon.count) {
        horizon.edges[twin] = horizon.edges[--horizon.count];
      } else if (horizon.count < max_horizon) {
        horizon.edges[horizon.count++] = edge;
      } else {
        return false;
      }
    }
  }
  return horizon.count > 0;
}

/// Marks as visible each hidden face whose horizon edge would form a face without area with the new
/// point `at`. If the point lies on the line of a horizon edge, it also lies in the plane of the
/// hidden face behind that edge. Returns true if it has marked a face.
bool widen_horizon(const Polytope& p, const Horizon& horizon, math::Vec3d at, double tolerance,
                   std::array<bool, max_faces>& is_visible) {
  bool is_wider = false;
  for (std::size_t e = 0; e < horizon.count; ++e) {
    const Edge edge = horizon.edges[e];
    const math::Vec3d tail = p.points[edge.tail].at, along = p.points[edge.head].at - tail;
    const math::Vec3d area = cross(along, at - tail);
    if (dot(area, area) > tolerance * tolerance * dot(along, along)) continue;
    for (std::size_t i = 0; i < p.face_count; ++i) {
      const auto& corners = p.faces[i].corners;
      for (std::size_t k = 0; k < 3; ++k) {
        const bool is_twin = corners[k] == edge.head && corners[(k + 1) % 3] == edge.tail;
        if (!is_twin || is_visible[i]) continue;
        is_visible[i] = true;
        is_wider = true;
      }
    }
  }
  return is_wider;
}

/// Replaces the faces that see the newest point by a cone to it. Returns false if rounding or a
/// full array would leave a hole; the polytope is then invalid.
bool grow(Polytope& p, double tolerance) {
  const auto newest = static_cast<std::uint8_t>(p.point_count - 1);
  const math::Vec3d at = p.points[newest].at;
  std::array<bool, max_faces> is_visible{};
  for (std::size_t i = 0; i < p.face_count; ++i)
    is_visible[i] = dot(p.faces[i].normal, at) - p.faces[i].distance > tolerance;
  Horizon horizon;
  do {
    if (!find_horizon(p, is_visible, horizon)) return false;
  } while (widen_horizon(p, horizon, at, tolerance, is_visible));

  std::size_t kept = 0;
  for (std::size_t i = 0; i < p.face_count; ++i) {
    if (!is_visible[i]) p.faces[kept++] = p.faces[i];
  }
  p.face_count = kept;
  for (std::size_t i = 0; i < horizon.count; ++i) {
    if (!add_face(p, horizon.edges[i].tail, horizon.edges[i].head, newest)) return false;
  }
  return true;
}

ConvexDistance result_of(const Polytope& p, const Face& face) {
  const DifferencePoint &a = p.points[face.corners[0]], &b = p.points[face.corners[1]],
                        &c = p.points[face.corners[2]];
  ConvexDistance result;
  result.normal = face.normal;
  result.distance = -face.distance;
  // Barycentric coordinates of the origin's projection onto the face.
  const math::Vec3d foot = face.normal * face.distance;
  const math::Vec3d n = cross(b.at - a.at, c.at - a.at);
  const double scale = 1 / dot(n, n);
  const double u = dot(cross(c.at - b.at, foot - b.at), n) * scale;
  const double v = dot(cross(a.at - c.at, foot - c.at), n) * scale;
  const double w = 1 - u - v;
  result.on_a = a.on_a * u + b.on_a * v + c.on_a * w;
  result.on_b = a.on_b() * u + b.on_b() * v + c.on_b() * w;
  return result;
}

/// Returns the result for cores whose Minkowski difference has no volume, such as two crossing
/// segments. The normal is perpendicular to the difference, and the distance is 0.
ConvexDistance flat_penetration(const Simplex& simplex, const Polytope& p) {
  ConvexDistance result;
  if (p.point_count >= 3) {
    const math::Vec3d a = p.points[0].at;
    const math::Vec3d n = cross(p.points[1].at - a, p.points[2].at - a);
    if (dot(n, n) > 0) result.normal = n * (1 / length(n));
  } else if (p.point_count == 2) {
    const math::Vec3d line = p.points[1].at - p.points[0].at;
    const math::Vec3d side = cross(line, across(line));
    result.normal = side * (1 / length(side));
  }
  for (std::uint32_t i = 0; i < simplex.count; ++i) {
    result.on_a = result.on_a + simplex.points[i].on_a * simplex.weights[i];
    result.on_b = result.on_b + simplex.points[i].on_b() * simplex.weights[i];
  }
  return result;
}

/// Returns the smallest penetration along `best.normal` or one of the bodies' axes, for a polytope
/// that did not converge. Round bodies with a common centre need this, because they separate
/// equally well in more directions than the polytope can have corners.
ConvexDistance along_own_axes(const ConvexPair& pair, ConvexDistance best) {
  const std::array<math::Vec3d, 6> axes{math::Vec3d{1, 0, 0}, {0, 1, 0},    {0, 0, 1},
                                        pair.axes.cx,         pair.axes.cy, pair.axes.cz};
  best.distance = -dot(best.normal, difference_support(pair, best.normal).at);
  for (const math::Vec3d axis : axes) {
    for (const math::Vec3d normal : {axis, -axis}) {
      const DifferencePoint w = difference_support(pair, normal);
      const double distance = -dot(normal, w.at);
      if (distance > best.distance) best = {distance, normal, w.on_a, w.on_b(), false};
    }
  }
  return best;
}

}  // namespace

ConvexDistance penetration(const ConvexPair& pair, const Simplex& simplex, double size) {
  Polytope p;
  const double tolerance = 1e-10 * size;
  if (!start(pair, simplex, 1e-8 * size, p)) return flat_penetration(simplex, p);
  build_tetrahedron(p);
  if (p.face_count < 4) return flat_penetration(simplex, p);

  // The search ends when the next point would increase the depth by less than a share of the size
  // plus a share of the depth. For round shapes, a smaller limit would take many more points.
  constexpr double share_of_size = 1e-7, share_of_depth = 1e-3;
  Face nearest;
  while (p.point_count < max_points) {
    nearest = p.faces[nearest_face(p)];
    const DifferencePoint w = difference_support(pair, nearest.normal);
    if (dot(nearest.normal, w.at) - nearest.distance <=
        share_of_size * size + share_of_depth * nearest.distance)
      return result_of(p, nearest);
    p.points[p.point_count++] = w;
    if (!grow(p, tolerance)) break;
  }
  return along_own_axes(pair, result_of(p, nearest));
}

}  // namespace jostle::physics
