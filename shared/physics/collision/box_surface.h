#pragma once

#include "shared/physics/collision/surface_points.h"
#include "shared/physics/collision/triangle_lanes.h"

namespace jostle::physics {

/// Finds the contact points of a box and a surface (a mesh or height field), in the surface's axes
/// with the box's origin as origin.
///
/// Two polyhedra touch in three ways: a corner of the first on a face of the second, a corner of
/// the second on a face of the first, or an edge across an edge. So corners of the box are tested
/// against each triangle. Corners and edges of the surface are tested against the box, each once
/// however many triangles share it.
///
/// A corner or edge of the surface pushes along a direction only if no triangle around it rises
/// above it along that direction. The only exceptions are corners deep in the box, where this would
/// leave no direction. A seam in a flat or concave place therefore never pushes sideways (no ghost
/// collisions). The blocks of `scratch` must hold all triangles that the box may reach.
void meet_box(const BoxOnSurface& box, SurfaceScratch& scratch, SurfacePoints& points);

}  // namespace jostle::physics
