#pragma once

#include "shared/geometry/detail/solid_mesh.h"
#include "shared/math/vec3d.h"

#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

struct Plane {
  math::Vec3d normal;  // unit
  double offset = 0;   // normal · x of the points in it

  double height(math::Vec3d p) const { return dot(normal, p) - offset; }
};

/// Convex polygons that share points.
struct Polygons {
  struct Face {
    std::uint32_t first = 0, count = 0;  // in `loops`
    math::Vec3d normal;                  // outward, unit
  };

  std::vector<math::Vec3d> points;
  std::vector<std::uint32_t> loops;  // points, polygon after polygon
  std::vector<Face> faces;
};

/// A solid's part in a convex cell. The surface is that of the solid, cut off at the cell's faces
/// without caps: what a cap would add to the corners of the part are the cell's own corners.
struct SolidPart {
  Polygons surface;
  Polygons cell;
  /// All corners of the part, some more than once, and other points of it: its hull is theirs.
  std::vector<math::Vec3d> corners;
};

/// The whole, in a cell that is a box around it.
SolidPart whole(const SolidMesh& solid);

struct TwoParts {
  SolidPart below, above;
};

/// The two sides of a plane. A face in the plane belongs to the side of the solid behind it.
TwoParts cut(const SolidMesh& solid, const SolidPart& part, const Plane& plane);

/// What is nearer to a plane lies in it, m.
double plane_tolerance(const SolidMesh& solid);

}  // namespace jostle::geometry::detail
