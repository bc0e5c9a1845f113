#pragma once

#include "tools/workload/scene.h"

#include <vector>

namespace jostle::workload {

/// The convex hull of points in general position (no four of them in a plane), moved so that the
/// centre of its volume is the origin. Tries every triangle: for tens of points only.
Shape make_centred_hull(std::vector<math::Vec3> points);

/// Volume and second moments of a solid of density 1 about the origin of its frame.
struct SolidMoments {
  double volume = 0;       // m³
  math::Position inertia;  // diagonal of the inertia tensor, m⁵
};

/// Of sphere, box, capsule, cylinder, hull; of a cone about its centre of mass. Meshes and planes
/// have none. For engines that estimate inertia where the scenes ask for that of the solid.
SolidMoments moments_of(const Shape& shape);

}  // namespace jostle::workload
