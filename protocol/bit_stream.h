#pragma once

#include "shared/base/assert.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Maps a signed to an unsigned number with small magnitudes first: 0, −1, 1, −2, 2 … become 0, 1,
/// 2, 3, 4 …
constexpr std::uint32_t zigzag(std::int32_t value) {
  return (static_cast<std::uint32_t>(value) << 1) ^ (value < 0 ? 0xFFFFFFFFU : 0U);
}
constexpr std::int32_t unzigzag(std::uint32_t code) {
  return static_cast<std::int32_t>((code >> 1) ^ ((code & 1U) != 0 ? 0xFFFFFFFFU : 0U));
}

/// Returns the length in bits of the exponential Golomb code of `value` with order `order`.
constexpr std::size_t golomb_bits(std::uint32_t value, unsigned order) {
  const auto width = static_cast<unsigned>(std::bit_width((std::uint64_t{value} >> order) + 1));
  return std::size_t{2} * width - 1 + order;
}

/// A writer of bit fields. It fills the lowest bit of the first byte first.
class BitWriter {
 public:
  /// Appends the lowest `count` bits of `value`. Contract: `count` is 0 to 32 and `value` fits.
  void bits(std::uint32_t value, unsigned count) {
    JOSTLE_ASSERT(count <= 32 && (std::uint64_t{value} >> count) == 0);
    pending_ |= std::uint64_t{value} << pending_count_;
    pending_count_ += count;
    while (pending_count_ >= 8) {
      bytes_.push_back(static_cast<std::byte>(pending_ & 0xFFU));
      pending_ >>= 8;
      pending_count_ -= 8;
    }
  }
  void bit(bool value) { bits(value ? 1 : 0, 1); }

  /// Appends `value` as an exponential Golomb code. Let v = (value >> order) + 1, and let n be the
  /// number of bits of v below its highest bit. The code is n zeros, a one, these n bits of v, and
  /// the lowest `order` bits of `value`.
  void golomb(std::uint32_t value, unsigned order) {
    const std::uint64_t prefixed = (std::uint64_t{value} >> order) + 1;
    const auto extra = static_cast<unsigned>(std::bit_width(prefixed)) - 1;
    JOSTLE_ASSERT(extra <= 32);
    bits(0, extra);
    bit(true);
    bits(static_cast<std::uint32_t>(prefixed - (std::uint64_t{1} << extra)), extra);
    bits(value & ((1U << order) - 1U), order);
  }

  std::size_t bit_count() const { return bytes_.size() * 8 + pending_count_; }

  /// Returns the bytes and empties the writer. The last byte is padded with zeros.
  std::vector<std::byte> take() {
    if (pending_count_ > 0) bits(0, 8 - pending_count_);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t pending_ = 0;
  unsigned pending_count_ = 0;  // 0..7 between calls
};

/// A reader of the output of BitWriter. The bytes may be untrusted: reading past the end returns 0
/// and makes `ok()` false permanently.
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint32_t bits(unsigned count) {
    while (pending_count_ < count) {
      if (offset_ == bytes_.size()) {
        ok_ = false;
        pending_ = 0;
        pending_count_ = 0;
        return 0;
      }
      pending_ |= std::uint64_t{std::to_integer<std::uint8_t>(bytes_[offset_++])} << pending_count_;
      pending_count_ += 8;
    }
    const auto value = static_cast<std::uint32_t>(pending_ & ((std::uint64_t{1} << count) - 1));
    pending_ >>= count;
    pending_count_ -= count;
    return value;
  }
  bool bit() { return bits(1) != 0; }

  /// Reads an exponential Golomb code. If the value needs more than 32 bits, `ok()` becomes false
  /// and the result is 0.
  std::uint32_t golomb(unsigned order) {
    unsigned extra = 0;
    while (ok_ && !bit()) {
      if (++extra > 32) ok_ = false;
    }
    if (!ok_) return 0;
    const std::uint64_t high = (std::uint64_t{1} << extra) + bits(extra) - 1;
    const std::uint64_t value = (high << order) | bits(order);
    if (value > 0xFFFFFFFFU) ok_ = false;
    return ok_ ? static_cast<std::uint32_t>(value) : 0;
  }

  bool ok() const { return ok_; }
  void fail() { ok_ = false; }
  /// Returns true if all bits were read without errors and the padding bits are zero.
  bool at_end() const {
    return ok_ && offset_ == bytes_.size() && pending_count_ < 8 && pending_ == 0;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_count_ = 0;
  bool ok_ = true;
};

}  // namespace jostle::protocol
