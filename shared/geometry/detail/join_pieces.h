#pragma once

#include "shared/geometry/detail/effort.h"
#include "shared/geometry/detail/solid_mesh.h"
#include "shared/state/solid.h"

#include <vector>

namespace jostle::geometry::detail {

/// A convex piece: points, and a hull around them.
struct Piece {
  std::vector<math::Vec3> points;
  state::ConvexHull hull;
};

/// Joins neighbours, those first whose joint hull adds the least volume, for as long as the joint
/// hull is within `error` of the solid. While there are more than `max_pieces`, `error` grows by a
/// quarter, and more are joined. Ends early where the effort is spent.
void join_pieces(std::vector<Piece>& pieces, const SolidMesh& solid, std::size_t max_pieces,
                 double& error, Effort& effort);

inline constexpr double error_growth = 1.25;

}  // namespace jostle::geometry::detail
