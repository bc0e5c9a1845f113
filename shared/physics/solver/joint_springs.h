#pragma once

namespace jostle::physics {

/// Coefficients of a spring's impulse in each phase of a substep: −mass·(damping·u + rate·error).
/// In the biased solve, u is the speed after the impulse. In the relax phase, it is the mean speed
/// over the substep.
struct SpringCoefficients {
  float damping = 0;     // dimensionless
  float rate = 0;        // 1/s
  bool relaxes = false;  // true if the relax phase applies half of the impulse
};

/// Returns coefficients for a spring of ω = 2π·hertz and ζ = damping_ratio in substeps of h
/// seconds. With them, the deflections x of the spring, h apart, are exact samples of the damped
/// oscillator: x₊ = (1+E)x − E·x₋ − K·x with E = e^(−2ζωh) and K = 1 + E − 2√E·cos(ω√(1−ζ²)h). Half
/// of the impulse at each end of the substep gives this recursion under two conditions on D =
/// 2·damping and κ = 2h·rate: (1 − D/2)/(1 + D/2) = E and κ/(1 + D/2) = K.
///
/// If ω·h exceeds 0.5 rad, the two halves are not accurate enough. The spring is then integrated
/// implicitly in the biased solve alone: damping = h·ω·(2ζ + h·ω), rate = damping·ω/(2ζ + h·ω) =
/// h·ω².
SpringCoefficients spring_coefficients(float hertz, float damping_ratio, float h);

}  // namespace jostle::physics
