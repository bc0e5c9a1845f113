#pragma once

#include "shared/math/vec3.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace jostle::geometry {

inline constexpr std::size_t max_mesh_vertices = 1U << 20;
inline constexpr std::size_t max_mesh_triangles = 1U << 21;
inline constexpr std::size_t max_field_samples = 1U << 20;

enum class SurfaceError : std::uint8_t {
  Empty,
  TooMany,     // more vertices, triangles or samples than the limits above
  NotFinite,   // a coordinate, a height or the size of a cell
  TooLarge,    // a coordinate or extent above max_shape_size
  TooSmall,    // a cell below min_shape_size
  WrongIndex,  // a triangle names a vertex that is not there
  Degenerate,  // a triangle has no area
  WrongCount,  // the heights are not count_x · count_z
};

/// For a message after the name of the surface: "has a triangle without area".
std::string_view describe(SurfaceError error);

/// What is wrong with a surface from a file or a wire, if anything.
std::optional<SurfaceError> check_surface(const state::TriangleMesh& mesh);
std::optional<SurfaceError> check_surface(const state::HeightField& field);

/// Whether a triangle has no area: its height is less than a millionth of its longest edge. Indices
/// must be in range.
bool is_degenerate(const state::TriangleMesh& mesh, std::uint32_t triangle);
/// Removes triangles without area, and tells how many. Indices must be in range.
std::size_t drop_degenerate(state::TriangleMesh& mesh);

/// A solid with its content's hash and its index. The surface must pass the check above.
std::shared_ptr<const state::Solid> share(state::TriangleMesh mesh);
std::shared_ptr<const state::Solid> share(state::HeightField field);

/// A triangle of a mesh or a height field, in the shape's frame, counter-clockwise from outside.
struct SurfaceTriangle {
  std::array<math::Vec3, 3> corners;
  /// Numbers of the corners: two triangles share a corner if they share its number.
  std::array<std::uint32_t, 3> vertices{};
  std::uint32_t index = 0;
  /// Bit e: the edge from corner e to corner e + 1 is a border, or convex: something may rest
  /// against it. The others are flat or concave, and no contact normal may come from them.
  std::uint8_t convex_edges = 0b111;
};

/// The triangles whose boxes overlap the box from `lower` to `upper`, in the shape's frame, each
/// once, in an order that follows from the surface alone. `found` is emptied first.
void find_triangles(const state::Shape& surface, math::Vec3 lower, math::Vec3 upper,
                    std::vector<SurfaceTriangle>& found);

/// Of a mesh or a height field.
std::uint32_t triangle_count(const state::Solid& surface);
/// The triangle of an index below `triangle_count`.
SurfaceTriangle triangle_of(const state::Solid& surface, std::uint32_t index);

}  // namespace jostle::geometry
