#pragma once

#include "shared/math/vec3.h"

#include <cmath>

namespace jostle::geometry::detail {

/// For sums and roots that float would lose: a ball of 1 cm seen from 1 km, the volume of a hull
/// that is thin.
struct Vec3d {
  double x = 0, y = 0, z = 0;
};

constexpr Vec3d wide(math::Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
constexpr math::Vec3 narrow(Vec3d v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
constexpr Vec3d operator+(Vec3d a, Vec3d b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vec3d operator-(Vec3d a, Vec3d b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
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
inline double length(Vec3d a) {
  return std::sqrt(dot(a, a));
}

/// The point of the segment from a to b that is nearest to p.
constexpr Vec3d closest_on_segment(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0.0 ? dot(p - a, along) / squared : 0.0;
  return a + along * (t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t);
}
inline double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
  return length(p - closest_on_segment(p, a, b));
}

}  // namespace jostle::geometry::detail
