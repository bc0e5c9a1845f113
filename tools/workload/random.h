#pragma once

#include "shared/math/quat.h"

#include <cstdint>

namespace jostle::workload {

/// The random numbers of the benchmark scenes: a 32-bit linear congruential generator (Numerical
/// Recipes). It is simple, so that other programs can generate the same scenes.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}

  std::uint32_t bits() { return state_ = state_ * 1664525U + 1013904223U; }
  float unit() { return static_cast<float>(bits() >> 8) / 16777216.0f; }
  float between(float low, float high) { return low + (high - low) * unit(); }
  /// Returns a random number 0, 1, 2 or 3, from the two highest bits.
  float quarter() { return static_cast<float>(bits() >> 30); }

  math::Vec3 vector() {
    math::Vec3 v;
    v.x = between(-1, 1);
    v.y = between(-1, 1);
    v.z = between(-1, 1);
    return v;
  }
  /// Returns a uniformly distributed rotation, by rejection sampling in the cube.
  math::Quat rotation() {
    for (;;) {
      math::Quat q;
      q.x = between(-1, 1);
      q.y = between(-1, 1);
      q.z = between(-1, 1);
      q.w = between(-1, 1);
      const float squared = dot(q, q);
      if (squared > 0.01f && squared <= 1) return normalized(q);
    }
  }

 private:
  std::uint32_t state_;
};

}  // namespace jostle::workload
