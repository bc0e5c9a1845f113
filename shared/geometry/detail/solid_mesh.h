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

/// A closed mesh as the solid of all points with a winding number above zero.
class SolidMesh {
 public:
  using Triangle = std::array<math::Vec3d, 3>;

  /// Of a mesh without faults (closed_mesh.h).
  explicit SolidMesh(const state::TriangleMesh& mesh);

  /// The longest edge of its box, m.
  double extent() const { return extent_; }
  math::Vec3d lower() const { return lower_; }
  math::Vec3d upper() const { return upper_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }

  /// Whether the surface has a point within the distance, m.
  bool is_near(math::Vec3d point, double distance) const;
  /// By whole numbers: exact for the point and the mesh rounded to a grid of 2²⁰ steps. On the
  /// surface either answer comes back.
  bool is_inside(math::Vec3d point) const;
  /// The triangles whose boxes overlap a box, rising.
  std::vector<std::uint32_t> overlapping(math::Vec3d lower, math::Vec3d upper) const;

 private:
  struct Node {
    math::Vec3d lower, upper;
    std::uint32_t first = 0, count = 0;  // in order_; count 0: the children are next to each other,
    std::uint32_t child = 0;             // the first one here
  };

  void build(std::uint32_t node, std::uint32_t first, std::uint32_t count);
  GridPoint on_grid(math::Vec3d point) const;
  template <typename Test, typename Visit>
  void visit(Test&& test, Visit&& visit) const;

  std::vector<Triangle> triangles_;
  std::vector<std::array<GridPoint, 3>> grid_triangles_;
  std::vector<std::uint32_t> order_;  // triangles, leaf after leaf
  std::vector<Node> nodes_;
  math::Vec3d lower_, upper_;
  double extent_ = 0;
};

}  // namespace jostle::geometry::detail
