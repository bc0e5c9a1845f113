#pragma once

#include "tools/check/convex.h"

namespace jostle::check {

/// How deep two convex shapes overlap: the length of the shortest shift that parts them. Negative
/// when they are apart: minus their distance.
///
/// GJK on the cores (Gilbert, Johnson, Keerthi 1988; sub-simplices after Ericson, "Real-Time
/// Collision Detection", 2005, §9.5), and where the cores overlap EPA (van den Bergen 2001). The
/// radii come on top: the depth of an offset body is the depth of its core plus the offset. Exact
/// to rounding for polytopes, spheres and capsules; to 1e-9 m for the curves of cylinders and
/// cones.
double overlap_depth(const Convex& a, const Convex& b);

}  // namespace jostle::check
