#include "api/physics/limits.h"

#include "api/base/checks.h"
#include "shared/math/vec3d.h"

#include <algorithm>
#include <cmath>

namespace jostle::api {
namespace {

/// Returns an upper bound of the largest element of the inverse of a symmetric positive matrix.
double inverse_bound(const math::Mat3& matrix) {
  const math::Mat3d m = math::widened(matrix);
  const math::Vec3d rows[3] = {cross(m.cy, m.cz), cross(m.cz, m.cx), cross(m.cx, m.cy)};
  const double determinant = dot(m.cx, rows[0]);
  if (!(determinant > 0)) return 0;
  double largest = 0;
  for (const math::Vec3d& row : rows)
    largest = std::max({largest, std::abs(row.x), std::abs(row.y), std::abs(row.z)});
  return largest / determinant;
}

}  // namespace

void require_speed(const jostle_vec3& velocity, const char* name) {
  require_range(velocity, -max_speed, max_speed, name, "m/s or rad/s");
}

void require_near(const jostle_position& point, const char* name) {
  for (const double x : {point.x, point.y, point.z})
    require_range(x, -max_distance, max_distance, name, "m");
}

void require_body_pose(const jostle_pose& pose, const char* name) {
  require_pose(pose, name, max_distance);
}

void require_angular_impulse(const physics::World& world, physics::BodyHandle body,
                             math::Vec3 impulse) {
  if (world.motion_type(body) != physics::MotionType::Dynamic) return;
  constexpr double max_change = 1e30;  // rad/s
  const double change =
      3 * length(math::widened(impulse)) * inverse_bound(world.inertia_local(body));
  if (change <= max_change) return;
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
         "the impulse would change the angular velocity by %g rad/s; accepted: up to %g", change,
         max_change);
}

}  // namespace jostle::api
