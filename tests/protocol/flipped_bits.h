#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Results of decoding a message once per bit, with this bit flipped. Each member is a number of
/// bits.
struct FlippedBits {
  std::size_t refused = 0;
  std::size_t changed = 0;  // accepted with another value
  std::size_t ignored = 0;  // accepted with the same value
};

/// Decodes a message once for each of its bits, with this bit flipped. Expects that the bytes are
/// refused, or accepted with a value for which `is_encodable` returns true.
template <typename Decode, typename IsEncodable>
FlippedBits flip_each_bit(std::span<const std::byte> good, const Decode& decode,
                          const IsEncodable& is_encodable) {
  FlippedBits outcome;
  const auto original = decode(good);
  EXPECT_TRUE(original.has_value());
  if (!original) return outcome;
  std::vector<std::byte> bytes(good.begin(), good.end());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    SCOPED_TRACE(testing::Message() << "byte " << bit / 8 << ", bit " << bit % 8);
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    bytes[bit / 8] ^= mask;
    const auto value = decode(std::span<const std::byte>(bytes));
    bytes[bit / 8] ^= mask;
    if (!value) {
      ++outcome.refused;
      continue;
    }
    ++(*value == *original ? outcome.ignored : outcome.changed);
    EXPECT_TRUE(is_encodable(*value));
  }
  return outcome;
}

/// Calls flip_each_bit(). Expects that the encoding of an accepted value decodes to a value that
/// `is_same` considers equal. The encoder also asserts the limits of the value.
template <typename Decode, typename Encode, typename IsSame = std::equal_to<>>
FlippedBits decode_with_flipped_bits(std::span<const std::byte> good, const Decode& decode,
                                     const Encode& encode, const IsSame& is_same = {}) {
  return flip_each_bit(good, decode, [&](const auto& value) {
    const auto again = decode(encode(value));
    return again.has_value() && is_same(*again, value);
  });
}

}  // namespace jostle::protocol
