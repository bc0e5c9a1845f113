#pragma once

#include "tools/workload/scene.h"

#include <vector>

namespace jostle::workload {

/// Makes the convex hull of points in general position (no four in a plane), moved so that the
/// centre of its volume is the origin. Tries every triple of points, so it is only for tens of
/// points.
Shape make_centred_hull(std::vector<math::Vec3> points);

/// Volume and second moments of a solid of density 1, about the origin of its frame.
struct SolidMoments {
  double volume = 0;       // m³
  math::Position inertia;  // diagonal of the inertia tensor, m⁵
};

/// Computes the moments of a sphere, box, capsule, cylinder or hull about its origin, and of a cone
/// about its centre of mass. Returns zeros for meshes and planes. The scenes require these exact
/// values, also for engines that would only estimate the inertia of a shape.
SolidMoments moments_of(const Shape& shape);

}  // namespace jostle::workload
