#pragma once

#include "tools/workload/scene.h"

namespace jostle::workload {

/// Returns the radius of the bounding sphere about the origin of the shape's frame, in m. Contract:
/// the shape is not a plane.
float reach(const Shape& shape);

/// Returns the radius of a bounding sphere about the origin of the body's frame, in m.
float reach(const Scene& scene, const Body& body);

}  // namespace jostle::workload
