#include "shared/geometry/detail/hull_excess.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

// Branch and bound over cubes. Moving a point changes its distance from the solid by at most the
// length of the move. So a cube with half diagonal r is finished if its centre is within limit − r
// of the surface. The hull is rejected if one of its points is neither inside the solid nor within
// the limit of it.
//
// If faces of the hull coincide with faces of the solid, this criterion alone would cover these
// faces with cubes of the limit's size. Triangles that lie in the layer of thickness ε below a face
// of the hull cannot separate deeper points. So if a cube contains no other triangles, the part of
// the hull in the cube is entirely inside or entirely outside, and testing one point is enough.

namespace jostle::geometry::detail {

using math::Vec3d;

namespace {

struct FacePlane {
  Vec3d normal;
  double offset = 0;
  double reach = 0;  // half extent, along the normal, of a cube with half edge 1

  double height(Vec3d p) const { return dot(normal, p) - offset; }
};

struct Cube {
  Vec3d centre;
  double half = 0;
};

enum class Where : std::uint8_t { Unknown, Outside };

class Search {
 public:
  Search(const state::ConvexHull& hull, const SolidMesh& solid, double limit, Effort& effort);
  bool run();

 private:
  bool is_done(const Cube& cube, std::span<const FacePlane> faces,
               std::span<const std::uint32_t> triangles, Where where);
  bool is_in_layer(const SolidMesh::Triangle& triangle) const;
  bool overlaps(const Cube& cube, std::uint32_t triangle) const;
  std::optional<Vec3d> common_point(const Cube& cube, std::span<const FacePlane> faces) const;

  const SolidMesh& solid_;
  Effort& effort_;
  double layer_ = 0, limit_ = 0;
  std::vector<FacePlane> faces_;
  Vec3d lower_, upper_;
};

Search::Search(const state::ConvexHull& hull, const SolidMesh& solid, double limit, Effort& effort)
    : solid_(solid), effort_(effort), layer_(limit / 16.0), limit_(limit - limit / 16.0) {
  for (const state::HullFace& face : hull.faces) {
    const Vec3d n = widened(face.normal);
    faces_.push_back(
        {n, static_cast<double>(face.offset), std::abs(n.x) + std::abs(n.y) + std::abs(n.z)});
  }
  lower_ = upper_ = widened(hull.vertices[0]);
  for (const math::Vec3 v : hull.vertices) {
    lower_ = min_of(lower_, widened(v));
    upper_ = max_of(upper_, widened(v));
  }
}

bool Search::is_in_layer(const SolidMesh::Triangle& triangle) const {
  for (const FacePlane& face : faces_) {
    if (face.height(triangle[0]) >= -layer_ && face.height(triangle[1]) >= -layer_ &&
        face.height(triangle[2]) >= -layer_)
      return true;
  }
  return false;
}

/// Returns false if the cube does not reach the triangle's bounding box or plane, otherwise true.
bool Search::overlaps(const Cube& cube, std::uint32_t triangle) const {
  const SolidMesh::Triangle& t = solid_.triangles()[triangle];
  const Vec3d a = t[0] - cube.centre, b = t[1] - cube.centre, c = t[2] - cube.centre;
  const Vec3d low = min_of(min_of(a, b), c), high = max_of(max_of(a, b), c);
  const double h = cube.half;
  if (low.x > h || low.y > h || low.z > h || high.x < -h || high.y < -h || high.z < -h)
    return false;
  const Vec3d n = cross(b - a, c - a);
  return std::abs(dot(n, a)) <= h * (std::abs(n.x) + std::abs(n.y) + std::abs(n.z));
}

/// Searches for a point of the cube that lies at least a quarter of a layer below all faces. It
/// starts at the centre. In each attempt it moves the point to half a layer below the face that the
/// point is highest above, and clamps it to the cube. Returns nothing if 16 attempts fail, although
/// such a point may exist.
std::optional<Vec3d> Search::common_point(const Cube& cube,
                                          std::span<const FacePlane> faces) const {
  constexpr int attempts = 16;
  const Vec3d room{cube.half, cube.half, cube.half};
  Vec3d p = cube.centre;
  for (int i = 0; i < attempts; ++i) {
    const FacePlane* highest = nullptr;
    double height = -0.25 * layer_;
    for (const FacePlane& face : faces) {
      if (face.height(p) <= height) continue;
      height = face.height(p);
      highest = &face;
    }
    if (highest == nullptr) return p;
    p = p - highest->normal * (height + 0.5 * layer_);
    p = min_of(max_of(p, cube.centre - room), cube.centre + room);
  }
  return std::nullopt;
}

bool Search::is_done(const Cube& cube, std::span<const FacePlane> faces,
                     std::span<const std::uint32_t> triangles, Where where) {
  constexpr std::uint64_t tests_a_cube = 64;  // cost of locating its centre
  effort_.spend(tests_a_cube + faces.size() + triangles.size());
  if (effort_.is_spent()) return false;
  std::vector<FacePlane> near_faces;
  bool holds_centre = true;
  for (const FacePlane& face : faces) {
    const double height = face.height(cube.centre), reach = face.reach * cube.half;
    // each point of the cube is outside the hull or less than half a layer below this face
    if (height > reach - 0.5 * layer_) return true;
    if (height > 0.0) holds_centre = false;
    if (height > -reach - layer_) near_faces.push_back(face);
  }
  std::vector<std::uint32_t> near_triangles;
  for (const std::uint32_t triangle : triangles) {
    if (overlaps(cube, triangle)) near_triangles.push_back(triangle);
  }
  if (near_triangles.empty() && where == Where::Unknown) {
    if (const auto point = common_point(cube, near_faces)) {
      if (solid_.is_inside(*point)) return true;
      where = Where::Outside;
    }
  }
  const double radius = cube.half * std::sqrt(3.0);
  if (radius < limit_ && solid_.is_near(cube.centre, limit_ - radius)) return true;
  const bool is_outside = where == Where::Outside || !solid_.is_inside(cube.centre);
  // The centre lies deeper than limit − r inside, so no point of the cube is farther out than r −
  // (limit − r), which is at most the limit.
  if (radius <= limit_ && !is_outside) return true;
  if (holds_centre && is_outside && !solid_.is_near(cube.centre, limit_)) return false;
  if (radius <= layer_) return false;

  const double half = 0.5 * cube.half;
  for (int i = 0; i < 8; ++i) {
    const Vec3d offset{(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half,
                       (i & 4) != 0 ? half : -half};
    if (!is_done({cube.centre + offset, half}, near_faces, near_triangles, where)) return false;
  }
  return true;
}

bool Search::run() {
  std::vector<std::uint32_t> triangles;
  for (const std::uint32_t triangle : solid_.overlapping(lower_, upper_)) {
    if (!is_in_layer(solid_.triangles()[triangle])) triangles.push_back(triangle);
  }
  const Vec3d size = upper_ - lower_;
  const Cube all{(lower_ + upper_) * 0.5, 0.5 * std::max({size.x, size.y, size.z})};
  return is_done(all, faces_, triangles, Where::Unknown);
}

}  // namespace

bool is_within(const state::ConvexHull& hull, const SolidMesh& solid, double limit,
               Effort& effort) {
  return Search(hull, solid, limit, effort).run();
}

}  // namespace jostle::geometry::detail
