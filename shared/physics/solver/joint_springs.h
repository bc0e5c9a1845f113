#pragma once

namespace jostle::physics {

/// What a spring gives in each half of a substep: −mass·(damping·u + rate·error). In the hold phase
/// u is the speed afterwards, in the relax phase that of the way between the two.
struct SpringCoefficients {
  float damping = 0;     // 1
  float rate = 0;        // 1/s
  bool relaxes = false;  // whether the relax phase has its half
};

/// The damped oscillator sampled exactly. Of its positions, h apart, x₊ = (1+E)x − E·x₋ − K·x with
/// E = e^(−2ζωh) and K = 1 + E − 2√E·cos(ω√(1−ζ²)h). Half kicks at both ends of the substep give
/// that recursion when D = 2·damping and κ = 2h·rate have (1 − D/2)/(1 + D/2) = E and
/// κ/(1 + D/2) = K.
///
/// Where ω·h is too large for half kicks the spring is integrated implicitly instead, in the hold
/// phase alone: damping = h·ω·(2ζ + h·ω), rate = damping·ω/(2ζ + h·ω) = h·ω².
SpringCoefficients spring_coefficients(float hertz, float damping_ratio, float h);

}  // namespace jostle::physics
