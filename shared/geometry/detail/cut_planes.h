#pragma once

#include "shared/geometry/detail/solid_part.h"

#include <vector>

namespace jostle::geometry::detail {

/// An edge of a solid at which its surface bends inwards.
struct ReflexEdge {
  math::Vec3d tail, head;
  math::Vec3d normal_a, normal_b;  // of the two triangles, outward, unit
};

/// Those that bend by more than a tenth of a radian. Of a mesh without faults.
std::vector<ReflexEdge> find_reflex_edges(const state::TriangleMesh& mesh);

/// Finds planes that take a part closer to convex pieces.
class PlaneSearch {
 public:
  PlaneSearch(const SolidMesh& solid, std::vector<ReflexEdge> edges)
      : solid_(solid), edges_(std::move(edges)) {}

  /// Planes through the part, the best first, no more than `max_planes`. Both sides have a volume.
  std::vector<Plane> best_planes(const SolidPart& part, std::size_t max_planes) const;

 private:
  const SolidMesh& solid_;
  std::vector<ReflexEdge> edges_;
};

}  // namespace jostle::geometry::detail
