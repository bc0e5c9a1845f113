#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::context {

/// Probability of a one, in 1/65536; neither 0 nor 65536.
using Probability = std::uint32_t;
inline constexpr unsigned probability_bits = 16;

/// Maximum number of trailing zero bytes that an encoder omits. If a decoder reads past the end by
/// more than these bytes and its four bytes of read-ahead, no encoder wrote its input.
inline constexpr unsigned max_omitted_zeros = 8;

/// Binary range coder with carry (Martin, "Range encoding", 1979). It divides the interval [low,
/// low + range) in the ratio of the probabilities.
class RangeEncoder {
 public:
  void code(bool bit, Probability of_one) {
    const auto bound =
        static_cast<std::uint32_t>((std::uint64_t{range_} * of_one) >> probability_bits);
    if (bit) {
      range_ = bound;
    } else {
      low_ += bound;
      range_ -= bound;
      carry();
    }
    while (range_ < min_range) {
      bytes_.push_back(static_cast<std::byte>(low_ >> 24));
      low_ = (low_ << 8) & 0xFFFFFFFFU;
      range_ <<= 8;
    }
  }

  /// Codes `count` bits with equal probabilities, at most 16 at once.
  void code_raw(std::uint32_t bits, unsigned count) {
    range_ >>= count;
    low_ += std::uint64_t{bits} * range_;
    carry();
    while (range_ < min_range) {
      bytes_.push_back(static_cast<std::byte>(low_ >> 24));
      low_ = (low_ << 8) & 0xFFFFFFFFU;
      range_ <<= 8;
    }
  }

  /// Returns an upper bound of the size of take().
  std::size_t max_bytes() const { return bytes_.size() + 4; }

  /// Returns the shortest byte string that lies within the interval; the decoder appends zeros to
  /// it. Call it once, at the end.
  std::vector<std::byte> take() {
    for (unsigned kept = 0;; ++kept) {
      const std::uint64_t unit = std::uint64_t{1} << (8 * (4 - kept));
      const std::uint64_t value = (low_ + unit - 1) & ~(unit - 1);
      if (value >= low_ + range_) continue;
      low_ = value;
      carry();
      for (unsigned i = 0; i < kept; ++i)
        bytes_.push_back(static_cast<std::byte>(low_ >> (24 - 8 * i)));
      break;
    }
    for (unsigned i = 0; i < max_omitted_zeros && !bytes_.empty(); ++i) {
      if (bytes_.back() != std::byte{0}) break;
      bytes_.pop_back();
    }
    return std::move(bytes_);
  }

 private:
  static constexpr std::uint32_t min_range = 1U << 24;

  /// Propagates an overflow of low_ beyond 32 bits to the bytes already written. The first byte
  /// never overflows, because the code as a whole stays below 1.
  void carry() {
    if ((low_ >> 32) == 0) return;
    low_ &= 0xFFFFFFFFU;
    for (std::size_t i = bytes_.size(); i-- > 0;) {
      bytes_[i] = static_cast<std::byte>(std::to_integer<unsigned>(bytes_[i]) + 1U);
      if (bytes_[i] != std::byte{0}) return;
    }
  }

  std::vector<std::byte> bytes_;
  std::uint64_t low_ = 0;
  std::uint32_t range_ = 0xFFFFFFFFU;
};

/// Decoder of the output of RangeEncoder. The bytes may be untrusted: any input yields an endless
/// stream of bits. Callers must stop when `is_exhausted()` is true. `is_whole()` returns true if an
/// encoder may have written the input.
class RangeDecoder {
 public:
  explicit RangeDecoder(std::span<const std::byte> bytes) : bytes_(bytes) {
    for (int i = 0; i < 4; ++i)
      value_ = value_ << 8 | next();
  }

  bool code(Probability of_one) {
    const auto bound =
        static_cast<std::uint32_t>((std::uint64_t{range_} * of_one) >> probability_bits);
    const bool bit = value_ < bound;
    // Branch-free, because the bit is unpredictable for the processor.
    const std::uint32_t if_one = 0U - static_cast<std::uint32_t>(bit);
    value_ -= bound & ~if_one;
    range_ = (bound & if_one) | ((range_ - bound) & ~if_one);
    while (range_ < min_range) {
      value_ = value_ << 8 | next();
      range_ <<= 8;
    }
    return bit;
  }

  std::uint32_t code_raw(unsigned count) {
    range_ >>= count;
    // Rounding of the range may give a quotient of more than `count` bits.
    const std::uint32_t bits = std::min(value_ / range_, (1U << count) - 1);
    value_ -= bits * range_;
    while (range_ < min_range) {
      value_ = value_ << 8 | next();
      range_ <<= 8;
    }
    return bits;
  }

  /// Returns true if more bytes are missing than any encoder omits. Further output is meaningless.
  bool is_exhausted() const { return missing_ > max_omitted_zeros + 4; }
  /// Returns true if all bytes were read and an encoder may have ended here.
  bool is_whole() const { return offset_ == bytes_.size() && !is_exhausted(); }

 private:
  static constexpr std::uint32_t min_range = 1U << 24;

  std::uint32_t next() {
    if (offset_ < bytes_.size()) return std::to_integer<std::uint32_t>(bytes_[offset_++]);
    ++missing_;
    return 0;
  }

  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0, missing_ = 0;
  std::uint32_t value_ = 0, range_ = 0xFFFFFFFFU;
};

}  // namespace jostle::protocol::context
