#pragma once

#include "protocol/quantize.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
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
inline std::uint32_t square_root(std::uint64_t value) {
  constexpr std::uint64_t most = 0xFFFFFFFF;
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
  // A double has 53 bits and the value 64, so the root may be off by one.
  root = std::min(root, most);
  if (root * root > value)
    --root;
  else if (root < most && (root + 1) * (root + 1) <= value)
    ++root;
  return static_cast<std::uint32_t>(root);
}
/// Returns 16 log2(|value| + 1), interpolated linearly within an octave.
inline int log_size(std::int64_t value) {
  const auto size =
      (value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)) + 1;
  const int octave = static_cast<int>(std::bit_width(size)) - 1;
  const std::uint64_t sixteenths = octave >= 4 ? size >> (octave - 4) : size << (4 - octave);
  return octave * 16 + static_cast<int>(sixteenths & 15U);
}

/// The same without a branch, for the many values of 32 bits.
inline int log_size(std::int32_t value) {
  const std::uint64_t size =
      static_cast<std::uint64_t>(value < 0 ? -std::int64_t{value} : value) + 1;
  const int octave = static_cast<int>(std::bit_width(size)) - 1;
  return octave * 16 + static_cast<int>((size << 4 >> octave) & 15U);
}

namespace detail {

inline constexpr int rotation_zero = 1 << (rotation_bits - 1);
/// Step of a component on the wire (protocol/quantize.cpp): about one / (sqrt(2) * 255), in 1/1024.
inline constexpr std::int32_t component_step = 46'527;

inline std::int64_t squared_length(const IntVec3& v) {
  return std::int64_t{v[0]} * v[0] + std::int64_t{v[1]} * v[1] + std::int64_t{v[2]} * v[2];
}

inline std::int32_t rest_of(std::int64_t squared) {
  return static_cast<std::int32_t>(
      square_root(static_cast<std::uint64_t>(std::max<std::int64_t>(one_squared - squared, 0))));
}

}  // namespace detail

inline IntQuat unpack_rotation(const QuantizedBody& body) {
  IntQuat q{};
  const std::size_t largest = body.largest & 3U;
  std::int64_t squared = 0;
  for (std::size_t i = 0, from = 0; i < 4; ++i) {
    if (i == largest) continue;
    const std::int32_t scaled =
        (body.smallest[from++] - detail::rotation_zero) * detail::component_step;
    q[i] = (scaled + (scaled < 0 ? -512 : 512)) / 1024;
    squared += std::int64_t{q[i]} * q[i];
  }
  q[largest] = detail::rest_of(squared);
  return q;
}
/// Returns the Hamilton product: rotation b, then a.
inline IntQuat multiply(const IntQuat& a, const IntQuat& b) {
  const auto p = [&](std::size_t i, std::size_t j) { return std::int64_t{a[i]} * b[j]; };
  const auto round = [](std::int64_t value) {
    return static_cast<std::int32_t>((value + one / 2) >> 14);
  };
  return {
      round(p(3, 0) + p(0, 3) + p(1, 2) - p(2, 1)), round(p(3, 1) - p(0, 2) + p(1, 3) + p(2, 0)),
      round(p(3, 2) + p(0, 1) - p(1, 0) + p(2, 3)), round(p(3, 3) - p(0, 0) - p(1, 1) - p(2, 2))};
}
/// Returns the unit quaternion with this vector part and a non-negative scalar part. A vector
/// longer than 15,500/16,384 is first shortened in place to this length.
inline IntQuat from_vector(IntVec3& vector) {
  constexpr std::int64_t longest = 15'500;
  if (detail::squared_length(vector) > longest * longest) {
    const auto length = static_cast<std::int64_t>(square_root(
                            static_cast<std::uint64_t>(detail::squared_length(vector)))) +
                        1;
    for (std::int32_t& axis : vector)
      axis = static_cast<std::int32_t>(axis * longest / length);
  }
  return {vector[0], vector[1], vector[2], detail::rest_of(detail::squared_length(vector))};
}
/// Returns the vector part of the rotation, at most half a turn, from `from` to `to` in the world
/// frame.
inline IntVec3 turn_between(const IntQuat& from, const IntQuat& to) {
  const IntQuat turn = multiply(to, {-from[0], -from[1], -from[2], from[3]});
  const std::int32_t sign = turn[3] < 0 ? -1 : 1;
  return {sign * turn[0], sign * turn[1], sign * turn[2]};
}
/// Returns the displacement of `arm` when it is rotated by the quaternion with vector part `turn`.
inline IntVec3 displacement_of_turn(const IntVec3& turn, const IntVec3& arm) {
  // With q = (h, w) and the arm r: R(q) r - r = 2 w (h x r) + 2 h x (h x r).
  const auto cross = [](const IntVec3& a, const std::array<std::int64_t, 3>& b) {
    return std::array<std::int64_t, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                       a[0] * b[1] - a[1] * b[0]};
  };
  const std::int64_t w = detail::rest_of(detail::squared_length(turn));
  const auto once = cross(turn, {arm[0], arm[1], arm[2]});
  const auto twice = cross(turn, once);
  IntVec3 result{};
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = static_cast<std::int32_t>(2 * (((w * once[i]) >> 14) + (twice[i] >> 14)) >> 14);
  return result;
}

}  // namespace jostle::protocol::context
