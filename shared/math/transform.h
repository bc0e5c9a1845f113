#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

namespace jostle::math {

/// A rigid transform relative to a body: rotates first, then adds the offset.
struct Transform {
  Vec3 offset;
  Quat rotation;

  constexpr bool operator==(const Transform&) const = default;
};

constexpr Vec3 transform_point(const Transform& t, Vec3 p) {
  return t.offset + rotate(t.rotation, p);
}
constexpr Transform operator*(const Transform& a, const Transform& b) {
  return {transform_point(a, b.offset), a.rotation * b.rotation};
}
constexpr Transform inverse(const Transform& t) {
  const Quat rotation = conjugate(t.rotation);
  return {-rotate(rotation, t.offset), rotation};
}

/// A position and an orientation in the world.
struct Pose {
  Position position;
  Quat rotation;

  constexpr bool operator==(const Pose&) const = default;
};

constexpr Position transform_point(const Pose& pose, Vec3 local) {
  return pose.position + rotate(pose.rotation, local);
}
constexpr Vec3 inverse_transform_point(const Pose& pose, Position world) {
  return inverse_rotate(pose.rotation, world - pose.position);
}
constexpr Pose operator*(const Pose& a, const Transform& b) {
  return {transform_point(a, b.offset), a.rotation * b.rotation};
}
/// Returns the pose of b relative to a: a * relative(a, b) == b up to rounding.
constexpr Transform relative(const Pose& a, const Pose& b) {
  return {inverse_rotate(a.rotation, b.position - a.position), conjugate(a.rotation) * b.rotation};
}

}  // namespace jostle::math
