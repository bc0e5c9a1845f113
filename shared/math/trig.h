#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

namespace jostle::math {

inline constexpr float pi = 3.14159265358979323846f;

/// Sine and cosine of the same angle.
struct SinCos {
  float sin = 0, cos = 1;
};

// These functions give the same bits on every machine, which libm does not promise. They use only +
// − × ÷ √ and comparisons, and are compiled with -ffp-contract=off. Angles are in radians.
// tests/math/trig_test.cpp sweeps each function and bounds its error.

/// Returns the sine and cosine of any finite angle. If |angle| exceeds 1e5, the error grows with
/// the angle (|angle| · 4e-17), because 2π is rounded to double. An angle that is infinite or NaN
/// counts as 0.
SinCos sin_cos(float angle);
float atan2(float y, float x);
/// Returns the arc cosine. acos and asin clamp the argument to [−1, 1].
float acos(float x);
float asin(float x);
float exp(float x);
/// Returns eˣ − 1 without loss of precision for small x.
float expm1(float x);
/// Returns the natural logarithm; x must be positive.
float log(float x);

/// Returns the rotation by `angle` about the unit vector `axis`.
Quat from_axis_angle(Vec3 axis, float angle);

/// Returns the rotation vector (axis × angle, angle in [0, π]) of a unit quaternion.
Vec3 to_rotation_vector(Quat q);

}  // namespace jostle::math
