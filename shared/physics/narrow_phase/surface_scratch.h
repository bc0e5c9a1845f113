#pragma once

#include "shared/geometry/surface.h"
#include "shared/physics/narrow_phase/triangle_lanes.h"
#include "shared/physics/solver/kernels/kernel_table.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// One point of contact, midway between the two surfaces.
struct CollisionPoint {
  math::Vec3 position;   // from the origin of shape a, world axes
  float separation = 0;  // along the normal, negative when overlapping
  std::uint32_t feature = 0;
};

/// A point in which a body meets one part of a surface: a face, an edge or a corner of it.
struct SurfacePoint {
  math::Vec3 normal;  // unit, from the surface to the body
  CollisionPoint point;
};

/// A triangle that a box reaches.
struct ReachedTriangle {
  const geometry::TriangleBlock* block = nullptr;
  std::uint32_t lane = 0;
  bool is_front = false;  // it pushes the box, by where that's middle is

  math::Vec3 corner(std::size_t c) const { return block->corner(c, lane); }
  std::uint32_t vertex(std::size_t c) const { return block->vertices[c][lane]; }
  bool is_convex(std::size_t edge) const { return (block->convex_edges[edge] >> lane & 1) != 0; }
};

/// A corner or an edge of a surface that a box may reach: the part of a triangle that owns it.
struct ReachedPart {
  std::uint32_t triangle = 0;  // among those reached
  std::uint32_t which = 0;     // of its corners or edges
  math::Vec3 at;               // the corner or the edge's tail, in the box's frame
  math::Vec3 along;            // to the edge's head
};

/// Memory that a thread keeps between its calls; nothing in it reaches results.
struct SurfaceScratch {
  std::vector<geometry::SurfaceTriangle> triangles;
  std::vector<SurfacePoint> points;
  geometry::FoundBlocks blocks;
  std::vector<ReachedTriangle> reached;
  std::vector<ReachedPart> corners, edges;
  const SurfaceKernels* kernels = &kernels_for(simd::best_level()).surfaces;
};

}  // namespace jostle::physics
