#pragma once

#include "shared/geometry/detail/grid_hull.h"
#include "shared/math/vec3d.h"
#include "shared/state/solid.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

constexpr math::Vec3d min_of(math::Vec3d a, math::Vec3d b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
constexpr math::Vec3d max_of(math::Vec3d a, math::Vec3d b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

/// A closed mesh, viewed as the solid of all points with a positive winding number.
class SolidMesh {
 public:
  using Triangle = std::array<math::Vec3d, 3>;

  /// Requires a mesh without defects (closed_mesh.h).
  explicit SolidMesh(const state::TriangleMesh& mesh);

  /// Returns the longest edge of the bounding box, in m.
  double extent() const { return extent_; }
  math::Vec3d lower() const { return lower_; }
  math::Vec3d upper() const { return upper_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }

  /// Returns true if the surface has a point within `distance` (m) of `point`.
  bool is_near(math::Vec3d point, double distance) const;
  /// Returns true if the point is inside. The test uses integers: it is exact for the point and the
  /// mesh rounded to a grid of 2²⁰ steps. For a point on the surface the result may be either.
  bool is_inside(math::Vec3d point) const;
  /// Returns the triangles whose boxes overlap a box, in ascending order.
  std::vector<std::uint32_t> overlapping(math::Vec3d lower, math::Vec3d upper) const;

 private:
  struct Node {
    math::Vec3d lower, upper;
    std::uint32_t first = 0, count = 0;  // range in order_; if count is 0, the node is inner
    std::uint32_t child = 0;             // first of two adjacent children of an inner node
  };

  void build(std::uint32_t node, std::uint32_t first, std::uint32_t count);
  GridPoint on_grid(math::Vec3d point) const;
  template <typename Test, typename Visit>
  void visit(Test&& test, Visit&& visit) const;

  std::vector<Triangle> triangles_;
  std::vector<std::array<GridPoint, 3>> grid_triangles_;
  std::vector<std::uint32_t> order_;  // triangle indices, leaf after leaf
  std::vector<Node> nodes_;
  math::Vec3d lower_, upper_;
  double extent_ = 0;
};

}  // namespace jostle::geometry::detail
