#pragma once

#include "shared/math/vec3.h"
#include "shared/state/solid.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

/// Whether the surface bends away at the edge from `tail` to `head` of a triangle with the (not
/// normalised) outward `normal`, behind which the neighbour goes on to `beyond`. Bends of less than
/// `flat_bend` count as flat.
bool is_convex_edge(math::Vec3 tail, math::Vec3 head, math::Vec3 normal, math::Vec3 beyond);

inline constexpr float flat_bend = 1e-3f;  // rad

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// The mesh's triangles with each corner named by the first vertex that lies in its place.
/// −0 must not occur in vertices.
Triangles triangles_by_place(const state::TriangleMesh& mesh);

/// Edge e of a triangle: from its corner e to the next.
struct TriangleEdge {
  std::uint32_t triangle = 0, edge = 0;
};

/// Whether the surface bends away between two triangles that meet there. Both get the same answer:
/// the larger one knows its plane better.
bool is_convex_pair(const std::vector<math::Vec3>& vertices, const Triangles& triangles,
                    TriangleEdge x, TriangleEdge y);

struct EdgeFacts {
  /// The bits of SurfaceTriangle::convex_edges, by triangle. Where several triangles meet at an
  /// edge those are neighbours that run along it in opposite directions, the flattest first; who is
  /// left over has a border, which counts as convex unless it is a seam (surface_seams.h).
  std::vector<std::uint8_t> convex;
  /// Of the triangles at a convex edge the first one's bit, by triangle.
  std::vector<std::uint8_t> own;
  std::vector<bool> is_at_convex_edge;  // by vertex
};

/// Of triangles as above.
EdgeFacts find_edge_facts(const std::vector<math::Vec3>& vertices, const Triangles& triangles);

}  // namespace jostle::geometry::detail
