#pragma once

#include "shared/math/vec3d.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::geometry::detail {

/// A point on an integer grid with coordinates from 0 to `grid_steps`.
struct GridPoint {
  std::int64_t x = 0, y = 0, z = 0;

  bool operator==(const GridPoint&) const = default;
};

/// Number of steps of the grid along each axis. With 2²⁰ steps, differences of coordinates are at
/// most 2²⁰ in size. The components of the cross product of two differences are at most 2⁴¹, and
/// the dot product of such a cross product with a third difference is at most 3·2⁶¹ < 2⁶³. So the
/// side of a plane on which a point lies is exact in 64-bit integers.
inline constexpr std::int64_t grid_steps = 1 << 20;

constexpr GridPoint operator-(GridPoint a, GridPoint b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr GridPoint cross(GridPoint a, GridPoint b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr std::int64_t dot(GridPoint a, GridPoint b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr math::Vec3d widened(GridPoint p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

/// A triangle of a hull, counter-clockwise seen from outside.
struct GridTriangle {
  std::array<std::uint32_t, 3> corners{};
  // neighbour e lies across the edge from corner e to corner e + 1
  std::array<std::uint32_t, 3> neighbours{};
};

/// Returns the triangles of the convex hull of the points; several may be coplanar. Points within
/// `tolerance` (in steps) of the hull of the others are dropped. Returns no triangles if the points
/// are coplanar to that tolerance.
std::vector<GridTriangle> build_grid_hull(std::span<const GridPoint> points, double tolerance);

using Loop = std::vector<std::uint32_t>;

/// Merges the triangles of a hull from build_grid_hull into faces, returned as loops of points.
/// Triangles within `tolerance` of a common plane form one face, and points where fewer than three
/// faces meet are dropped. Returns no loops if no such polyhedron exists at this tolerance; with
/// tolerance zero it always exists.
std::vector<Loop> merge_faces(std::span<const GridPoint> points,
                              std::span<const GridTriangle> triangles, double tolerance);

}  // namespace jostle::geometry::detail
