#include "shared/forces/explosion.h"

#include "shared/forces/facing_area.h"
#include "shared/geometry/closest_point.h"
#include "shared/geometry/mass_properties.h"

#include <cmath>

namespace jostle::forces {

using math::Vec3;

bool is_valid(const Explosion& explosion) {
  return is_finite(explosion.centre) && explosion.radius >= 0.0f &&
         explosion.radius <= max_blast_radius && explosion.impulse >= 0.0f &&
         explosion.impulse <= max_blast_impulse;
}

Blow blow_of(const Explosion& explosion, const state::Shape& shape, const math::Pose& pose) {
  if (state::is_static_only(shape.kind)) return {};
  const Vec3 local = inverse_transform_point(pose, explosion.centre);
  const geometry::SurfacePoint nearest = geometry::closest_point(shape, local);
  if (!(nearest.distance < explosion.radius)) return {};
  Vec3 at = nearest.point;
  float share = 1.0f;
  if (nearest.distance > 0.0f) {
    share = 1.0f - nearest.distance / explosion.radius;
  } else {
    at = geometry::mass_properties(shape, 1).centre;
  }
  const Vec3 up = inverse_rotate(pose.rotation, {0, 1, 0});
  const Vec3 direction = normalized_or(at - local, up);
  const float size = explosion.impulse * share * facing_area(shape, direction);
  return {rotate(pose.rotation, direction * size), transform_point(pose, at)};
}

}  // namespace jostle::forces
