#pragma once

#include "tools/check/vector.h"
#include "tools/workload/scene.h"

#include <vector>

namespace jostle::check {

/// A convex shape in the world: a core and a ball of `radius` around each of its points. Spheres
/// and capsules have a point and a segment as their cores, all others themselves.
struct Convex {
  enum class Core { Point, Segment, Box, Cylinder, Cone, Points };

  Core core = Core::Point;
  Frame frame;
  double radius = 0;
  Vector size;  // Box: half extents; Segment, Cylinder, Cone: half axis in y; radius of base in x
  std::vector<Vector> points;  // Points: in the world
};

/// Not for meshes and planes.
Convex make_convex(const workload::Shape& shape, const Frame& frame);
Convex make_triangle(Vector a, Vector b, Vector c);

/// The core's point that is farthest along `direction` (any length but 0), in the world.
Vector support(const Convex& convex, Vector direction);

struct Bounds {
  Vector low, high;
};

Bounds bounds_of(const Convex& convex);
bool overlap(const Bounds& a, const Bounds& b);

}  // namespace jostle::check
