#pragma once

#include "tools/check/vector.h"

#include <array>

namespace jostle::check {

/// One to four points of a Minkowski difference.
struct Simplex {
  std::array<Vector, 4> points;
  int size = 0;

  void add(Vector point) { points[static_cast<std::size_t>(size++)] = point; }
};

/// Returns the point of the simplex nearest to the origin. Removes the points of the simplex that
/// are not needed to express it; all four remain only if the origin is inside.
Vector nearest_to_origin(Simplex& simplex);

}  // namespace jostle::check
