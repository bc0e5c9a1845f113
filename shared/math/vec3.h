#pragma once

#include <cmath>

namespace jostle::math {

/// Three floats, for directions, velocities, offsets and momenta.
struct Vec3 {
  float x = 0, y = 0, z = 0;

  constexpr bool operator==(const Vec3&) const = default;
  constexpr float operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vec3 operator-(Vec3 a) {
  return {-a.x, -a.y, -a.z};
}
constexpr Vec3 operator*(Vec3 a, float s) {
  return {a.x * s, a.y * s, a.z * s};
}
constexpr Vec3 operator*(float s, Vec3 a) {
  return a * s;
}
constexpr Vec3 operator/(Vec3 a, float s) {
  return {a.x / s, a.y / s, a.z / s};
}
constexpr Vec3& operator+=(Vec3& a, Vec3 b) {
  return a = a + b;
}
constexpr Vec3& operator-=(Vec3& a, Vec3 b) {
  return a = a - b;
}
constexpr Vec3& operator*=(Vec3& a, float s) {
  return a = a * s;
}

constexpr float dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr Vec3 multiply_elements(Vec3 a, Vec3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
constexpr float length_squared(Vec3 a) {
  return dot(a, a);
}
inline float length(Vec3 a) {
  return std::sqrt(dot(a, a));
}

/// Returns the smaller value, or b if the two are equal or one is NaN. All code uses this
/// definition and that of max_of, so that results do not depend on the standard library.
constexpr float min_of(float a, float b) {
  return a < b ? a : b;
}
constexpr float max_of(float a, float b) {
  return a > b ? a : b;
}
constexpr float clamp(float value, float low, float high) {
  return value < low ? low : value > high ? high : value;
}
constexpr float abs_of(float a) {
  return a < 0.0f ? -a : a;
}
constexpr Vec3 min_of(Vec3 a, Vec3 b) {
  return {min_of(a.x, b.x), min_of(a.y, b.y), min_of(a.z, b.z)};
}
constexpr Vec3 max_of(Vec3 a, Vec3 b) {
  return {max_of(a.x, b.x), max_of(a.y, b.y), max_of(a.z, b.z)};
}
constexpr Vec3 abs_of(Vec3 a) {
  return {abs_of(a.x), abs_of(a.y), abs_of(a.z)};
}

/// Returns the unit vector along `a`, or `fallback` if `a` is too short to have a direction.
inline Vec3 normalized_or(Vec3 a, Vec3 fallback) {
  const float squared = dot(a, a);
  if (!(squared > 1e-30f)) return fallback;
  return a * (1.0f / std::sqrt(squared));
}

/// Returns a unit vector perpendicular to the unit vector `n`. Branches only on the sign of n.z
/// (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017).
inline Vec3 perpendicular(Vec3 n) {
  const float sign = n.z < 0.0f ? -1.0f : 1.0f;
  const float a = -1.0f / (sign + n.z);
  return {1.0f + sign * n.x * n.x * a, sign * (n.x * n.y * a), -sign * n.x};
}

inline bool is_finite(Vec3 a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A position in the world, in metres. It is stored in double, so that a scene 100 km from the
/// origin behaves like one at the origin.
struct Position {
  double x = 0, y = 0, z = 0;

  constexpr bool operator==(const Position&) const = default;
};

constexpr Position operator+(Position a, Vec3 b) {
  return {a.x + static_cast<double>(b.x), a.y + static_cast<double>(b.y),
          a.z + static_cast<double>(b.z)};
}
constexpr Position operator-(Position a, Vec3 b) {
  return a + -b;
}
/// Returns the offset from b to a. It is precise for points near each other, because the
/// subtraction is done in double.
constexpr Vec3 operator-(Position a, Position b) {
  return {static_cast<float>(a.x - b.x), static_cast<float>(a.y - b.y),
          static_cast<float>(a.z - b.z)};
}
constexpr Position to_position(Vec3 a) {
  return Position{} + a;
}
/// Returns the position rounded to float, which is precise only near the origin.
constexpr Vec3 to_vec3(Position a) {
  return a - Position{};
}

inline bool is_finite(Position a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace jostle::math
