#include "shared/geometry/detail/polyhedron.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/shape_check.h"

#include <algorithm>
#include <tuple>

namespace jostle::geometry {

using math::Vec3;
using math::Vec3d;
using state::ConvexHull;

namespace {

using Faces = std::vector<std::vector<std::uint16_t>>;

/// A half-edge: an edge of a face, with the direction in which the face's loop runs along it.
struct FaceEdge {
  std::uint16_t low = 0, high = 0;  // vertices of the edge
  bool is_rising = false;           // the face runs from low to high
  std::uint16_t face = 0;
};

bool are_in_range(const std::vector<Vec3>& vertices, const Faces& faces) {
  if (vertices.size() < 4 || vertices.size() > max_hull_vertices) return false;
  if (faces.size() < 4 || faces.size() > max_hull_faces) return false;
  for (const Vec3 v : vertices) {
    const Vec3 size = abs_of(v);
    if (!is_finite(v) || std::max({size.x, size.y, size.z}) > max_shape_size) return false;
  }
  std::vector<std::size_t> faces_at(vertices.size(), 0);
  for (const auto& face : faces) {
    if (face.size() < 3 || face.size() > vertices.size()) return false;
    for (const std::uint16_t corner : face) {
      if (corner >= vertices.size()) return false;
      ++faces_at[corner];
    }
  }
  return std::all_of(faces_at.begin(), faces_at.end(),
                     [](std::size_t count) { return count >= 3; });
}

/// Fills `hull.edges`. Returns false if an edge does not belong to exactly two faces that run along
/// it in opposite directions, or if two faces share more than one edge. Also returns false if
/// Euler's formula V + F = E + 2 for the numbers of vertices, faces and edges does not hold.
bool link_edges(ConvexHull& hull) {
  std::vector<FaceEdge> halves;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const state::HullFace& face = hull.faces[f];
    for (std::size_t i = 0; i < face.corner_count; ++i) {
      const std::uint16_t tail = hull.corners[face.first_corner + i];
      const std::uint16_t head = hull.corners[face.first_corner + (i + 1) % face.corner_count];
      if (tail == head) return false;
      halves.push_back(
          {std::min(tail, head), std::max(tail, head), tail < head, static_cast<std::uint16_t>(f)});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const FaceEdge& x, const FaceEdge& y) {
    return std::tie(x.low, x.high, y.is_rising) < std::tie(y.low, y.high, x.is_rising);
  });
  if (halves.size() % 2 != 0) return false;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> neighbours;
  for (std::size_t i = 0; i < halves.size(); i += 2) {
    const FaceEdge &rising = halves[i], &falling = halves[i + 1];
    if (rising.low != falling.low || rising.high != falling.high || !rising.is_rising ||
        falling.is_rising || rising.face == falling.face)
      return false;
    hull.edges.push_back({rising.low, rising.high, rising.face, falling.face});
    neighbours.emplace_back(std::min(rising.face, falling.face),
                            std::max(rising.face, falling.face));
  }
  // Two planes intersect in one line, so two faces of a convex polyhedron share at most one edge.
  std::sort(neighbours.begin(), neighbours.end());
  if (std::adjacent_find(neighbours.begin(), neighbours.end()) != neighbours.end()) return false;
  return hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2;
}

bool is_connected(const ConvexHull& hull) {
  std::vector<std::uint16_t> group(hull.faces.size());
  for (std::size_t i = 0; i < group.size(); ++i)
    group[i] = static_cast<std::uint16_t>(i);
  const auto root = [&](std::uint16_t face) {
    while (group[face] != face)
      face = group[face];
    return face;
  };
  std::size_t count = group.size();
  for (const state::HullEdge& edge : hull.edges) {
    const std::uint16_t left = root(edge.left), right = root(edge.right);
    if (left == right) continue;
    group[std::max(left, right)] = std::min(left, right);
    --count;
  }
  return count == 1;
}

/// Computes the planes with Newell's normal: the sum of the triangle normals of a fan, weighted by
/// area. Returns false if a face has no area.
bool set_planes(ConvexHull& hull) {
  for (state::HullFace& face : hull.faces) {
    const auto corner = [&](std::size_t i) {
      return widened(hull.vertices[hull.corners[face.first_corner + i]]);
    };
    Vec3d sum;
    for (std::size_t i = 1; i + 1 < face.corner_count; ++i)
      sum = sum + cross(corner(i) - corner(0), corner(i + 1) - corner(0));
    const double size = length(sum);
    if (!(size > 0.0)) return false;
    face.normal = narrowed(sum * (1.0 / size));
    double offset = dot(widened(face.normal), corner(0));
    for (std::size_t i = 1; i < face.corner_count; ++i)
      offset = std::max(offset, dot(widened(face.normal), corner(i)));
    face.offset = static_cast<float>(offset);
  }
  return true;
}

/// Returns true if the hull has the minimum size, all faces are flat and convex, and no vertex lies
/// above a face, all within a few times `hull_tolerance`.
bool is_convex(const ConvexHull& hull) {
  Vec3 lower = hull.vertices[0], upper = hull.vertices[0];
  for (const Vec3 v : hull.vertices) {
    lower = min_of(lower, v);
    upper = max_of(upper, v);
  }
  const Vec3d size = widened(upper) - widened(lower);
  const double extent = std::max({size.x, size.y, size.z});
  if (extent < static_cast<double>(min_shape_size)) return false;
  // A merged face deviates from the plane of its seed by up to one tolerance, and that plane from
  // the mean plane by as much again. In addition, coordinates far from the origin have a float
  // rounding error.
  const Vec3 far = max_of(abs_of(lower), abs_of(upper));
  const double slack =
      4.0 * hull_tolerance * extent + 4e-7 * static_cast<double>(far.x + far.y + far.z);
  for (const state::HullFace& face : hull.faces) {
    const Vec3d normal = widened(face.normal);
    for (const Vec3 v : hull.vertices) {
      if (dot(normal, widened(v)) > static_cast<double>(face.offset) + slack) return false;
    }
    for (std::size_t i = 0; i < face.corner_count; ++i) {
      const std::size_t next = (i + 1) % face.corner_count;
      const Vec3d tail = widened(hull.vertices[hull.corners[face.first_corner + i]]);
      const Vec3d along = widened(hull.vertices[hull.corners[face.first_corner + next]]) - tail;
      if (dot(normal, tail) < static_cast<double>(face.offset) - slack) return false;
      const Vec3d outward = cross(along, normal);
      for (std::size_t k = 0; k < face.corner_count; ++k) {
        const Vec3d v = widened(hull.vertices[hull.corners[face.first_corner + k]]) - tail;
        // An error of `slack` in the corners changes the product by up to this amount.
        const double uncertain = slack * (length(along) + length(v));
        if (dot(outward, v) > 2.0 * uncertain) return false;
      }
    }
  }
  return true;
}

bool set_inner_radius(ConvexHull& hull) {
  const detail::PolyhedronIntegrals integrals = detail::integrate(hull);
  if (!(integrals.volume > 0.0)) return false;
  double radius = -1.0;
  for (const state::HullFace& face : hull.faces) {
    const double depth =
        static_cast<double>(face.offset) - dot(widened(face.normal), integrals.centre);
    if (radius < 0.0 || depth < radius) radius = depth;
  }
  hull.inner_radius = static_cast<float>(radius);
  return hull.inner_radius > 0.0f;
}

template <typename Get>
std::vector<state::EightVectors> in_lanes(std::size_t count, Get&& get) {
  std::vector<state::EightVectors> lanes((count + 7) / 8);
  for (std::size_t i = 0; i < 8 * lanes.size(); ++i) {
    const Vec3 v = get(std::min(i, count - 1));
    state::EightVectors& eight = lanes[i / 8];
    eight.x[i % 8] = v.x;
    eight.y[i % 8] = v.y;
    eight.z[i % 8] = v.z;
  }
  return lanes;
}

}  // namespace

std::optional<ConvexHull> assemble_hull(std::vector<Vec3> vertices, const Faces& faces) {
  if (!are_in_range(vertices, faces)) return std::nullopt;
  ConvexHull hull;
  hull.vertices = std::move(vertices);
  for (const auto& face : faces) {
    state::HullFace& built = hull.faces.emplace_back();
    built.first_corner = static_cast<std::uint16_t>(hull.corners.size());
    built.corner_count = static_cast<std::uint16_t>(face.size());
    hull.corners.insert(hull.corners.end(), face.begin(), face.end());
    // No polyhedron has more corners: E ≤ 3V − 6, and each edge belongs to two faces.
    if (hull.corners.size() > 6 * max_hull_vertices) return std::nullopt;
  }
  if (!link_edges(hull) || !is_connected(hull) || !set_planes(hull) || !is_convex(hull) ||
      !set_inner_radius(hull))
    return std::nullopt;
  hull.vertex_lanes =
      in_lanes(hull.vertices.size(), [&](std::size_t i) { return hull.vertices[i]; });
  hull.normal_lanes =
      in_lanes(hull.faces.size(), [&](std::size_t i) { return hull.faces[i].normal; });
  return hull;
}

}  // namespace jostle::geometry
