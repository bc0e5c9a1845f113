#pragma once

#include "shared/geometry/detail/solid_mesh.h"
#include "shared/math/vec3d.h"

#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

struct Plane {
  math::Vec3d normal;  // unit normal
  double offset = 0;   // value of normal · x for points in the plane

  double height(math::Vec3d p) const { return dot(normal, p) - offset; }
};

/// Convex polygons that share points.
struct Polygons {
  struct Face {
    std::uint32_t first = 0, count = 0;  // range in `loops`
    math::Vec3d normal;                  // outward unit normal
  };

  std::vector<math::Vec3d> points;
  std::vector<std::uint32_t> loops;  // point indices, polygon after polygon
  std::vector<Face> faces;
};

/// The part of a solid that lies in a convex cell. `surface` is the surface of the solid clipped to
/// the cell, without caps. A cap would add no corners to the part except corners of the cell
/// itself.
struct SolidPart {
  Polygons surface;
  Polygons cell;
  /// Points of the part that include all of its corners, some more than once. The part's hull is
  /// their hull.
  std::vector<math::Vec3d> corners;
};

/// Returns the whole solid as one part, in a cell that is a box around it.
SolidPart whole(const SolidMesh& solid);

struct TwoParts {
  SolidPart below, above;
};

/// Splits a part at a plane. A face that lies in the plane belongs to the side on which the solid
/// lies behind it.
TwoParts cut(const SolidMesh& solid, const SolidPart& part, const Plane& plane);

/// Returns the distance in m below which a point counts as lying in a plane.
double plane_tolerance(const SolidMesh& solid);

}  // namespace jostle::geometry::detail
