#pragma once

#include "tools/check/convex.h"

namespace jostle::check {

/// Returns the penetration depth of two convex shapes: the length of the shortest translation that
/// separates them. Returns minus their distance if they do not overlap.
///
/// Uses GJK on the cores (Gilbert, Johnson, Keerthi 1988; sub-simplices after Ericson, "Real-Time
/// Collision Detection", 2005, §9.5), and EPA (van den Bergen 2001) if the cores overlap. The radii
/// are added to the result. The result is exact up to rounding for polytopes, spheres and capsules,
/// and up to 1e-9 m for the curved sides of cylinders and cones.
double overlap_depth(const Convex& a, const Convex& b);

}  // namespace jostle::check
