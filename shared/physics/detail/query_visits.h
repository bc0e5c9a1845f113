#pragma once

#include "shared/physics/detail/world_state.h"

#include <tuple>
#include <utility>

namespace jostle::physics {

inline bool passes(const QueryFilter& filter, const ShapeRecord& shape) {
  return (shape.def.filter.category & filter.mask) != 0 &&
         (filter.sees_sensors || !shape.def.is_sensor);
}

inline bool is_before(const CastHit& x, const CastHit& y) {
  return std::tie(x.fraction, x.shape) < std::tie(y.fraction, y.shape);
}

/// Returns true if the ray passes through the box before `max_fraction` of its length. Boxes in the
/// trees are larger than the shapes, so that rounding here misses no hit.
inline bool passes_through(const Ray& ray, const math::Aabb& box, double max_fraction) {
  double enter = 0.0, leave = max_fraction;
  const auto cut = [&](double origin, float step, double low, double high) {
    const double d = static_cast<double>(step);
    if (d == 0.0) return origin >= low && origin <= high;
    double near = (low - origin) / d, far = (high - origin) / d;
    if (near > far) std::swap(near, far);
    if (near > enter) enter = near;
    if (far < leave) leave = far;
    return enter <= leave;
  };
  return cut(ray.origin.x, ray.translation.x, box.lower.x, box.upper.x) &&
         cut(ray.origin.y, ray.translation.y, box.lower.y, box.upper.y) &&
         cut(ray.origin.z, ray.translation.z, box.lower.z, box.upper.z);
}

/// Calls `visit(shape slot)` for all shapes whose box in its tree passes `test`, and for all
/// planes. The box is the fat AABB; for a sensor it is the tight AABB, extended by the sensor's
/// motion in the last step.
template <typename Test, typename Visit>
void visit_shapes(const WorldState& world, Test&& test, Visit&& visit) {
  world.static_tree.query_if(test, visit);
  world.moving_tree.query_if(test, visit);
  world.sensor_tree.query_if(test, visit);
  for (const std::uint32_t plane : world.planes)
    visit(plane);
}

}  // namespace jostle::physics
