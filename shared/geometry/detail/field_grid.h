#pragma once

#include "shared/geometry/surface.h"

namespace jostle::geometry::detail {

/// Returns the number of triangles. The first triangle of cell (i, j) has the index 2·(i·(count_z −
/// 1) + j), the second one the next index.
inline std::uint32_t field_triangle_count(const state::HeightField& field) {
  return 2 * (field.count_x - 1) * (field.count_z - 1);
}
inline std::uint32_t field_triangle_index(const state::HeightField& field, std::uint32_t i,
                                          std::uint32_t j, std::uint32_t half) {
  return 2 * (i * (field.count_z - 1) + j) + half;
}

/// Returns the position of a sample, in the field's frame.
inline math::Vec3 field_point(const state::HeightField& field, std::uint32_t i, std::uint32_t j) {
  return {static_cast<float>(i) * field.cell_x, field.heights[i * field.count_z + j],
          static_cast<float>(j) * field.cell_z};
}

SurfaceTriangle field_triangle(const state::HeightField& field, std::uint32_t index);

/// The first and last cell that an interval along an axis may overlap. The range is empty if first
/// > last.
struct CellRange {
  std::uint32_t first = 1, last = 0;
};
CellRange cells_between(float low, float high, float cell, std::uint32_t cell_count);

}  // namespace jostle::geometry::detail
