#pragma once

#include "protocol/quantize.h"

#include <array>
#include <cstdint>

namespace jostle::protocol::context {

using IntVec3 = std::array<std::int32_t, 3>;
/// x, y, z, w in 1/16384.
using IntQuat = std::array<std::int32_t, 4>;

inline constexpr std::int32_t one = 1 << 14;
inline constexpr std::int64_t one_squared = std::int64_t{one} * one;

/// Largest r with r² <= value.
std::uint32_t square_root(std::uint64_t value);
/// 16 log2(|value| + 1), the part below an octave linear.
int log_size(std::int64_t value);

IntQuat unpack_rotation(const QuantizedBody& body);
/// Hamilton product: first b, then a.
IntQuat multiply(const IntQuat& a, const IntQuat& b);
/// The unit quaternion with this vector part and a scalar part that is not negative; what is too
/// long is shortened.
IntQuat from_vector(IntVec3& vector);
/// Vector part of the rotation, at most half a turn, that leads from `from` to `to`, world frame.
IntVec3 turn_between(const IntQuat& from, const IntQuat& to);
/// Where a turn with vector part `turn` carries `arm`, less `arm`.
IntVec3 displacement_of_turn(const IntVec3& turn, const IntVec3& arm);

}  // namespace jostle::protocol::context
