#pragma once

#include "tools/check/convex.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <vector>

namespace jostle::check {

/// The triangles of a mesh in the world, in a grid over x and z.
class TriangleGrid {
 public:
  TriangleGrid(const workload::Shape& mesh, const Frame& frame);

  /// Calls `visit(triangle)` once for each triangle whose cells the bounds touch.
  template <typename Visit>
  void for_each_near(const Bounds& bounds, Visit&& visit) const {
    for (const std::uint32_t triangle : candidates(bounds))
      visit(triangles_[triangle]);
  }

  /// Returns the height of the surface at (x, z): the highest one if there are several, −infinity
  /// outside of the mesh.
  double height_at(double x, double z) const;

 private:
  using Triangle = std::array<Vector, 3>;

  std::vector<std::uint32_t> candidates(const Bounds& bounds) const;
  std::size_t column(double x) const;
  std::size_t row(double z) const;

  std::vector<Triangle> triangles_;
  Vector low_, high_;
  double cell_ = 1;  // m
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<std::vector<std::uint32_t>> cells_;
};

}  // namespace jostle::check
