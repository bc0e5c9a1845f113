#pragma once

#include "shared/math/aabb.h"
#include "shared/math/vec3d.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// A coarse occupancy grid: one bit per cell of a box. A box that lies in free cells contains no
/// obstacle. For other boxes the AABB trees must be queried.
class ObstacleGrid {
 public:
  /// Starts an empty grid over `box`. Positions outside `box` count as in the nearest cell. Before
  /// this call no box is free.
  void begin(const math::Aabb& box);
  void add(const math::Aabb& box);
  bool is_free(const math::Aabb& box) const;

 private:
  static constexpr int most_cells = 64;  // maximum number of cells along an axis
  struct Cells {
    int low[3], high[3];
  };
  Cells cells_of(const math::Aabb& box) const;
  std::size_t place_of(int y, int z) const {
    return static_cast<std::size_t>(z) * static_cast<std::size_t>(counts_[1]) +
           static_cast<std::size_t>(y);
  }

  math::Vec3d corner_;
  math::Vec3d per_cell_;  // 1/m
  int counts_[3] = {0, 0, 0};
  std::vector<std::uint64_t> rows_;  // indexed by z and y; one bit for each x
};

}  // namespace jostle::physics
