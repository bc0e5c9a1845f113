#pragma once

#include "shared/math/vec3d.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::geometry::detail {

/// A point on a grid of whole numbers from 0 to `grid_steps`.
struct GridPoint {
  std::int64_t x = 0, y = 0, z = 0;

  bool operator==(const GridPoint&) const = default;
};

/// With 2²⁰ steps the differences of coordinates have 20 bits and a sign, the components of a
/// cross product of two less than 2⁴¹, and its dot product with a third less than 3·2⁶¹ < 2⁶³: the
/// side of a plane on which a point lies is exact in 64 bits.
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

/// A triangle of a hull, counter-clockwise from outside.
struct GridTriangle {
  std::array<std::uint32_t, 3> corners{};
  std::array<std::uint32_t, 3> neighbours{};  // across the edge from corner e to corner e + 1
};

/// The triangles of the convex hull of the points; several may lie in one plane. Points within
/// `tolerance` (in steps) of the hull of the others are left out. No triangles: the points lie
/// in a plane to that tolerance.
std::vector<GridTriangle> build_grid_hull(std::span<const GridPoint> points, double tolerance);

using Loop = std::vector<std::uint32_t>;

/// The faces of such a hull as loops of points: triangles within `tolerance` of a common plane make
/// one face, and points at which fewer than three faces meet are left out. No loops: at this
/// tolerance there is no such polyhedron. With tolerance zero there always is.
std::vector<Loop> merge_faces(std::span<const GridPoint> points,
                              std::span<const GridTriangle> triangles, double tolerance);

}  // namespace jostle::geometry::detail
