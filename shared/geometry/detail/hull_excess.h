#pragma once

#include "shared/geometry/detail/effort.h"
#include "shared/geometry/detail/solid_mesh.h"
#include "shared/state/solid.h"

namespace jostle::geometry::detail {

/// Returns true if every point of a hull lies in the solid or within `limit` (m) of its surface.
/// The outermost layer of the hull, limit / 16 thick, is not checked, so the tip of a sharp corner
/// may lie farther out. False may also mean that some point lies between 7/8 of the limit and the
/// limit, or that the `effort` budget is used up.
bool is_within(const state::ConvexHull& hull, const SolidMesh& solid, double limit, Effort& effort);

}  // namespace jostle::geometry::detail
