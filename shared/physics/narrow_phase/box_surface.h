#pragma once

#include "shared/physics/narrow_phase/surface_points.h"
#include "shared/physics/narrow_phase/triangle_lanes.h"

namespace jostle::physics {

/// Finds where the box meets the surface, in the surface's frame with the box's origin as origin.
///
/// Two polyhedra touch in three ways: a corner of the one on a face of the other, the other way
/// round, and an edge across an edge. So corners of the box are looked at over each triangle, and
/// corners and edges of the surface, each once however many triangles share it, against the box.
/// A surface's corner or edge pushes along a direction only if no triangle around it rises above
/// it that way: so a seam in a flat or hollow place never pushes sideways.
/// The blocks of `scratch` hold all triangles that the box may reach.
void meet_box(const BoxOnSurface& box, SurfaceScratch& scratch, SurfacePoints& points);

}  // namespace jostle::physics
