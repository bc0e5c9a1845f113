#pragma once

#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::state {

/// Locked degrees of freedom of a dynamic body: one bit per world axis for translation along it,
/// and one for rotation about it.
using MotionLocks = std::uint8_t;

inline constexpr MotionLocks lock_linear_x = 1, lock_linear_y = 2, lock_linear_z = 4;
inline constexpr MotionLocks lock_angular_x = 8, lock_angular_y = 16, lock_angular_z = 32;

inline constexpr MotionLocks lock_rotation = lock_angular_x | lock_angular_y | lock_angular_z;
/// MotionLocks of a planar (2D) world: bodies move in their plane of constant z and rotate within
/// it.
inline constexpr MotionLocks lock_planar = lock_linear_z | lock_angular_x | lock_angular_y;
inline constexpr MotionLocks lock_all = 63;

constexpr MotionLocks linear_part(MotionLocks locks) {
  return static_cast<MotionLocks>(locks & 7);
}
/// Returns the angular locks, shifted to the bits of the linear ones.
constexpr MotionLocks angular_part(MotionLocks locks) {
  return static_cast<MotionLocks>(locks >> 3);
}

/// Returns the vector with zero for the components whose bits in `axes` (bits 0 to 2) are set.
constexpr math::Vec3 without(MotionLocks axes, math::Vec3 v) {
  return {(axes & 1) != 0 ? 0.0f : v.x, (axes & 2) != 0 ? 0.0f : v.y, (axes & 4) != 0 ? 0.0f : v.z};
}
constexpr math::Vec3 free_linear(MotionLocks locks, math::Vec3 v) {
  return without(linear_part(locks), v);
}
constexpr math::Vec3 free_angular(MotionLocks locks, math::Vec3 v) {
  return without(angular_part(locks), v);
}

}  // namespace jostle::state
