#pragma once

#include "shared/math/vec3d.h"
#include "shared/state/solid.h"

namespace jostle::geometry::detail {

/// Volume integrals of a solid of density 1.
struct PolyhedronIntegrals {
  double volume = 0;   // m³
  math::Vec3d centre;  // centre of volume
  /// ∫ (x − centre)(x − centre)ᵀ dV, in m⁵.
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

/// Computes the integrals, exact except for rounding, by summing over the tetrahedra between one
/// vertex and the triangles of the faces (Blow, Binstock, "How to find the inertia tensor of a 3D
/// solid body", 2004).
PolyhedronIntegrals integrate(const state::ConvexHull& hull);

}  // namespace jostle::geometry::detail
