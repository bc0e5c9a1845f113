#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

namespace jostle::math {

inline constexpr float pi = 3.14159265358979323846f;

/// Sine and cosine of the same angle.
struct SinCos {
  float sin = 0, cos = 1;
};

// Functions that give the same bits on every machine, which libm does not promise: only + − × ÷ √
// and comparisons, with -ffp-contract=off. The largest error found by the sweep in
// tests/math/trig_test.cpp stands beside each there. Angles are in radians.

/// Any finite angle; exact reduction for |angle| up to 1e5. An infinite or undefined one counts as
/// 0.
SinCos sin_cos(float angle);
float atan2(float y, float x);
/// The argument is clamped to [−1, 1].
float acos(float x);
float asin(float x);
float exp(float x);
/// eˣ − 1, as exact where x is small.
float expm1(float x);
/// Natural logarithm; x must be positive.
float log(float x);

/// Rotation by `angle` about the unit vector `axis`.
Quat from_axis_angle(Vec3 axis, float angle);

/// The rotation vector (axis × angle, angle in [0, π]) of a unit quaternion.
Vec3 to_rotation_vector(Quat q);

}  // namespace jostle::math
