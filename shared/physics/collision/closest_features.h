#pragma once

#include "shared/physics/collision/convex_distance.h"

#include <optional>

namespace jostle::physics {

/// Returns true if the search below can save rounds of GJK for a pair: if a core has a rim, the
/// circle at the end of a cylinder or cone. GJK halves its error per round there, while it finds
/// the closest points of polytopes in a few rounds.
bool has_rim(const ConvexPair& pair);

/// Computes the distance of two cores from the features whose normals are near `axis`, a vector
/// from a to b: corners, edges, rims, and lines of mantles. Newton's method maximizes the
/// separation over the normals of these features, in up to six rounds.
///
/// The error of the distance is at most 3e-7 of the cores' size. The result is like that of
/// convex_distance, with `is_beyond` set if the distance is larger than `max_distance`. Returns
/// nothing if the closest points lie on other features, or if the cores overlap.
std::optional<ConvexDistance> closest_features(const ConvexPair& pair, math::Vec3d axis,
                                               double max_distance);

}  // namespace jostle::physics
