#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <btBulletDynamicsCommon.h>

namespace jostle::bench {

inline btVector3 to_bullet(math::Vec3 v) {
  return {v.x, v.y, v.z};
}
inline btTransform to_bullet(math::Vec3 position, math::Quat q) {
  return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(position));
}
inline math::Vec3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

}  // namespace jostle::bench
