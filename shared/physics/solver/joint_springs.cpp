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
  const float kept_root = math::exp(-damping_ratio * angle);  // √E
  const float kept = kept_root * kept_root;
  // 2√E·cos(θ√(1−ζ²)), with the hyperbolic cosine above critical damping.
  const float squared = 1.0f - damping_ratio * damping_ratio;
  float twice = 0;
  if (squared >= 0.0f) {
    twice = 2.0f * kept_root * math::sin_cos(angle * std::sqrt(squared)).cos;
  } else {
    const float grown = angle * std::sqrt(-squared);
    twice = math::exp(grown - damping_ratio * angle) + math::exp(-grown - damping_ratio * angle);
  }
  const float damping = (1.0f - kept) / (1.0f + kept);  // D/2
  const float kappa = 2.0f * (1.0f + kept - twice) / (1.0f + kept);
  return {damping, 0.5f * kappa / h, true};
}

}  // namespace jostle::physics
