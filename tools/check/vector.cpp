#include "tools/check/vector.h"

namespace jostle::check {

Frame make_frame(math::Vec3 position, math::Quat rotation) {
  double x = static_cast<double>(rotation.x), y = static_cast<double>(rotation.y);
  double z = static_cast<double>(rotation.z), w = static_cast<double>(rotation.w);
  const double scale = 1 / std::sqrt(x * x + y * y + z * z + w * w);
  x *= scale;
  y *= scale;
  z *= scale;
  w *= scale;
  Frame frame;
  frame.origin = widen(position);
  frame.x = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  frame.y = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
  frame.z = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  return frame;
}

Frame operator*(const Frame& outer, const Frame& inner) {
  return {outer.to_world(inner.origin), outer.rotate(inner.x), outer.rotate(inner.y),
          outer.rotate(inner.z)};
}

}  // namespace jostle::check
