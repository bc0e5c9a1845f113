#pragma once

#include "shared/forces/force_field.h"
#include "shared/math/mat3.h"
#include "shared/math/vec3d.h"
#include "shared/state/shape.h"

namespace jostle::forces {

/// What of a shape lies in a fluid.
struct Submersion {
  double volume = 0;   // m³
  math::Vec3d centre;  // of the volume, from the shape's origin, along the world's axes; m
};

/// Of a shape at `origin` whose own axes point along `axes`. Exact, up to rounding, for boxes and
/// hulls, and for balls through the level alone. What is round otherwise is cut as a polyhedron of
/// the same volume (detail/round_solid.h): the submerged volume is off by at most 0.5 % of the
/// shape's, its centre by at most 1 % of the shape's size. Planes, meshes and height fields have no
/// volume.
Submersion submerged(const state::Shape& shape, const math::Mat3& axes, const Fluid& fluid,
                     math::Position origin);

}  // namespace jostle::forces
