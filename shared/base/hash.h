#pragma once

#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace jostle::base {

/// A 64-bit hash of a list of values, which is the same on every machine.
///
/// Each value is hashed as its bit pattern, zero-extended to 64 bits. Floats are hashed by their
/// bits, so −0 differs from +0. A NaN fails an assertion, because its bits are not specified. The
/// mixing step is state = (rotl(state, 29) ^ value) * K, xor-shifted; the finaliser is that of
/// MurmurHash3 (Appleby). The hash is not cryptographic: do not use it where an attacker chooses
/// the input.
class Hasher {
 public:
  constexpr Hasher() = default;
  constexpr explicit Hasher(std::uint64_t seed) { add(seed); }

  constexpr void add(std::uint64_t value) {
    state_ = (std::rotl(state_, 29) ^ value) * 0x9E3779B97F4A7C15ULL;
    state_ ^= state_ >> 32;
    ++count_;
  }
  constexpr void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  constexpr void add(std::uint32_t value) { add(std::uint64_t{value}); }
  constexpr void add(std::int32_t value) { add(std::uint64_t{static_cast<std::uint32_t>(value)}); }
  constexpr void add(std::uint16_t value) { add(std::uint64_t{value}); }
  constexpr void add(std::uint8_t value) { add(std::uint64_t{value}); }
  constexpr void add(bool value) { add(std::uint64_t{value ? 1U : 0U}); }
  void add(float value) {
    JOSTLE_ASSERT(!std::isnan(value));
    add(std::bit_cast<std::uint32_t>(value));
  }
  void add(double value) {
    JOSTLE_ASSERT(!std::isnan(value));
    add(std::bit_cast<std::uint64_t>(value));
  }

  /// Hashes eight bytes at a time, with the last word padded with zeros, then the length.
  void add_bytes(std::span<const std::byte> bytes) {
    const std::byte* next = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
      add(load_little_endian<std::uint64_t>(next));
      next += sizeof(std::uint64_t);
    }
    std::uint64_t word = 0;
    if (left != 0) {
      std::memcpy(&word, next, left);
      add(as_little_endian(word));
    }
    add(static_cast<std::uint64_t>(bytes.size()));
  }
  void add_text(std::string_view text) { add_bytes(std::as_bytes(std::span(text))); }

  constexpr std::uint64_t finish() const {
    std::uint64_t h = state_ ^ count_;
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDULL;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53ULL;
    return h ^ (h >> 33);
  }

 private:
  std::uint64_t state_ = 0x6A6F73746C650001ULL;
  std::uint64_t count_ = 0;
};

inline std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.add_bytes(bytes);
  return hasher.finish();
}

}  // namespace jostle::base
