#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace jostle::state {

/// One side of a hull. Its corners run counter-clockwise seen from outside.
struct HullFace {
  math::Vec3 normal;                                 // outward, unit length
  float offset = 0;                                  // normal · x of the face's plane, m
  std::uint16_t first_corner = 0, corner_count = 0;  // in ConvexHull::corners

  bool operator==(const HullFace&) const = default;
};

/// A segment in which two faces meet, listed once.
struct HullEdge {
  std::uint16_t tail = 0, head = 0;   // vertices
  std::uint16_t left = 0, right = 0;  // faces: `left` runs tail → head, `right` head → tail

  bool operator==(const HullEdge&) const = default;
};

/// Eight vectors by components, so that all are looked at at once.
struct alignas(32) EightVectors {
  float x[8]{}, y[8]{}, z[8]{};

  bool operator==(const EightVectors&) const = default;
};

/// A convex polyhedron: closed, no two faces in one plane, every vertex on at least three faces,
/// V − E + F = 2. Made by geometry::build_hull, and by nobody else.
struct ConvexHull {
  std::vector<math::Vec3> vertices;
  std::vector<HullFace> faces;
  std::vector<std::uint16_t> corners;  // vertices, face after face
  std::vector<HullEdge> edges;
  float inner_radius = 0;  // of the largest ball about the centre of volume that fits inside, m
  /// The vertices, and the faces' normals, once more; the last one repeats in what is left over.
  std::vector<EightVectors> vertex_lanes, normal_lanes;

  bool operator==(const ConvexHull&) const = default;
};

/// A surface of triangles, counter-clockwise seen from outside. Bodies with it are static.
struct TriangleMesh {
  std::vector<math::Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  bool operator==(const TriangleMesh&) const = default;
};

/// Heights over a grid of cells in the xz-plane, its corner (0, 0) at the origin. Each cell
/// {a, b, c, d} = {(i,j), (i,j+1), (i+1,j), (i+1,j+1)} is two triangles, {a, b, d} and {a, d, c}.
struct HeightField {
  std::uint32_t count_x = 0, count_z = 0;  // of samples, at least 2 each
  float cell_x = 1, cell_z = 1;            // m
  std::vector<float> heights;              // i·count_z + j; m

  bool operator==(const HeightField&) const = default;
};

/// What makes a surface quick to search (shared/geometry/detail/surface_index.h).
struct SurfaceIndex;

/// Geometry too large to be copied with a shape: shared, immutable, known by its content. Made by
/// geometry::share, and by nobody else.
struct Solid {
  std::uint64_t content_hash = 0;  // of `content`, in a canonical order
  std::variant<ConvexHull, TriangleMesh, HeightField> content;
  /// Of a mesh or a height field; follows from the content.
  std::shared_ptr<const SurfaceIndex> index;
};

}  // namespace jostle::state
