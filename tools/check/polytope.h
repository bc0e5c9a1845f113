#pragma once

#include "tools/check/vector.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace jostle::check {

/// Returns the penetration depth of the origin in a convex set that is given by its support
/// function: the smallest distance from the origin to a supporting plane.
///
/// A polytope grows inside the set. In each iteration, the face with the smallest signed distance
/// is replaced by faces to the support point along its normal. The iteration ends when the support
/// point lies on the face. Unlike in the usual EPA, the first tetrahedron need not contain the
/// origin: a face with the origin in front has a negative distance and is replaced first. Returns 0
/// if the origin is outside, or for a flat set, which has no interior. `size` is the approximate
/// size of the set; tolerances are relative to it.
double inner_distance(const std::function<Vector(Vector direction)>& support, double size);

}  // namespace jostle::check
