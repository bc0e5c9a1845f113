#pragma once

#include "protocol/context/layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace jostle::protocol::context::detail {

/// Context of a residual: the rows of its tables (as first slots), and the axis and the expected
/// size, which select the weights that mix the rows.
template <std::size_t sign_contexts>
struct ValueContext {
  std::array<Slot, 8> magnitude{};
  std::array<Slot, sign_contexts> sign{};
  int axis = 0;  // position of the axis in the order of coding, 0..2
  int size = 0;  // expected size, 0..size_levels - 1
};

constexpr int written_out = magnitude_classes - 1;

constexpr int magnitude_class(std::uint32_t magnitude) {
  if (magnitude < 3) return static_cast<int>(magnitude);
  return std::min(static_cast<int>(std::bit_width(magnitude - 1)) + 1, written_out);
}

/// Codes the bits of `magnitude` that its class does not determine: the two highest with tables of
/// their own, the others with equal probabilities. Returns the magnitude.
template <class Coder>
std::uint32_t code_mantissa(Coder& coder, Slot table, int magnitude_class,
                            std::uint32_t magnitude) {
  constexpr int own = 2;
  const Slot slot = table + static_cast<Slot>(magnitude_class) * 4;
  std::uint32_t value = 1;
  int left = magnitude_class - 2;
  for (int i = 0; i < own && left > 0; ++i) {
    --left;
    const bool bit = (((magnitude - 1) >> left) & 1U) != 0;
    value = value * 2 + (coder.single_context_bit(slot + value, bit) ? 1 : 0);
  }
  if (left > 0) {
    const std::uint32_t mask = (1U << left) - 1;
    value = value << left | coder.raw_bits((magnitude - 1) & mask, static_cast<unsigned>(left));
  }
  return value + 1;
}

/// Codes 32 bits with equal probabilities.
template <class Coder>
std::uint32_t code_word(Coder& coder, std::uint32_t word) {
  const std::uint32_t high = coder.raw_bits(word >> 16, 16);
  return high << 16 | coder.raw_bits(word & 0xFFFFU, 16);
}

/// Codes a residual: the class of its magnitude as a tree of four bits, the sign, and the other
/// bits of the magnitude. Returns the residual; a decoder ignores its argument. All 32-bit values
/// are supported.
template <class Coder, std::size_t sign_contexts>
std::int32_t code_value(Coder& coder, const ValueTables& tables,
                        const ValueContext<sign_contexts>& context, std::int32_t residual) {
  const auto bits = static_cast<std::uint32_t>(residual);
  std::uint32_t magnitude = residual < 0 ? 0U - bits : bits;
  const int wanted = magnitude_class(magnitude);
  std::uint32_t node = 1;
  for (int i = 3; i >= 0; --i) {
    const int depth = 3 - i;
    const bool bit = coder.bit(
        context.magnitude, node,
        tables.magnitude_by_node.at(context.axis * magnitude_classes + static_cast<int>(node)),
        tables.magnitude_by_size.at(context.size * 4 + depth), ((wanted >> i) & 1) != 0);
    node = node * 2 + (bit ? 1 : 0);
  }
  const int found = static_cast<int>(node) & written_out;
  if (found == 0) return 0;
  const bool is_negative =
      coder.bit(context.sign, 0, tables.sign_by_class.at(context.axis * 4 + std::min(found, 3)),
                tables.sign_by_size.at(context.size), residual < 0);
  if (found < 3) {
    magnitude = static_cast<std::uint32_t>(found);
  } else if (found == written_out) {
    magnitude = code_word(coder, magnitude);
  } else {
    magnitude = code_mantissa(coder, tables.mantissa.at(0, context.size), found, magnitude);
  }
  return static_cast<std::int32_t>(is_negative ? 0U - magnitude : magnitude);
}

/// Returns 0 below -dead, 2 above dead, otherwise 1.
constexpr int sign_class(std::int32_t value, std::int32_t dead) {
  return value > dead ? 2 : value < -dead ? 0 : 1;
}

}  // namespace jostle::protocol::context::detail
