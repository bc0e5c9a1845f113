#pragma once

#include "shared/math/vec3.h"
#include "shared/state/solid.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

/// Returns true if the surface is convex at the edge from `tail` to `head` of a triangle. `normal`
/// is the triangle's outward normal, not necessarily of unit length; `beyond` is the opposite
/// corner of the neighbouring triangle. Bends of less than `flat_bend` count as flat.
bool is_convex_edge(math::Vec3 tail, math::Vec3 head, math::Vec3 normal, math::Vec3 beyond);

inline constexpr float flat_bend = 1e-3f;  // rad

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// Returns the mesh's triangles with each corner replaced by the first vertex at the same position.
/// Vertices must not contain −0.
Triangles triangles_by_place(const state::TriangleMesh& mesh);

/// An edge of a triangle: from its corner `edge` (0 to 2) to the next one.
struct TriangleEdge {
  std::uint32_t triangle = 0, edge = 0;
};

/// Returns true if the surface is convex where two triangles meet. The result does not depend on
/// their order: the plane of the larger triangle is used, because it is more accurate.
bool is_convex_pair(const std::vector<math::Vec3>& vertices, const Triangles& triangles,
                    TriangleEdge x, TriangleEdge y);

struct EdgeFacts {
  /// The bits of SurfaceTriangle::convex_edges, by triangle. If several triangles meet at an edge,
  /// those that run along it in opposite directions are paired as neighbours, the flattest pair
  /// first. A triangle without a neighbour has a border there, which counts as convex unless it is
  /// a seam (surface_seams.h).
  std::vector<std::uint8_t> convex;
  /// Owned convex edges, one bit per edge, by triangle. Of two neighbours at an edge, the triangle
  /// with the lower index owns the edge. A triangle without a neighbour at an edge owns the edge,
  /// unless it is a seam.
  std::vector<std::uint8_t> own;
  std::vector<bool> is_at_convex_edge;  // indexed by vertex
};

/// Computes the edge facts of `triangles`, which must come from triangles_by_place.
EdgeFacts find_edge_facts(const std::vector<math::Vec3>& vertices, const Triangles& triangles);

}  // namespace jostle::geometry::detail
