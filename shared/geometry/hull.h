#pragma once

#include "shared/base/result.h"
#include "shared/state/solid.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace jostle::geometry {

inline constexpr std::size_t max_hull_points = 16'384;
inline constexpr std::size_t max_hull_vertices = 256;
inline constexpr std::size_t max_hull_faces = 2 * max_hull_vertices - 4;
/// Tolerance of build_hull, as a share of the points' largest extent along an axis. A point nearer
/// than this to the hull of the other points is dropped.
inline constexpr double hull_tolerance = 1.0 / 65'536;

enum class HullError : std::uint8_t {
  TooFewPoints,
  TooManyPoints,
  NotFinite,
  TooSmall,
  TooLarge,
  Flat,
  TooManyVertices,
};

/// Returns the part of an error message that follows the name of the hull, e.g. "lies in one
/// plane".
std::string_view describe(HullError error);

/// Returns the convex hull of a point cloud. The points may be in any order and contain duplicates.
/// If all of them are coplanar, the result is HullError::Flat. Points nearer than `hull_tolerance`
/// to the hull of the others are dropped. Nearly coplanar faces are merged, so that every face is
/// flat to a few times that tolerance. The result does not depend on the order of the points:
/// vertices are sorted by x, y, z, each face starts with its lowest vertex, and faces and edges are
/// sorted.
base::Result<state::ConvexHull, HullError> build_hull(std::span<const math::Vec3> points);

/// Returns the hull with these vertices and faces; nothing if they do not form a convex polyhedron.
/// Each face is a loop of vertices, counter-clockwise seen from outside. All other data of the hull
/// is computed from them, so the input may come from an untrusted source.
std::optional<state::ConvexHull> assemble_hull(
    std::vector<math::Vec3> vertices, const std::vector<std::vector<std::uint16_t>>& faces);

/// Wraps the hull in a shared solid and computes its content hash.
std::shared_ptr<const state::Solid> share(state::ConvexHull hull);

}  // namespace jostle::geometry
