#pragma once

#include "protocol/context/range_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::precise::detail {

using context::Probability;

/// Adaptive probability of a one. It adapts quickly at first, then by 1/32 of the error per bit.
class BitModel {
 public:
  Probability of_one() const { return probability_; }
  void learn(bool bit) {
    constexpr int slowest = 5;
    const int target = bit ? 65'536 - least : least;
    probability_ = static_cast<std::uint32_t>(
        static_cast<int>(probability_) + (target - static_cast<int>(probability_)) / (1 << rate_));
    rate_ = std::min(rate_ + 1, slowest);
  }

 private:
  static constexpr int least = 48;  // keeps both probabilities above zero
  std::uint32_t probability_ = 1U << (context::probability_bits - 1);
  int rate_ = 1;
};

/// Adaptive binary encoder. AdaptiveDecoder has the same interface: `bit` and `even` return the
/// coded bits, and a decoder ignores the given value.
class AdaptiveEncoder {
 public:
  static constexpr bool decodes = false;
  bool bit(BitModel& model, bool value) {
    range_.code(value, model.of_one());
    model.learn(value);
    return value;
  }
  std::uint32_t even(std::uint32_t value, unsigned count) {
    range_.code_raw(value, count);
    return value;
  }
  bool is_sound() const { return true; }
  std::vector<std::byte> take() { return range_.take(); }

 private:
  context::RangeEncoder range_;
};

class AdaptiveDecoder {
 public:
  static constexpr bool decodes = true;
  explicit AdaptiveDecoder(std::span<const std::byte> bytes) : range_(bytes) {}
  bool bit(BitModel& model, bool /*value*/) {
    const bool value = range_.code(model.of_one());
    model.learn(value);
    return value;
  }
  std::uint32_t even(std::uint32_t /*value*/, unsigned count) { return range_.code_raw(count); }
  bool is_sound() const { return !range_.is_exhausted(); }
  bool is_whole() const { return range_.is_whole(); }

 private:
  context::RangeDecoder range_;
};

/// Model of a difference modulo 2^64. The difference is zigzag-coded, so that its lowest bit is the
/// sign. The model codes the number of bits of that code, then the bits.
class DifferenceModel {
 public:
  /// Codes `difference`; a decoder sets it. `bits_before` is the result for the previous difference
  /// and selects the context. Returns the number of bits, 0..64.
  template <class Coder>
  unsigned code(Coder& coder, unsigned bits_before, std::int64_t& difference) {
    // Fold the sign in: 1, -1, 2, -2, … become 2, 1, 4, 3, …
    const auto value = static_cast<std::uint64_t>(difference);
    std::uint64_t folded = (value << 1) ^ (difference < 0 ? ~std::uint64_t{0} : 0);
    const unsigned bits = code_size(coder, std::min(bits_before / 6, size_contexts - 1),
                                    static_cast<unsigned>(std::bit_width(folded)));
    if (bits > 1) {
      std::uint64_t below = folded & ((std::uint64_t{1} << (bits - 1)) - 1), read = 0;
      unsigned left = bits - 1;
      // The highest remaining bit has a model, because it is not evenly distributed.
      --left;
      read = coder.bit(second_[bits], (below >> left & 1) != 0) ? 1 : 0;
      while (left > 0) {
        const unsigned some = std::min(left, 16U);
        left -= some;
        const auto chunk = static_cast<std::uint32_t>(below >> left & ((1U << some) - 1));
        read = read << some | coder.even(chunk, some);
      }
      folded = std::uint64_t{1} << (bits - 1) | read;
    } else {
      folded = bits;
    }
    difference = static_cast<std::int64_t>((folded >> 1) ^ (0 - (folded & 1)));
    return bits;
  }

 private:
  static constexpr unsigned size_contexts = 11, size_bits = 7;

  template <class Coder>
  unsigned code_size(Coder& coder, unsigned context, unsigned size) {
    std::uint32_t node = 1;
    for (unsigned i = size_bits; i-- > 0;)
      node = node * 2 + (coder.bit(sizes_[context][node], (size >> i & 1) != 0) ? 1 : 0);
    return std::min(node & ((1U << size_bits) - 1), 64U);
  }

  std::array<std::array<BitModel, 1U << size_bits>, size_contexts> sizes_{};
  std::array<BitModel, 65> second_{};
};

}  // namespace jostle::protocol::precise::detail
