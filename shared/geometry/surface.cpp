#include "shared/geometry/surface.h"

#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "shared/geometry/detail/field_grid.h"
#include "shared/geometry/detail/surface_edges.h"
#include "shared/geometry/detail/surface_index.h"
#include "shared/geometry/shape_check.h"
#include "shared/math/vec3d.h"
#include "shared/simd/baseline.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace jostle::geometry {

using math::Vec3;
using math::Vec3d;
using state::HeightField;
using state::TriangleMesh;

namespace {

/// A triangle is degenerate if its height above its longest edge is at most this share of that
/// edge.
constexpr double min_triangle_height = 1e-6;

bool is_degenerate(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& triangle) {
  const Vec3d a = widened(mesh.vertices[triangle[0]]);
  const Vec3d ab = widened(mesh.vertices[triangle[1]]) - a;
  const Vec3d ac = widened(mesh.vertices[triangle[2]]) - a;
  const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(ac - ab, ac - ab)});
  return length(cross(ab, ac)) <= min_triangle_height * longest;
}

bool is_too_large(Vec3 v) {
  const Vec3 size = abs_of(v);
  return std::max({size.x, size.y, size.z}) > max_shape_size;
}

void add(base::Hasher& hasher, Vec3 v) {
  hasher.add(v.x);
  hasher.add(v.y);
  hasher.add(v.z);
}

inline bool are_overlapping(Vec3 lower, Vec3 upper, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 low = min_of(min_of(a, b), c), high = max_of(max_of(a, b), c);
  // Uses no branches, because the outcome of each comparison is unpredictable.
  const auto bit = [](bool holds) { return static_cast<unsigned>(holds); };
  return (bit(low.x <= upper.x) & bit(lower.x <= high.x) & bit(low.y <= upper.y) &
          bit(lower.y <= high.y) & bit(low.z <= upper.z) & bit(lower.z <= high.z)) != 0;
}

/// Returns a bit for each of the block's triangles whose box overlaps the given box.
std::uint32_t overlapping_lanes(const TriangleBlock& block, Vec3 lower, Vec3 upper) {
  using simd::baseline::Floats;
  const auto along = [&](std::size_t axis, float from, float to) {
    const Floats a = Floats::load(block.corners[axis]), b = Floats::load(block.corners[axis + 3]),
                 c = Floats::load(block.corners[axis + 6]);
    return (min_of(a, min_of(b, c)) <= Floats::splat(to)) &
           (Floats::splat(from) <= max_of(a, max_of(b, c)));
  };
  return block.present & bits_of(along(0, lower.x, upper.x) & along(1, lower.y, upper.y) &
                                 along(2, lower.z, upper.z));
}

void find_in_mesh(const state::SurfaceIndex& index, Vec3 lower, Vec3 upper,
                  std::vector<SurfaceTriangle>& found) {
  const auto look = [&](std::uint32_t slot, std::uint32_t) {
    const TriangleBlock& block = index.blocks[slot / detail::max_leaf_triangles];
    std::uint32_t bits = overlapping_lanes(block, lower, upper);
    for (; bits != 0; bits &= bits - 1) {
      found.push_back(
          detail::triangle_in(block, static_cast<std::uint32_t>(std::countr_zero(bits))));
    }
  };
  detail::visit_leaves(index.tree, detail::OverlapTest(lower, upper), look,
                       [](const detail::TreeNode&) {});
}

