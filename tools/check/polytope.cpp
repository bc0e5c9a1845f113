#include "tools/check/polytope.h"

#include <algorithm>
#include <cstddef>

namespace jostle::check {
namespace {

constexpr int max_pushes = 500;
constexpr double flat_tolerance = 1e-11;  // relative to the size: a smaller tetrahedron is flat
// Relative to the size: a point this near to the plane of a face counts as visible from outside.
constexpr double visible_tolerance = 1e-13;
// Relative to the size: a face that moves less is final.
constexpr double polytope_tolerance = 1e-10;

using Support = std::function<Vector(Vector)>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

struct Face {
  std::array<std::uint32_t, 3> corners{};
  Vector normal;        // unit, outward
  double distance = 0;  // distance from the origin to the plane, along the normal
};

struct Polytope {
  std::vector<Vector> points;
  std::vector<Face> faces;

  void add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Face face;
    face.corners = {a, b, c};
    const Vector normal = cross(points[b] - points[a], points[c] - points[a]);
    const double size = length(normal);
    // A degenerate triangle has no plane, so it is left out: it is never nearest to the origin and
    // never visible. It has no area, so the other faces still close the polytope.
    if (!(size > 0)) return;
    face.normal = (1 / size) * normal;
    face.distance = dot(face.normal, points[a]);
    faces.push_back(face);
  }
};

/// Returns the support point along `direction` or −`direction` that is farther from `origin` along
/// that line.
Vector farther(const Support& support, Vector origin, Vector direction) {
  const Vector ahead = support(direction), behind = support(-direction);
  const double reach_ahead = std::abs(dot(direction, ahead - origin));
  const double reach_behind = std::abs(dot(direction, behind - origin));
  return reach_ahead >= reach_behind ? ahead : behind;
}

/// Finds four points of the set that span a volume. Returns false if the set is flat, relative to
/// `size`.
bool make_tetrahedron(const Support& support, double size, Polytope& polytope) {
  const double tolerance = flat_tolerance * size;
  constexpr std::array axes{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
  Vector a, b;
  double longest = 0;
  for (const Vector& axis : axes) {
    const Vector ahead = support(axis), behind = support(-axis);
    if (length(ahead - behind) > longest) {
      longest = length(ahead - behind);
      a = ahead;
      b = behind;
    }
  }
  if (longest <= tolerance) return false;

  const Vector along = (1 / longest) * (b - a);
  Vector c;
  double widest = 0;
  for (const Vector& axis : axes) {
    const Vector across = axis - dot(axis, along) * along;
    if (length(across) < 1e-3) continue;
    const Vector candidate = farther(support, a, across);
    const double distance = length(cross(candidate - a, along));
    if (distance > widest) {
      widest = distance;
      c = candidate;
    }
  }
  if (widest <= tolerance) return false;

  Vector normal = cross(b - a, c - a);
  normal = (1 / length(normal)) * normal;
  const Vector d = farther(support, a, normal);
  const double height = dot(normal, d - a);
  if (std::abs(height) <= tolerance) return false;
  polytope.points = {a, b, c, d};
  // Swap two corners, so that d lies behind face 0 1 2.
  if (height > 0) std::swap(polytope.points[1], polytope.points[2]);
  polytope.add_face(0, 1, 2);
  polytope.add_face(0, 3, 1);
  polytope.add_face(1, 3, 2);
  polytope.add_face(2, 3, 0);
  return true;
}

/// Replaces the faces that are visible from `point` by a cone from their silhouette to `point`.
void extend(Polytope& polytope, Vector point, double size) {
  std::vector<Edge> edges;
  const auto sees = [&](const Face& face) {
    return dot(face.normal, point) - face.distance > -visible_tolerance * size;
  };
  for (const Face& face : polytope.faces) {
    if (!sees(face)) continue;
    for (std::size_t i = 0; i < 3; ++i)
      edges.emplace_back(face.corners[i], face.corners[(i + 1) % 3]);
  }
  std::erase_if(polytope.faces, sees);
  const auto tip = static_cast<std::uint32_t>(polytope.points.size());
  polytope.points.push_back(point);
  for (const auto& [from, to] : edges) {
    if (std::find(edges.begin(), edges.end(), Edge{to, from}) == edges.end())
      polytope.add_face(from, to, tip);
  }
}

}  // namespace

double inner_distance(const Support& support, double size) {
  Polytope polytope;
  if (!make_tetrahedron(support, size, polytope)) return 0;
  double distance = 0;
  for (int i = 0; i < max_pushes && !polytope.faces.empty(); ++i) {
    const auto nearest =
        std::min_element(polytope.faces.begin(), polytope.faces.end(),
                         [](const Face& a, const Face& b) { return a.distance < b.distance; });
    const Vector normal = nearest->normal;
    const double lower = nearest->distance;
    const Vector point = support(normal);
    distance = dot(normal, point);
    if (distance - lower <= polytope_tolerance * size) break;
    extend(polytope, point, size);
    // A closed polytope has 2·points − 4 faces. More of them are the result of rounding errors, and
    // would soon be too many.
    if (polytope.faces.size() > 2 * polytope.points.size()) break;
  }
  return std::max(distance, 0.0);
}

}  // namespace jostle::check
