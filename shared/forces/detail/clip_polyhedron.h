#pragma once

#include "shared/math/vec3d.h"

#include <cstdint>
#include <vector>

namespace jostle::forces::detail {

/// A closed surface of flat, convex loops, counter-clockwise seen from outside.
struct Polyhedron {
  std::vector<math::Vec3d> points;       // loop after loop
  std::vector<std::uint32_t> loop_ends;  // ends of the loops in `points`

  void end_loop() { loop_ends.push_back(static_cast<std::uint32_t>(points.size())); }
};

/// The half-space of all points x with normal·x ≤ offset.
struct HalfSpace {
  math::Vec3d normal;  // unit normal
  double offset = 0;   // m
};

/// Returns the part of a polyhedron in the half-space. The result is closed if the polyhedron was
/// convex.
Polyhedron clipped(const Polyhedron& polyhedron, const HalfSpace& half_space);

struct Volume {
  double size = 0;     // m³
  math::Vec3d centre;  // the origin if there is no volume
};
/// Returns the volume and its centre by the divergence theorem, as a sum of tetrahedra between a
/// point and the triangles of all loops. Returns volume 0 and centre 0 if the sum is not positive.
Volume volume_of(const Polyhedron& polyhedron);

}  // namespace jostle::forces::detail