/// Fills the blocks in the tree's order. A convex edge of two neighbours is owned by the triangle
/// with the lower index. A corner at a convex edge is owned by the triangle with the lowest index
/// there.
void index_triangles(const TriangleMesh& mesh, state::SurfaceIndex& index) {
  const detail::Triangles triangles = detail::triangles_by_place(mesh);
  const detail::EdgeFacts facts = detail::find_edge_facts(mesh.vertices, triangles);
  std::vector<bool> is_taken(mesh.vertices.size());
  std::vector<std::uint8_t> own_corners(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t vertex = triangles[t][c];
      if (is_taken[vertex] || !facts.is_at_convex_edge[vertex]) continue;
      is_taken[vertex] = true;
      own_corners[t] = static_cast<std::uint8_t>(own_corners[t] | 1U << c);
    }
  }
  constexpr std::size_t width = detail::max_leaf_triangles;
  index.blocks.resize((triangles.size() + width - 1) / width);
  index.slots.resize(triangles.size());
  for (std::uint32_t slot = 0; slot < triangles.size(); ++slot) {
    const std::uint32_t t = index.tree.order[slot];
    const auto& v = triangles[t];
    detail::set_lane(
        index.blocks[slot / width], static_cast<std::uint32_t>(slot % width),
        {{mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]}, v, t, facts.convex[t]},
        {facts.own[t], own_corners[t]});
    index.slots[t] = slot;
  }
  detail::fill_up(index.blocks.back());
}

void find_in_field(const HeightField& field, Vec3 lower, Vec3 upper,
                   std::vector<SurfaceTriangle>& found) {
  const auto along_x = detail::cells_between(lower.x, upper.x, field.cell_x, field.count_x - 1);
  const auto along_z = detail::cells_between(lower.z, upper.z, field.cell_z, field.count_z - 1);
  for (std::uint32_t i = along_x.first; i <= along_x.last; ++i) {
    for (std::uint32_t j = along_z.first; j <= along_z.last; ++j) {
      const Vec3 a = detail::field_point(field, i, j), b = detail::field_point(field, i, j + 1);
      const Vec3 c = detail::field_point(field, i + 1, j);
      const Vec3 d = detail::field_point(field, i + 1, j + 1);
      const std::uint32_t first = detail::field_triangle_index(field, i, j, 0);
      if (are_overlapping(lower, upper, a, b, d))
        found.push_back(detail::field_triangle(field, first));
      if (are_overlapping(lower, upper, a, d, c))
        found.push_back(detail::field_triangle(field, first + 1));
    }
  }
}

}  // namespace

std::optional<SurfaceError> check_surface(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return SurfaceError::Empty;
  if (mesh.triangles.size() > max_mesh_triangles || mesh.vertices.size() > max_mesh_vertices)
    return SurfaceError::TooMany;
  for (const Vec3 v : mesh.vertices) {
    if (!is_finite(v)) return SurfaceError::NotFinite;
    if (is_too_large(v)) return SurfaceError::TooLarge;
  }
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      if (corner >= mesh.vertices.size()) return SurfaceError::WrongIndex;
    }
    if (is_degenerate(mesh, triangle)) return SurfaceError::Degenerate;
  }
  return std::nullopt;
}

std::optional<SurfaceError> check_surface(const HeightField& field) {
  if (field.count_x < 2 || field.count_z < 2) return SurfaceError::Empty;
  if (std::uint64_t{field.count_x} * field.count_z > max_field_samples)
    return SurfaceError::TooMany;
  if (field.heights.size() != std::size_t{field.count_x} * field.count_z)
    return SurfaceError::WrongCount;
  if (!std::isfinite(field.cell_x) || !std::isfinite(field.cell_z)) return SurfaceError::NotFinite;
  if (field.cell_x < min_shape_size || field.cell_z < min_shape_size) return SurfaceError::TooSmall;
  if (static_cast<float>(field.count_x) * field.cell_x > max_shape_size ||
      static_cast<float>(field.count_z) * field.cell_z > max_shape_size)
    return SurfaceError::TooLarge;
  for (const float height : field.heights) {
    if (!std::isfinite(height)) return SurfaceError::NotFinite;
    if (math::abs_of(height) > max_shape_size) return SurfaceError::TooLarge;
  }
  return std::nullopt;
}

std::string_view describe(SurfaceError error) {
  switch (error) {
    case SurfaceError::Empty:
      return "has no triangles";
    case SurfaceError::TooMany:
      return "has more vertices, triangles or heights than the limit";
    case SurfaceError::NotFinite:
      return "has a number that is not finite";
    case SurfaceError::TooLarge:
      return "reaches beyond 100000 m";
    case SurfaceError::TooSmall:
      return "has cells below 0.001 m";
    case SurfaceError::WrongIndex:
      return "has a triangle with a vertex that does not exist";
    case SurfaceError::Degenerate:
      return "has a triangle without area";
    case SurfaceError::WrongCount:
      return "has a number of heights that differs from its number of samples";
  }
  return "is invalid";
}

