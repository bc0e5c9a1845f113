#pragma once

#include "shared/geometry/surface.h"
#include "shared/physics/collision/triangle_lanes.h"
#include "shared/physics/solver/kernels/kernel_table.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// A contact point, midway between the two surfaces.
struct CollisionPoint {
  math::Vec3 position;   // position relative to the origin of shape a, world axes, m
  float separation = 0;  // separation along the normal, m; negative if the shapes overlap
  std::uint32_t feature = 0;
};

/// A contact point of a body and one feature of a surface: a face, an edge or a corner.
struct SurfacePoint {
  math::Vec3 normal;  // unit, from the surface to the body
  CollisionPoint point;
  float end = 3.0e38f;  // expected separation at the end of the step, m; large if not known
};

/// A triangle within reach of a box.
struct ReachedTriangle {
  const geometry::TriangleBlock* block = nullptr;
  std::uint32_t lane = 0;
  bool is_front = false;  // true if the triangle may push the box (TriangleLanes::is_front)

  math::Vec3 corner(std::size_t c) const { return block->corner(c, lane); }
  std::uint32_t vertex(std::size_t c) const { return block->vertices[c][lane]; }
  bool is_convex(std::size_t edge) const { return (block->convex_edges[edge] >> lane & 1) != 0; }
};

/// A corner or an edge of a surface within reach of a box, identified by the triangle that owns it.
struct ReachedPart {
  std::uint32_t triangle = 0;  // index in SurfaceScratch::reached
  std::uint32_t which = 0;     // index of the corner or the edge in the triangle
  math::Vec3 at;               // the corner, or the edge's tail, in the box's frame
  math::Vec3 along;            // vector from the edge's tail to its head
};

/// Scratch memory that a thread keeps between calls. Its contents never influence results.
struct SurfaceScratch {
  std::vector<geometry::SurfaceTriangle> triangles;
  std::vector<SurfacePoint> points;
  geometry::FoundBlocks blocks;
  std::vector<ReachedTriangle> reached;
  std::vector<ReachedPart> corners, edges;
  // counts for StepWork, which the caller resets
  std::uint64_t impact_searches = 0, examined_triangles = 0;
  const SurfaceKernels* kernels = &kernels_for(simd::best_instruction_set()).surfaces;
};

}  // namespace jostle::physics
