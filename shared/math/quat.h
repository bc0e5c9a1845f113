#pragma once

#include "shared/math/mat3.h"
#include "shared/math/vec3.h"

#include <cmath>

namespace jostle::math {

/// A rotation as a unit quaternion. x, y, z is the vector part and w the real part.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;

  constexpr bool operator==(const Quat&) const = default;
};

/// Returns the Hamilton product, a rotation that applies b first, then a.
constexpr Quat operator*(Quat a, Quat b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
constexpr Quat conjugate(Quat q) {
  return {-q.x, -q.y, -q.z, q.w};
}
constexpr Quat negate(Quat q) {
  return {-q.x, -q.y, -q.z, -q.w};
}
constexpr float dot(Quat a, Quat b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// Returns the unit quaternion along `q`, or the identity if `q` is too short to have a direction.
inline Quat normalized(Quat q) {
  const float squared = dot(q, q);
  if (!(squared > 1e-30f)) return {};
  const float s = 1.0f / std::sqrt(squared);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

/// Rotates v by the unit quaternion q: v + 2w(u×v) + 2u×(u×v), where u is the vector part.
constexpr Vec3 rotate(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0f * cross(u, v);
  return v + q.w * t + cross(u, t);
}
constexpr Vec3 inverse_rotate(Quat q, Vec3 v) {
  return rotate(conjugate(q), v);
}

/// Returns the rotation matrix of the unit quaternion q.
constexpr Mat3 to_matrix(Quat q) {
  const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

inline bool is_finite(Quat q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}
/// Returns true if q is finite and its squared length differs from 1 by less than `tolerance`.
inline bool is_unit(Quat q, float tolerance) {
  return is_finite(q) && abs_of(dot(q, q) - 1.0f) < tolerance;
}

}  // namespace jostle::math
