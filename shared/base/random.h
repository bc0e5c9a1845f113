#pragma once

#include "shared/base/assert.h"

#include <cstdint>

namespace jostle::base {

/// A SplitMix64 generator (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014). It has a small state, accepts any seed and gives the same numbers on every machine. Do
/// not use it for secrets: use net::Io for those.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  /// Returns a number uniform in [0, bound), by multiply-shift. Each probability is within 2^-32 of
  /// 1/bound.
  constexpr std::uint32_t below(std::uint32_t bound) {
    JOSTLE_ASSERT(bound > 0);
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

  /// Returns a number uniform in [0, 1), a multiple of 2^-24 and so exact in float.
  constexpr float unit() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

  /// Returns a number uniform between `low` and `high`. Because of rounding, the result may equal
  /// `high`.
  constexpr float between(float low, float high) { return low + (high - low) * unit(); }

  /// Returns true with the given `probability`, from 0 to 1.
  constexpr bool chance(float probability) { return unit() < probability; }

  /// Returns an independent generator, for example one per kind of simulated fault.
  constexpr Random split() { return Random(next()); }

  constexpr std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace jostle::base
