#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace jostle::state {

/// One face of a hull. Its corners run counter-clockwise seen from outside.
struct HullFace {
  math::Vec3 normal;                                 // outward, unit length
  float offset = 0;                                  // normal · x of the face's plane, m
  std::uint16_t first_corner = 0, corner_count = 0;  // range in ConvexHull::corners

  bool operator==(const HullFace&) const = default;
};

/// The segment where two faces meet. Each edge is listed once.
struct HullEdge {
  std::uint16_t tail = 0, head = 0;  // vertices
  // adjacent faces: `left` runs tail → head, `right` head → tail
  std::uint16_t left = 0, right = 0;

  bool operator==(const HullEdge&) const = default;
};

/// Eight vectors in structure-of-arrays form, for SIMD.
struct alignas(32) EightVectors {
  float x[8]{}, y[8]{}, z[8]{};

  bool operator==(const EightVectors&) const = default;
};

/// A convex polyhedron: closed, no two coplanar faces, at least three faces at every vertex, V − E
/// + F = 2 for V vertices, E edges and F faces. Only geometry::build_hull and
/// geometry::assemble_hull create it.
struct ConvexHull {
  std::vector<math::Vec3> vertices;
  std::vector<HullFace> faces;
  std::vector<std::uint16_t> corners;  // vertex indices, face after face
  std::vector<HullEdge> edges;
  // radius of the largest ball about the centre of volume that fits inside, m
  float inner_radius = 0;
  /// The vertices and the faces' normals in SIMD form. The last one is repeated in unused lanes.
  std::vector<EightVectors> vertex_lanes, normal_lanes;

  bool operator==(const ConvexHull&) const = default;
};

/// A triangle mesh, counter-clockwise seen from outside. Only static bodies may have one.
struct TriangleMesh {
  std::vector<math::Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  bool operator==(const TriangleMesh&) const = default;
};

/// Heights over a grid of cells in the xz-plane, with its corner (0, 0) at the origin. Each cell
/// {a, b, c, d} = {(i,j), (i,j+1), (i+1,j), (i+1,j+1)} consists of two triangles, {a, b, d} and {a,
/// d, c}.
struct HeightField {
  std::uint32_t count_x = 0, count_z = 0;  // number of samples, at least 2 each
  float cell_x = 1, cell_z = 1;            // m
  std::vector<float> heights;              // height of sample (i, j) at index i·count_z + j; m

  bool operator==(const HeightField&) const = default;
};

/// The search index of a surface (shared/geometry/detail/surface_index.h).
struct SurfaceIndex;

/// Geometry that is too large to be copied with a shape: shared, immutable and identified by its
/// content. Only geometry::share creates it.
struct Solid {
  std::uint64_t content_hash = 0;  // hash of `content` in a canonical order
  std::variant<ConvexHull, TriangleMesh, HeightField> content;
  /// Search index of a mesh or a height field, computed from the content; null for a hull.
  std::shared_ptr<const SurfaceIndex> index;
};

}  // namespace jostle::state
