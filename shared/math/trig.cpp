#include "shared/math/trig.h"

#include "shared/base/assert.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The arithmetic below is in double, which IEEE 754 specifies as exactly as float. The spare bits
// make the final rounding to float nearly the only error: the series are cut where the next term is
// below 1e-10, about 1/600 of a float's last place.

namespace jostle::math {
namespace {

constexpr double pi_exact = 3.14159265358979323846;

/// π/2 in two parts. The first part has 33 bits, so that its product with a quadrant number below
/// 2^20 is exact (Cody and Waite, "Software Manual for the Elementary Functions", 1980).
constexpr double half_pi_high = 0x1.921fb544p+0;
constexpr double half_pi_low = 0x1.0b4611a626331p-34;

constexpr double exact_reduction_limit = 1.0e5;

/// Returns the nearest integer; rounds halves away from zero. |x| must fit in 32 bits.
constexpr std::int32_t nearest(double x) {
  return static_cast<std::int32_t>(x < 0.0 ? x - 0.5 : x + 0.5);
}

/// Returns the remainder of the division of x ≥ 0 by `period`, by long division. Every subtraction
/// is exact.
double remainder_of(double x, double period) {
  double multiple = period;
  while (multiple <= x * 0.5)
    multiple *= 2.0;
  while (multiple >= period) {
    if (x >= multiple) x -= multiple;
    multiple *= 0.5;
  }
  return x;
}

/// Returns the sine of x, |x| ≤ π/4: Σ (−1)^k x^(2k+1)/(2k+1)!.
double sine_series(double x) {
  const double s = x * x;
  double sum = -1.0 / 39916800.0;
  sum = sum * s + 1.0 / 362880.0;
  sum = sum * s - 1.0 / 5040.0;
  sum = sum * s + 1.0 / 120.0;
  sum = sum * s - 1.0 / 6.0;
  return x + x * (s * sum);
}

/// Returns the cosine of x, |x| ≤ π/4: Σ (−1)^k x^(2k)/(2k)!.
double cosine_series(double x) {
  const double s = x * x;
  double sum = 1.0 / 479001600.0;
  sum = sum * s - 1.0 / 3628800.0;
  sum = sum * s + 1.0 / 40320.0;
  sum = sum * s - 1.0 / 720.0;
  sum = sum * s + 1.0 / 24.0;
  sum = sum * s - 0.5;
  return 1.0 + s * sum;
}

/// Returns atan(x) for 0 ≤ x ≤ tan(π/8): Σ (−1)^k x^(2k+1)/(2k+1).
double arctangent_series(double x) {
  const double s = x * x;
  double sum = 0.0;
  for (int n = 23; n >= 1; n -= 2)
    sum = 1.0 / n - s * sum;
  return x * sum;
}

/// Returns atan(x) for 0 ≤ x ≤ 1.
double arctangent(double x) {
  constexpr double tan_pi_8 = 0.41421356237309504880;
  if (x <= tan_pi_8) return arctangent_series(x);
  // tan(a − π/4) = (tan a − 1) / (tan a + 1)
  const double y = (x - 1.0) / (x + 1.0);
  return pi_exact / 4 + (y < 0.0 ? -arctangent_series(-y) : arctangent_series(y));
}

double atan2_exact(double y, double x) {
  const bool is_y_negative = std::signbit(y), is_x_negative = std::signbit(x);
  const double ay = is_y_negative ? -y : y;
  const double ax = is_x_negative ? -x : x;
  double angle = 0.0;
  if (ay == ax) {
    angle = ay == 0.0 ? 0.0 : pi_exact / 4;  // 45°, also if both are infinite
  } else {
    angle = ay < ax ? arctangent(ay / ax) : pi_exact / 2 - arctangent(ax / ay);
  }
  if (is_x_negative) angle = pi_exact - angle;
  return is_y_negative ? -angle : angle;
}

/// Returns 2^exponent, for exponents from −1022 to 1023 (those of normal doubles).
double power_of_two(std::int32_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

constexpr double ln2_high = 0x1.62e42feep-1;  // 32 bits
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

}  // namespace

SinCos sin_cos(float angle) {
  if (!std::isfinite(angle)) return {};
  double x = static_cast<double>(angle);
  const bool is_negative = std::signbit(x);
  if (is_negative) x = -x;
  if (x > exact_reduction_limit) x = remainder_of(x, 2 * pi_exact);

  const std::int32_t quadrant = nearest(x * (2.0 / pi_exact));
  const double r = (x - quadrant * half_pi_high) - quadrant * half_pi_low;
  const double s = sine_series(r), c = cosine_series(r);

  double sine = s, cosine = c;
  switch (quadrant & 3) {
    case 1:
      sine = c, cosine = -s;
      break;
    case 2:
      sine = -s, cosine = -c;
      break;
    case 3:
      sine = -c, cosine = s;
      break;
    default:
      break;
  }
  return {static_cast<float>(is_negative ? -sine : sine), static_cast<float>(cosine)};
}

float atan2(float y, float x) {
  return static_cast<float>(atan2_exact(static_cast<double>(y), static_cast<double>(x)));
}

float acos(float x) {
  const double c = static_cast<double>(clamp(x, -1.0f, 1.0f));
  return static_cast<float>(atan2_exact(std::sqrt((1.0 - c) * (1.0 + c)), c));
}

float asin(float x) {
  const double s = static_cast<double>(clamp(x, -1.0f, 1.0f));
  return static_cast<float>(atan2_exact(s, std::sqrt((1.0 - s) * (1.0 + s))));
}

float exp(float x) {
  // just beyond ln(FLT_MAX) and ln(2⁻¹⁵⁰), where 2⁻¹⁵⁰ is half of the smallest subnormal float
  constexpr float overflow = 88.73f, underflow = -104.0f;
  if (x >= overflow) return std::numeric_limits<float>::infinity();
  if (x <= underflow) return 0.0f;
  // e^x = 2^k · e^r with |r| ≤ ln(2)/2
  const double wide = static_cast<double>(x);
  const std::int32_t k = nearest(wide * 1.44269504088896340736);
  const double r = (wide - k * ln2_high) - k * ln2_low;
  double sum = 1.0;
  for (int n = 10; n >= 1; --n)
    sum = 1.0 + r * sum / n;
  return static_cast<float>(sum * power_of_two(k));
}

float expm1(float x) {
  constexpr float small = 0.34f;  // smaller than ln(2)/2
  if (abs_of(x) > small) return exp(x) - 1.0f;
  const double wide = static_cast<double>(x);
  double sum = 1.0;
  for (int n = 11; n >= 2; --n)
    sum = 1.0 + wide * sum / n;
  return static_cast<float>(wide * sum);
}

float log(float x) {
  JOSTLE_ASSERT(x > 0.0f);
  if (std::isinf(x)) return x;
  // x = m · 2^e with m in [√½, √2); ln m = 2·atanh(s), s = (m − 1)/(m + 1)
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
  auto exponent = static_cast<std::int32_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000F'FFFF'FFFF'FFFFULL) | 0x3FF0'0000'0000'0000ULL);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double square = s * s;
  double sum = 0.0;
  for (int n = 15; n >= 1; n -= 2)
    sum = 1.0 / n + square * sum;
  return static_cast<float>(exponent * ln2_high + (exponent * ln2_low + 2.0 * s * sum));
}

Quat from_axis_angle(Vec3 axis, float angle) {
  const SinCos half = sin_cos(0.5f * angle);
  return {axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos};
}

Vec3 to_rotation_vector(Quat q) {
  // q and −q are the same rotation. The one with w ≥ 0 has its angle in [0, π].
  if (q.w < 0.0f) q = negate(q);
  const Vec3 v{q.x, q.y, q.z};
  const float sine = length(v);
  // angle / sin(angle/2) tends to 2 as the angle tends to 0; the next term is angle²/12.
  constexpr float small_sine = 1e-4f;
  if (sine < small_sine) return v * (2.0f / q.w);
  return v * (2.0f * atan2(sine, q.w) / sine);
}

}  // namespace jostle::math
