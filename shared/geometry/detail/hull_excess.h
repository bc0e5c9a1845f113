#pragma once

#include "shared/geometry/detail/effort.h"
#include "shared/geometry/detail/solid_mesh.h"
#include "shared/state/solid.h"

namespace jostle::geometry::detail {

/// Whether every point of a hull lies in the solid or within `limit` (m) of its surface. Yes is
/// certain, but for sharp corners of the hull that differ from the solid's by less than
/// limit / 16; no may also mean that some point lies between 7/8 of the limit and the limit, or
/// that the effort is spent.
bool is_within(const state::ConvexHull& hull, const SolidMesh& solid, double limit, Effort& effort);

}  // namespace jostle::geometry::detail
