#pragma once

#include "shared/math/vec3.h"
#include "shared/state/shape.h"

namespace jostle::forces {

/// Returns the area in m² of a shape's projection along the unit vector `direction` of its own
/// frame. The area is exact for every convex kind, and 0 for planes, meshes and height fields.
float facing_area(const state::Shape& shape, math::Vec3 direction);

}  // namespace jostle::forces
