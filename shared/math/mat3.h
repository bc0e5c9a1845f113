#pragma once

#include "shared/math/vec3.h"

namespace jostle::math {

/// 3×3 matrix, stored by columns.
struct Mat3 {
  Vec3 cx{1, 0, 0}, cy{0, 1, 0}, cz{0, 0, 1};

  constexpr bool operator==(const Mat3&) const = default;
};

constexpr Mat3 diagonal(Vec3 d) {
  return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
}
constexpr Mat3 zero_matrix() {
  return {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}
constexpr Vec3 operator*(const Mat3& m, Vec3 v) {
  return m.cx * v.x + m.cy * v.y + m.cz * v.z;
}
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  return {a * b.cx, a * b.cy, a * b.cz};
}
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {a.cx + b.cx, a.cy + b.cy, a.cz + b.cz};
}
constexpr Mat3 operator*(const Mat3& a, float s) {
  return {a.cx * s, a.cy * s, a.cz * s};
}
constexpr Mat3 transpose(const Mat3& m) {
  return {{m.cx.x, m.cy.x, m.cz.x}, {m.cx.y, m.cy.y, m.cz.y}, {m.cx.z, m.cy.z, m.cz.z}};
}
/// Returns transpose(m) * v without forming the transpose.
constexpr Vec3 transpose_multiply(const Mat3& m, Vec3 v) {
  return {dot(m.cx, v), dot(m.cy, v), dot(m.cz, v)};
}
/// Returns the matrix for which skew(a) * b == cross(a, b).
constexpr Mat3 skew(Vec3 a) {
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}
constexpr float determinant(const Mat3& m) {
  return dot(m.cx, cross(m.cy, m.cz));
}
/// Returns the inverse by cofactors, or the zero matrix if the determinant is zero.
constexpr Mat3 inverse(const Mat3& m) {
  const float det = determinant(m);
  if (det == 0.0f) return zero_matrix();
  const Mat3 adjugate_rows{cross(m.cy, m.cz), cross(m.cz, m.cx), cross(m.cx, m.cy)};
  return transpose(adjugate_rows) * (1.0f / det);
}

}  // namespace jostle::math
