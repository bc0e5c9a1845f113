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
/// As a share of the largest extent of the points along an axis: what is nearer counts as one.
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

/// For a message after the name of the hull: "lies in one plane".
std::string_view describe(HullError error);

/// The convex hull of a cloud of points in any order, with duplicates, with many of them in one
/// plane. Points nearer to the hull of the others than `hull_tolerance` are left out, and faces in
/// almost one plane merged, so that every face is flat to a few times that tolerance. The result
/// does not depend on the points' order: its vertices ascend by x, y, z, each face starts with its
/// first vertex, and faces and edges ascend.
base::Result<state::ConvexHull, HullError> build_hull(std::span<const math::Vec3> points);

/// The hull with these vertices and faces, each a loop of vertices counter-clockwise seen from
/// outside; nothing if that is no convex polyhedron. What else a hull knows follows from them, so
/// that the numbers may be a stranger's.
std::optional<state::ConvexHull> assemble_hull(
    std::vector<math::Vec3> vertices, const std::vector<std::vector<std::uint16_t>>& faces);

/// A solid with its content's hash.
std::shared_ptr<const state::Solid> share(state::ConvexHull hull);

}  // namespace jostle::geometry
