#pragma once

#include "shared/simd/inline.h"

namespace jostle::simd {

/// Returns atan(x) for |x| ≤ tan(π/8): Σ (−1)^k x^(2k+1)/(2k+1), cut where the next term is below
/// 1e-8 of the first.
template <typename F>
JOSTLE_SIMD_INLINE F arctangent_series(const F& x) {
  const F s = x * x;
  F sum = F::splat(0.0f);
  for (int n = 19; n >= 1; n -= 2)
    sum = F::splat(1.0f / static_cast<float>(n)) - s * sum;
  return x * sum;
}

/// Returns the angle of (x, y) in [−π, π], and 0 at the origin. The arguments must be finite.
/// tests/math/trig_lanes_test.cpp bounds the error.
template <typename F>
JOSTLE_SIMD_INLINE F atan2(const F& y, const F& x) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F ax = max_of(x, -x), ay = max_of(y, -y);
  const F longer = max_of(ax, ay);
  const F slope = min_of(ax, ay) / select(zero < longer, longer, one);  // 0..1
  // tan(a − π/4) = (tan a − 1) / (tan a + 1)
  const auto is_steep = F::splat(0.41421356f) < slope;
  const F turned = select(is_steep, (slope - one) / (slope + one), slope);
  F angle = arctangent_series(turned) + select(is_steep, F::splat(0.78539816f), zero);
  angle = select(ax < ay, F::splat(1.57079633f) - angle, angle);
  angle = select(x < zero, F::splat(3.14159265f) - angle, angle);
  return select(y < zero, -angle, angle);
}

}  // namespace jostle::simd