bool is_degenerate(const TriangleMesh& mesh, std::uint32_t triangle) {
  return is_degenerate(mesh, mesh.triangles[triangle]);
}

std::size_t drop_degenerate(TriangleMesh& mesh) {
  return std::erase_if(mesh.triangles,
                       [&](const auto& triangle) { return is_degenerate(mesh, triangle); });
}

std::shared_ptr<const state::Solid> share(TriangleMesh mesh) {
  JOSTLE_ASSERT(!check_surface(mesh));
  base::Hasher hasher;
  hasher.add(static_cast<std::uint8_t>(state::ShapeKind::Mesh));
  hasher.add(static_cast<std::uint64_t>(mesh.vertices.size()));
  auto index = std::make_shared<state::SurfaceIndex>();
  index->lower = index->upper = mesh.vertices[mesh.triangles[0][0]];
  for (Vec3& v : mesh.vertices) {
    v += Vec3{};  // −0 becomes 0, so that equal content has equal hashes
    add(hasher, v);
  }
  hasher.add(static_cast<std::uint64_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      hasher.add(corner);
      index->lower = min_of(index->lower, mesh.vertices[corner]);
      index->upper = max_of(index->upper, mesh.vertices[corner]);
    }
  }
  index->tree = detail::build_tree(mesh);
  index_triangles(mesh, *index);
  auto solid = std::make_shared<state::Solid>();
  solid->content_hash = hasher.finish();
  solid->content = std::move(mesh);
  solid->index = std::move(index);
  return solid;
}

std::shared_ptr<const state::Solid> share(HeightField field) {
  JOSTLE_ASSERT(!check_surface(field));
  base::Hasher hasher;
  hasher.add(static_cast<std::uint8_t>(state::ShapeKind::HeightField));
  hasher.add(field.count_x);
  hasher.add(field.count_z);
  hasher.add(field.cell_x);
  hasher.add(field.cell_z);
  auto index = std::make_shared<state::SurfaceIndex>();
  float lowest = field.heights[0], highest = lowest;
  for (float& height : field.heights) {
    height += 0.0f;  // −0 becomes 0, as above
    hasher.add(height);
    lowest = math::min_of(lowest, height);
    highest = math::max_of(highest, height);
  }
  const Vec3 corner = detail::field_point(field, field.count_x - 1, field.count_z - 1);
  index->lower = {0, lowest, 0};
  index->upper = {corner.x, highest, corner.z};
  auto solid = std::make_shared<state::Solid>();
  solid->content_hash = hasher.finish();
  solid->content = std::move(field);
  solid->index = std::move(index);
  return solid;
}

void find_triangles(const state::Shape& surface, Vec3 lower, Vec3 upper,
                    std::vector<SurfaceTriangle>& found) {
  found.clear();
  const state::Solid& solid = *surface.solid;
  if (std::holds_alternative<TriangleMesh>(solid.content)) {
    find_in_mesh(*solid.index, lower, upper, found);
  } else if (const auto* field = std::get_if<HeightField>(&solid.content)) {
    find_in_field(*field, lower, upper, found);
  }
}

std::uint32_t triangle_count(const state::Solid& surface) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&surface.content))
    return static_cast<std::uint32_t>(mesh->triangles.size());
  return detail::field_triangle_count(std::get<HeightField>(surface.content));
}

SurfaceTriangle triangle_of(const state::Solid& surface, std::uint32_t index) {
  if (std::holds_alternative<TriangleMesh>(surface.content)) {
    const std::uint32_t slot = surface.index->slots[index];
    return detail::triangle_in(surface.index->blocks[slot / detail::max_leaf_triangles],
                               static_cast<std::uint32_t>(slot % detail::max_leaf_triangles));
  }
  return detail::field_triangle(std::get<HeightField>(surface.content), index);
}

}  // namespace jostle::geometry
