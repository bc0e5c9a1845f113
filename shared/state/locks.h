#pragma once

#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::state {

/// What a dynamic body cannot do: one bit for each axis of the world along which it does not move,
/// and about which it does not turn.
using Locks = std::uint8_t;

inline constexpr Locks lock_linear_x = 1, lock_linear_y = 2, lock_linear_z = 4;
inline constexpr Locks lock_angular_x = 8, lock_angular_y = 16, lock_angular_z = 32;

inline constexpr Locks lock_rotation = lock_angular_x | lock_angular_y | lock_angular_z;
/// Of a flat world: what moves stays in its plane of constant z, and turns within it.
inline constexpr Locks lock_planar = lock_linear_z | lock_angular_x | lock_angular_y;
inline constexpr Locks lock_all = 63;

constexpr Locks linear_part(Locks locks) {
  return static_cast<Locks>(locks & 7);
}
/// As if they were of the linear axes.
constexpr Locks angular_part(Locks locks) {
  return static_cast<Locks>(locks >> 3);
}

/// The vector without its components along the first three bits; the others keep theirs.
constexpr math::Vec3 without(Locks axes, math::Vec3 v) {
  return {(axes & 1) != 0 ? 0.0f : v.x, (axes & 2) != 0 ? 0.0f : v.y, (axes & 4) != 0 ? 0.0f : v.z};
}
constexpr math::Vec3 free_linear(Locks locks, math::Vec3 v) {
  return without(linear_part(locks), v);
}
constexpr math::Vec3 free_angular(Locks locks, math::Vec3 v) {
  return without(angular_part(locks), v);
}

}  // namespace jostle::state
