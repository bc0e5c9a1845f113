#pragma once

#include "shared/geometry/detail/solid_part.h"

#include <vector>

namespace jostle::geometry::detail {

/// An edge of a solid at which the surface is concave (reflex).
struct ReflexEdge {
  math::Vec3d tail, head;
  math::Vec3d normal_a, normal_b;  // outward unit normals of the two triangles
};

/// Returns the reflex edges of a mesh without defects that bend by more than 0.1 rad.
std::vector<ReflexEdge> find_reflex_edges(const state::TriangleMesh& mesh);

/// Search for planes that split a part into nearly convex pieces.
class PlaneSearch {
 public:
  PlaneSearch(const SolidMesh& solid, std::vector<ReflexEdge> edges)
      : solid_(solid), edges_(std::move(edges)) {}

  /// Returns up to `max_planes` planes through the part, the best first. The part has volume on
  /// both sides of each.
  std::vector<Plane> best_planes(const SolidPart& part, std::size_t max_planes) const;

 private:
  const SolidMesh& solid_;
  std::vector<ReflexEdge> edges_;
};

}  // namespace jostle::geometry::detail
