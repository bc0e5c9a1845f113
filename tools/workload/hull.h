#pragma once

#include "tools/workload/scene.h"

#include <vector>

namespace jostle::workload {

/// Makes the convex hull of points in general position (no four in a plane), moved so that the
/// centre of its volume is the origin. Tries every triangle: for tens of points only.
Shape make_centred_hull(std::vector<math::Vec3> points);

/// Volume and second moments of a solid of density 1, about the origin of its frame.
struct SolidMoments {
  double volume = 0;       // m³
  math::Position inertia;  // diagonal of the inertia tensor, m⁵
};

/// Computes the moments of a sphere, box, capsule, cylinder or hull, and of a cone about its centre
/// of mass. Meshes and planes have none. For engines that only estimate inertia: the scenes require
/// the exact inertia of the solid.
SolidMoments moments_of(const Shape& shape);

}  // namespace jostle::workload
