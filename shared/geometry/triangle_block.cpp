#include "shared/geometry/triangle_block.h"

#include "shared/geometry/detail/field_grid.h"
#include "shared/geometry/detail/surface_index.h"

#include <variant>

namespace jostle::geometry {

using math::Vec3;
using state::HeightField;

namespace {

/// Prefetches the cache lines of a value. Blocks and nodes of a mesh are scattered in memory, and
/// waiting for one after the other would take longer than processing them.
template <typename Value>
void fetch(const Value& value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  for (std::size_t i = 0; i < sizeof(Value); i += 64)
    __builtin_prefetch(bytes + i);
}

void find_in_mesh(const state::SurfaceIndex& index, Vec3 lower, Vec3 upper, FoundBlocks& found) {
  detail::visit_leaves(
      index.tree, detail::OverlapTest(lower, upper),
      [&](std::uint32_t slot, std::uint32_t) {
        const TriangleBlock& block = index.blocks[slot / 8];
        fetch(block);
        found.list.push_back(&block);
      },
      [](const detail::TreeNode& node) { fetch(node); });
}

/// Returns the convex edges and the corners that a triangle of a cell owns. The two triangles of a
/// cell together own the cell's lower corner and the edges from it. At the field's far borders they
/// also own the parts for which no further cell exists.
detail::OwnParts own_parts(const HeightField& field, std::uint32_t i, std::uint32_t j,
                           bool is_first, std::uint8_t convex_edges) {
  const bool is_last_i = i + 2 == field.count_x, is_last_j = j + 2 == field.count_z;
  // The first triangle is a, b, d, the second a, d, c. Edges a–b, a–d and a–c start at the lower
  // corner.
  const unsigned edges =
      is_first ? 0b101U | (is_last_j ? 0b010U : 0U) : 0b100U | (is_last_i ? 0b010U : 0U);
  const unsigned corners =
      is_first ? 0b001U | (is_last_j ? 0b010U : 0U) | (is_last_i && is_last_j ? 0b100U : 0U)
               : (is_last_i ? 0b100U : 0U);
  return {static_cast<std::uint8_t>(edges & convex_edges), static_cast<std::uint8_t>(corners)};
}

void find_in_field(const HeightField& field, Vec3 lower, Vec3 upper, FoundBlocks& found) {
  const auto along_x = detail::cells_between(lower.x, upper.x, field.cell_x, field.count_x - 1);
  const auto along_z = detail::cells_between(lower.z, upper.z, field.cell_z, field.count_z - 1);
  std::uint32_t lane = 8;
  const auto add = [&](std::uint32_t i, std::uint32_t j, std::uint32_t half) {
    const SurfaceTriangle triangle =
        detail::field_triangle(field, detail::field_triangle_index(field, i, j, half));
    const auto& [a, b, c] = triangle.corners;
    const float low = math::min_of(a.y, math::min_of(b.y, c.y));
    const float high = math::max_of(a.y, math::max_of(b.y, c.y));
    if (low > upper.y || high < lower.y) return;
    if (lane == 8) {
      found.made.emplace_back();
      lane = 0;
    }
    detail::set_lane(found.made.back(), lane++, triangle,
                     own_parts(field, i, j, half == 0, triangle.convex_edges));
  };
  for (std::uint32_t i = along_x.first; i <= along_x.last; ++i) {
    for (std::uint32_t j = along_z.first; j <= along_z.last; ++j) {
      add(i, j, 0);
      add(i, j, 1);
    }
  }
  for (TriangleBlock& block : found.made) {
    detail::fill_up(block);
    found.list.push_back(&block);
  }
}

}  // namespace

void find_blocks(const state::Shape& surface, Vec3 lower, Vec3 upper, FoundBlocks& found) {
  found.list.clear();
  found.made.clear();
  const state::Solid& solid = *surface.solid;
  if (std::holds_alternative<state::TriangleMesh>(solid.content)) {
    find_in_mesh(*solid.index, lower, upper, found);
  } else if (const auto* field = std::get_if<HeightField>(&solid.content)) {
    find_in_field(*field, lower, upper, found);
  }
}

namespace detail {

void set_lane(TriangleBlock& block, std::uint32_t lane, const SurfaceTriangle& triangle,
              OwnParts own) {
  const auto set = [&](std::uint8_t& mask, unsigned bits, std::size_t which) {
    mask = static_cast<std::uint8_t>(mask | (bits >> which & 1U) << lane);
  };
  for (std::size_t c = 0; c < 3; ++c) {
    block.corners[3 * c][lane] = triangle.corners[c].x;
    block.corners[3 * c + 1][lane] = triangle.corners[c].y;
    block.corners[3 * c + 2][lane] = triangle.corners[c].z;
    block.vertices[c][lane] = triangle.vertices[c];
    set(block.convex_edges[c], triangle.convex_edges, c);
    set(block.own_edges[c], own.edges, c);
    set(block.own_corners[c], own.corners, c);
  }
  block.index[lane] = triangle.index;
  set(block.present, 1U, 0);
}

SurfaceTriangle triangle_in(const TriangleBlock& block, std::uint32_t lane) {
  SurfaceTriangle triangle;
  unsigned convex = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    triangle.corners[c] = block.corner(c, lane);
    triangle.vertices[c] = block.vertices[c][lane];
    convex |= (static_cast<unsigned>(block.convex_edges[c]) >> lane & 1U) << c;
  }
  triangle.index = block.index[lane];
  triangle.convex_edges = static_cast<std::uint8_t>(convex);
  return triangle;
}

void fill_up(TriangleBlock& block) {
  for (auto& row : block.corners) {
    for (std::uint32_t lane = 1; lane < 8; ++lane) {
      if ((block.present >> lane & 1U) == 0) row[lane] = row[0];
    }
  }
}

}  // namespace detail

}  // namespace jostle::geometry
