#pragma once

#include "tools/check/vector.h"
#include "tools/workload/scene.h"

#include <vector>

namespace jostle::check {

/// A convex shape in the world: a core, inflated by `radius`. The core of a sphere is a point, that
/// of a capsule a segment; other shapes are their own core.
struct Convex {
  enum class Core { Point, Segment, Box, Cylinder, Cone, Points };

  Core core = Core::Point;
  Frame frame;
  double radius = 0;
  // Box: half extents; Segment, Cylinder, Cone: half the length in y; Cylinder, Cone: radius in x
  Vector size;
  std::vector<Vector> points;  // Core::Points: in the world
};

/// Makes the convex form of a shape that is neither a mesh nor a plane.
Convex make_convex(const workload::Shape& shape, const Frame& frame);
Convex make_triangle(Vector a, Vector b, Vector c);

/// Returns the point of the core that is farthest along `direction`, in the world. `direction` must
/// not be zero.
Vector support(const Convex& convex, Vector direction);

struct Bounds {
  Vector low, high;
};

Bounds bounds_of(const Convex& convex);
bool overlap(const Bounds& a, const Bounds& b);

}  // namespace jostle::check
