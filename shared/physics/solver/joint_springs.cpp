#include "shared/physics/solver/joint_springs.h"

#include "shared/math/trig.h"

#include <cmath>

namespace jostle::physics {

SpringCoefficients spring_coefficients(float hertz, float damping_ratio, float h) {
  constexpr float largest_angle = 0.5f;  // rad per substep
  const float omega = 2.0f * math::pi * hertz;
  const float angle = omega * h;
  if (angle > largest_angle) {
    return {angle * (2.0f * damping_ratio + angle), angle * omega, false};
  }
  // With θ = ω·h, 1 + E − 2√E·cos(θ√(1−ζ²)) is about θ², so the sum would cancel. It is computed as
  // the product of 1 − r over both roots r of the recursion instead.
  const float fall = damping_ratio * angle;
  const float lost = -math::expm1(-2.0f * fall);  // 1 − E
  const float kept = 1.0f - lost;
  float product = 0;
  if (damping_ratio < 1.0f) {
    // |1 − r|² = (1 − √E)² + 4√E·sin²(θ√(1−ζ²)/2)
    const float ring = angle * std::sqrt((1.0f - damping_ratio) * (1.0f + damping_ratio));
    const float lost_root = -math::expm1(-fall), sine = math::sin_cos(0.5f * ring).sin;
    product = lost_root * lost_root + 4.0f * (1.0f - lost_root) * (sine * sine);
  } else {
    // Both roots are real: e^(−θ·(ζ + √(ζ²−1))), and the slow one, e^(−θ/(ζ + √(ζ²−1))).
    const float sum = damping_ratio + std::sqrt((damping_ratio - 1.0f) * (damping_ratio + 1.0f));
    product = math::expm1(-angle * sum) * math::expm1(-angle / sum);
  }
  return {lost / (1.0f + kept), product / ((1.0f + kept) * h), true};
}

}  // namespace jostle::physics
