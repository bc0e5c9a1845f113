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
  TooLarge,    // a coordinate, a height or an extent above `max_shape_size`
  TooSmall,    // a cell below `min_shape_size`
  WrongIndex,  // a triangle refers to a vertex that does not exist
  Degenerate,  // a triangle has no area
  WrongCount,  // the number of heights is not `count_x` · `count_z`
};

/// Returns the part of an error message that follows the name of the surface, e.g. "has a triangle
/// without area".
std::string_view describe(SurfaceError error);

/// Returns the first error in a surface that came from a file or the network, or nothing.
std::optional<SurfaceError> check_surface(const state::TriangleMesh& mesh);
std::optional<SurfaceError> check_surface(const state::HeightField& field);

/// Returns true if a triangle has no area: its height above its longest edge is at most a millionth
/// of that edge. Indices must be in range.
bool is_degenerate(const state::TriangleMesh& mesh, std::uint32_t triangle);
/// Removes triangles without area and returns how many it removed. Indices must be in range.
std::size_t drop_degenerate(state::TriangleMesh& mesh);

/// Wraps the surface in a shared solid with its content hash and its search index. The surface must
/// pass check_surface.
std::shared_ptr<const state::Solid> share(state::TriangleMesh mesh);
std::shared_ptr<const state::Solid> share(state::HeightField field);

/// A triangle of a mesh or a height field, in the shape's frame, counter-clockwise seen from
/// outside.
struct SurfaceTriangle {
  std::array<math::Vec3, 3> corners;
  /// Vertex numbers of the corners. Two triangles share a corner if they have the same number
  /// there.
  std::array<std::uint32_t, 3> vertices{};
  std::uint32_t index = 0;
  /// Bit e is set if the edge from corner e to corner e + 1 is convex, or a border that is not a
  /// seam (detail/surface_seams.h). A body may rest against such an edge. Other edges are flat or
  /// concave, and no contact normal may come from them.
  std::uint8_t convex_edges = 0b111;
};

/// Finds the triangles whose boxes overlap the box from `lower` to `upper`, in the shape's frame.
/// Each is reported once, in an order that depends on the surface alone. `found` is cleared first.
void find_triangles(const state::Shape& surface, math::Vec3 lower, math::Vec3 upper,
                    std::vector<SurfaceTriangle>& found);

/// Returns the number of triangles of a mesh or a height field.
std::uint32_t triangle_count(const state::Solid& surface);
/// Returns the triangle with this index, which must be below `triangle_count`.
SurfaceTriangle triangle_of(const state::Solid& surface, std::uint32_t index);

}  // namespace jostle::geometry
