#pragma once

#include "shared/geometry/detail/effort.h"
#include "shared/geometry/detail/solid_mesh.h"
#include "shared/state/solid.h"

#include <vector>

namespace jostle::geometry::detail {

/// A convex piece: points and a hull that encloses them.
struct Piece {
  std::vector<math::Vec3> points;
  state::ConvexHull hull;
};

/// Merges neighbouring pieces while the merged hull stays within `error` of the solid, pairs that
/// add the least volume first. While more than `max_pieces` remain, multiplies `error` by
/// `error_growth` and continues. Stops early if the `effort` budget is used up or the error exceeds
/// four times the extent of the solid.
void join_pieces(std::vector<Piece>& pieces, const SolidMesh& solid, std::size_t max_pieces,
                 double& error, Effort& effort);

inline constexpr double error_growth = 1.25;

}  // namespace jostle::geometry::detail
