#pragma once

#include "tools/check/vector.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace jostle::check {

/// How far the origin lies inside a convex set that is known by its support function: the smallest
/// distance from the origin to a supporting plane.
///
/// A polytope grows inside the set: of all its faces the one with the smallest signed distance is
/// pushed outward to the support point along its normal, until it does not move. Unlike the usual
/// EPA the first tetrahedron need not hold the origin: a face that has it on the outside has a
/// negative distance and is pushed first. 0 for a flat set, for which there is no inside.
/// `size` is a length of the set, by which tolerances scale.
double inner_distance(const std::function<Vector(Vector direction)>& support, double size);

}  // namespace jostle::check
