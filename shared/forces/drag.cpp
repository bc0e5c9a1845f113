#include "shared/forces/drag.h"

#include "shared/math/trig.h"

#include <cmath>

namespace jostle::forces {

using math::Vec3;

namespace {

/// cosh(√x) and sinh(√x)/√x, for |x| ≤ 1. For negative x these are cos(√−x) and sin(√−x)/√−x.
struct Hyperbolic {
  double cosh = 1, sinh = 1;
};
Hyperbolic hyperbolic_of(double x) {
  // The series Σ xⁱ/(2i)! and Σ xⁱ/(2i + 1)!. The first omitted term is below 2e-16.
  constexpr int terms = 9;
  Hyperbolic sum;
  double even = 1, odd = 1;
  for (int i = 1; i < terms; ++i) {
    even *= x / static_cast<double>((2 * i - 1) * (2 * i));
    odd *= x / static_cast<double>((2 * i) * (2 * i + 1));
    sum.cosh += even;
    sum.sinh += odd;
  }
  return sum;
}

/// Returns ln y for y ≥ 1, accurate also for y close to 1.
double log_of(double y) {
  const double r = (y - 1) / (y + 1);
  if (r > 0.05) return static_cast<double>(math::log(static_cast<float>(y)));
  const double r2 = r * r;  // ln y = 2·artanh r
  return 2 * r * (1 + r2 * (1.0 / 3 + r2 * (1.0 / 5 + r2 * (1.0 / 7))));
}

/// Returns (1 − e^−x)/x.
float mean_decay(float x) {
  return x == 0.0f ? 1.0f : -math::expm1(-x) / x;
}

/// Linear drag and acceleration that act on the body beside one quadratic term, in the frame of
/// that term's medium. The quadratic drag of other terms is included as linear drag, with its rate
/// at the start of the step.
struct Beside {
  float linear = 0;   // 1/s
  Vec3 acceleration;  // m/s²
};
Beside beside_of(const DragTerm& own, std::span<const DragTerm> terms, const DragSum& linear,
                 const DraggedMotion& motion) {
  Beside beside{linear.linear + motion.damping, motion.acceleration + linear.acceleration};
  for (const DragTerm& term : terms) {
    if (&term == &own) continue;
    const float rate = term.quadratic * length(motion.velocity - term.medium_velocity);
    beside.linear += rate;
    beside.acceleration += rate * term.medium_velocity;
  }
  beside.acceleration -= beside.linear * own.medium_velocity;
  return beside;
}

Vec3 along_or(Vec3 v, Vec3 otherwise) {
  return normalized_or(v, normalized_or(otherwise, Vec3{}));
}

}  // namespace

// With q·u = ẏ/y, Riccati's equation u̇ = a − c·u − q·u² becomes ÿ + c·ẏ − q·a·y = 0. Therefore
//
//   ∫ q·u dt = ln y(T),    y(T) = e^−cT/2 · (cosh κT + (q·u₀ + c/2)·sinh(κT)/κ),   κ² = c²/4 + q·a
//
// (Davis, "Introduction to nonlinear differential and integral equations", 1962, chapter 3).
float mean_quadratic_rate(float quadratic, float linear, float speed, float acceleration,
                          float seconds) {
  const float decay = linear * seconds;
  const float free_end =
      speed * math::exp(-decay) / (1.0f + quadratic * speed * seconds * mean_decay(decay));
  const float a = math::max_of(acceleration, -free_end / seconds);
  const double t = static_cast<double>(seconds), q = static_cast<double>(quadratic);
  const double half = 0.5 * static_cast<double>(linear) * t;          // cT/2
  const double start = q * static_cast<double>(speed) * t;            // q·u₀·T
  const double x = half * half + q * static_cast<double>(a) * t * t;  // (κT)²
  if (x <= 1) {
    const Hyperbolic h = hyperbolic_of(x < -1 ? -1 : x);
    const double damped = static_cast<double>(math::exp(static_cast<float>(-half)));
    const double y = damped * (h.cosh + (start + half) * h.sinh);
    return y > 1 ? static_cast<float>(log_of(y) / t) : 0.0f;
  }
  const double root = std::sqrt(x), share = (start + half) / root;
  const double left = static_cast<double>(math::exp(static_cast<float>(-2 * root)));
  const double rest = 0.5 * ((1 + share) + (1 - share) * left);
  const double logarithm = static_cast<double>(math::log(static_cast<float>(rest)));
  const double sum = root - half + logarithm;
  return sum > 0 ? static_cast<float>(sum / t) : 0.0f;
}

DragSum sum_of_drag(std::span<const DragTerm> terms, const DraggedMotion& motion) {
  DragSum sum;
  for (const DragTerm& term : terms) {
    sum.linear += term.linear;
    sum.angular += term.angular;
    sum.acceleration += term.linear * term.medium_velocity;
  }
  DragSum total = sum;
  for (const DragTerm& term : terms) {
    if (!(term.quadratic > 0.0f)) continue;
    const Beside beside = beside_of(term, terms, sum, motion);
    const Vec3 past = motion.velocity - term.medium_velocity;
    const float along = dot(beside.acceleration, along_or(past, beside.acceleration));
    const float rate =
        mean_quadratic_rate(term.quadratic, beside.linear, length(past), along, motion.seconds);
    total.linear += rate;
    total.acceleration += rate * term.medium_velocity;
  }
  return total;
}

}  // namespace jostle::forces
