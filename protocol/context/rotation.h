#pragma once

#include "protocol/quantize.h"

#include <array>
#include <bit>
#include <cstdint>

namespace jostle::protocol::context {

/// Returns true if positions and rotations are equal. The awake flags may differ.
inline bool is_same_pose(const QuantizedBody& a, const QuantizedBody& b) {
  return a.position[0] == b.position[0] && a.position[1] == b.position[1] &&
         a.position[2] == b.position[2] && a.largest == b.largest &&
         a.smallest[0] == b.smallest[0] && a.smallest[1] == b.smallest[1] &&
         a.smallest[2] == b.smallest[2];
}

using IntVec3 = std::array<std::int32_t, 3>;
/// A quaternion x, y, z, w, in 1/16384.
using IntQuat = std::array<std::int32_t, 4>;

inline constexpr std::int32_t one = 1 << 14;
inline constexpr std::int64_t one_squared = std::int64_t{one} * one;

/// Returns the largest r with r² <= value.
std::uint32_t square_root(std::uint64_t value);
/// Returns 16 log2(|value| + 1), interpolated linearly within an octave.
inline int log_size(std::int64_t value) {
  const auto size =
      (value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)) + 1;
  const int octave = static_cast<int>(std::bit_width(size)) - 1;
  const std::uint64_t sixteenths = octave >= 4 ? size >> (octave - 4) : size << (4 - octave);
  return octave * 16 + static_cast<int>(sixteenths & 15U);
}

IntQuat unpack_rotation(const QuantizedBody& body);
/// Returns the Hamilton product: rotation b, then a.
IntQuat multiply(const IntQuat& a, const IntQuat& b);
/// Returns the unit quaternion with this vector part and a non-negative scalar part. A vector
/// longer than 15,500/16,384 is first shortened in place to this length.
IntQuat from_vector(IntVec3& vector);
/// Returns the vector part of the rotation, at most half a turn, from `from` to `to` in the world
/// frame.
IntVec3 turn_between(const IntQuat& from, const IntQuat& to);
/// Returns the displacement of `arm` when it is rotated by the quaternion with vector part `turn`.
IntVec3 displacement_of_turn(const IntVec3& turn, const IntVec3& arm);

}  // namespace jostle::protocol::context
