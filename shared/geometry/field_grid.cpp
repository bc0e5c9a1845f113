#include "shared/geometry/detail/field_grid.h"

#include "shared/geometry/detail/surface_edges.h"

#include <optional>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

/// Returns a sample near a cell, `step_i` and `step_j` samples from its corner; nothing outside the
/// field.
std::optional<Vec3> point_beside(const state::HeightField& field, std::uint32_t i, std::uint32_t j,
                                 int step_i, int step_j) {
  const std::int64_t at_i = std::int64_t{i} + step_i, at_j = std::int64_t{j} + step_j;
  if (at_i < 0 || at_j < 0 || at_i >= field.count_x || at_j >= field.count_z) return std::nullopt;
  return field_point(field, static_cast<std::uint32_t>(at_i), static_cast<std::uint32_t>(at_j));
}

}  // namespace

SurfaceTriangle field_triangle(const state::HeightField& field, std::uint32_t index) {
  const std::uint32_t cell = index / 2, cells_z = field.count_z - 1;
  const std::uint32_t i = cell / cells_z, j = cell % cells_z;
  const Vec3 a = field_point(field, i, j), b = field_point(field, i, j + 1);
  const Vec3 c = field_point(field, i + 1, j), d = field_point(field, i + 1, j + 1);
  SurfaceTriangle triangle;
  triangle.index = index;
  const std::uint32_t at = i * field.count_z + j;
  const std::uint32_t at_b = at + 1, at_c = at + field.count_z, at_d = at_c + 1;
  // For each edge, the corner of the neighbouring triangle that lies opposite to it.
  std::array<std::optional<Vec3>, 3> beyond;
  if (index % 2 == 0) {
    triangle.corners = {a, b, d};
    triangle.vertices = {at, at_b, at_d};
    beyond = {point_beside(field, i, j, -1, 0), point_beside(field, i, j, 1, 2), c};
  } else {
    triangle.corners = {a, d, c};
    triangle.vertices = {at, at_d, at_c};
    beyond = {b, point_beside(field, i, j, 2, 1), point_beside(field, i, j, 0, -1)};
  }
  const auto& corners = triangle.corners;
  const Vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
  triangle.convex_edges = 0;
  for (std::size_t e = 0; e < 3; ++e) {
    if (!beyond[e] || is_convex_edge(corners[e], corners[(e + 1) % 3], normal, *beyond[e]))
      triangle.convex_edges = static_cast<std::uint8_t>(triangle.convex_edges | 1U << e);
  }
  return triangle;
}

CellRange cells_between(float low, float high, float cell, std::uint32_t cell_count) {
  const float end = static_cast<float>(cell_count);
  // One more cell on either side, because the positions of samples are rounded.
  const float first = low / cell - 1.0f, last = high / cell + 1.0f;
  if (!(last >= 0.0f) || !(first < end)) return {};
  return {first <= 0.0f ? 0 : static_cast<std::uint32_t>(first),
          last >= end ? cell_count - 1 : static_cast<std::uint32_t>(last)};
}

}  // namespace jostle::geometry::detail
