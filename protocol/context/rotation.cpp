#include "protocol/context/rotation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jostle::protocol::context {
namespace {

constexpr int rotation_zero = 1 << (rotation_bits - 1);
/// Step of a component on the wire (protocol/quantize.cpp): about one / (sqrt(2) * 255), in 1/1024.
constexpr std::int32_t component_step = 46'527;

std::int64_t squared_length(const IntVec3& v) {
  return std::int64_t{v[0]} * v[0] + std::int64_t{v[1]} * v[1] + std::int64_t{v[2]} * v[2];
}

std::int32_t rest_of(std::int64_t squared) {
  return static_cast<std::int32_t>(
      square_root(static_cast<std::uint64_t>(std::max<std::int64_t>(one_squared - squared, 0))));
}

}  // namespace

std::uint32_t square_root(std::uint64_t value) {
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

IntQuat unpack_rotation(const QuantizedBody& body) {
  IntQuat q{};
  const std::size_t largest = body.largest & 3U;
  std::int64_t squared = 0;
  for (std::size_t i = 0, from = 0; i < 4; ++i) {
    if (i == largest) continue;
    const std::int32_t scaled = (body.smallest[from++] - rotation_zero) * component_step;
    q[i] = (scaled + (scaled < 0 ? -512 : 512)) / 1024;
    squared += std::int64_t{q[i]} * q[i];
  }
  q[largest] = rest_of(squared);
  return q;
}

IntQuat multiply(const IntQuat& a, const IntQuat& b) {
  const auto p = [&](std::size_t i, std::size_t j) { return std::int64_t{a[i]} * b[j]; };
  const auto round = [](std::int64_t value) {
    return static_cast<std::int32_t>((value + one / 2) >> 14);
  };
  return {
      round(p(3, 0) + p(0, 3) + p(1, 2) - p(2, 1)), round(p(3, 1) - p(0, 2) + p(1, 3) + p(2, 0)),
      round(p(3, 2) + p(0, 1) - p(1, 0) + p(2, 3)), round(p(3, 3) - p(0, 0) - p(1, 1) - p(2, 2))};
}

IntQuat from_vector(IntVec3& vector) {
  constexpr std::int64_t longest = 15'500;
  if (squared_length(vector) > longest * longest) {
    const auto length =
        static_cast<std::int64_t>(square_root(static_cast<std::uint64_t>(squared_length(vector)))) +
        1;
    for (std::int32_t& axis : vector)
      axis = static_cast<std::int32_t>(axis * longest / length);
  }
  return {vector[0], vector[1], vector[2], rest_of(squared_length(vector))};
}

IntVec3 turn_between(const IntQuat& from, const IntQuat& to) {
  const IntQuat turn = multiply(to, {-from[0], -from[1], -from[2], from[3]});
  const std::int32_t sign = turn[3] < 0 ? -1 : 1;
  return {sign * turn[0], sign * turn[1], sign * turn[2]};
}

IntVec3 displacement_of_turn(const IntVec3& turn, const IntVec3& arm) {
  // With q = (h, w) and the arm r: R(q) r - r = 2 w (h x r) + 2 h x (h x r).
  const auto cross = [](const IntVec3& a, const std::array<std::int64_t, 3>& b) {
    return std::array<std::int64_t, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                       a[0] * b[1] - a[1] * b[0]};
  };
  const std::int64_t w = rest_of(squared_length(turn));
  const auto once = cross(turn, {arm[0], arm[1], arm[2]});
  const auto twice = cross(turn, once);
  IntVec3 result{};
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = static_cast<std::int32_t>(2 * (((w * once[i]) >> 14) + (twice[i] >> 14)) >> 14);
  return result;
}

}  // namespace jostle::protocol::context
