#pragma once

#include "shared/forces/force_field.h"
#include "shared/math/mat3.h"
#include "shared/math/vec3d.h"
#include "shared/state/shape.h"

namespace jostle::forces {

/// The part of a shape that lies in a fluid.
struct Submersion {
  double volume = 0;  // m³
  // centre of the volume, relative to the shape's origin, along the world's axes; m
  math::Vec3d centre;
};

/// Returns the submerged part of a shape at `origin` whose own axes point along `axes`. The result
/// is exact, up to rounding, for boxes and hulls, and for spheres that are cut by only one plane of
/// the fluid's boundary. Other round shapes are clipped as polyhedra of the same volume
/// (detail/round_solid.h). Their submerged volume is off by at most 0.5 % of the shape's volume,
/// and its centre by at most 1 % of the shape's size. Planes, meshes and height fields have no
/// volume.
Submersion submerged(const state::Shape& shape, const math::Mat3& axes, const Fluid& fluid,
                     math::Position origin);

}  // namespace jostle::forces
