#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <cmath>

namespace jostle::check {

/// A vector in double precision. The checker has its own, so that it shares no arithmetic with the
/// engine.
struct Vector {
  double x = 0, y = 0, z = 0;
};

constexpr Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vector operator-(Vector a) {
  return {-a.x, -a.y, -a.z};
}
constexpr Vector operator*(double s, Vector a) {
  return {s * a.x, s * a.y, s * a.z};
}
constexpr double dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vector a) {
  return std::sqrt(dot(a, a));
}
inline Vector widen(math::Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// A rigid transform, v ↦ origin + rotation·v. x, y and z are the columns of the rotation.
struct Frame {
  Vector origin;
  Vector x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Vector to_world(Vector local) const { return origin + local.x * x + local.y * y + local.z * z; }
  Vector rotate(Vector local) const { return local.x * x + local.y * y + local.z * z; }
  Vector unrotate(Vector world) const { return {dot(x, world), dot(y, world), dot(z, world)}; }
};

/// Makes the frame of a pose. Normalises the quaternion first, because floats of a dump have only
/// seven digits.
Frame make_frame(math::Vec3 position, math::Quat rotation);
Frame operator*(const Frame& outer, const Frame& inner);

}  // namespace jostle::check
