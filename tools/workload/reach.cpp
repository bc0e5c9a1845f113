#include "tools/workload/reach.h"

#include <algorithm>
#include <cmath>

namespace jostle::workload {

float reach(const Shape& shape) {
  float farthest = 0;
  for (const math::Vec3& point : shape.points)
    farthest = std::max(farthest, length(point));
  switch (shape.kind) {
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
      return farthest;
    case ShapeKind::Box:
      return length(shape.half_extents);
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
      return std::sqrt(shape.radius * shape.radius + shape.half_segment * shape.half_segment);
    default:
      return shape.radius + shape.half_segment;
  }
}

float reach(const Scene& scene, const Body& body) {
  float farthest = 0;
  for (const Part& part : body.parts)
    farthest = std::max(farthest, length(part.local.offset) + reach(scene.shapes[part.shape]));
  return farthest;
}

}  // namespace jostle::workload
