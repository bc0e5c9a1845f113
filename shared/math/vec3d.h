#pragma once

#include "shared/math/mat3.h"
#include "shared/math/vec3.h"

#include <cmath>
#include <cstddef>

namespace jostle::math {

/// Three doubles, for calculations in which float loses too many digits: a ray against a ball of 1
/// cm from a distance of 1 km, the volume of a thin hull, differences that cancel.
struct Vec3d {
  double x = 0, y = 0, z = 0;

  constexpr bool operator==(const Vec3d&) const = default;
};

constexpr Vec3d operator+(Vec3d a, Vec3d b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vec3d operator-(Vec3d a, Vec3d b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vec3d operator-(Vec3d a) {
  return {-a.x, -a.y, -a.z};
}
constexpr Vec3d operator*(Vec3d a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
constexpr double dot(Vec3d a, Vec3d b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3d cross(Vec3d a, Vec3d b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Returns the component along the x, y or z axis, numbered 0 to 2.
constexpr double component(Vec3d v, std::size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
inline double length(Vec3d a) {
  return std::sqrt(dot(a, a));
}

constexpr Vec3d widened(Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
constexpr Vec3 narrowed(Vec3d v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// 3×3 matrix of doubles, stored by columns.
struct Mat3d {
  Vec3d cx{1, 0, 0}, cy{0, 1, 0}, cz{0, 0, 1};
};
constexpr Vec3d operator*(const Mat3d& m, Vec3d v) {
  return m.cx * v.x + m.cy * v.y + m.cz * v.z;
}
constexpr Vec3d transpose_multiply(const Mat3d& m, Vec3d v) {
  return {dot(m.cx, v), dot(m.cy, v), dot(m.cz, v)};
}
constexpr Mat3d widened(const Mat3& m) {
  return {widened(m.cx), widened(m.cy), widened(m.cz)};
}
/// Returns transpose(a) · b: the frame b relative to the frame a.
constexpr Mat3d transpose_multiply(const Mat3d& a, const Mat3d& b) {
  return {transpose_multiply(a, b.cx), transpose_multiply(a, b.cy), transpose_multiply(a, b.cz)};
}
constexpr Mat3 narrowed(const Mat3d& m) {
  return {narrowed(m.cx), narrowed(m.cy), narrowed(m.cz)};
}

}  // namespace jostle::math
