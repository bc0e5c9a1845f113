#include "tests/physics_laws/mechanism.h"

#include <cmath>
#include <cstddef>

namespace jostle::physics::laws {

using math::Vec3d;

Vec3d turned(Vec3d v, Vec3d axis, double angle) {
  return v * std::cos(angle) + cross(axis, v) * std::sin(angle) +
         axis * (dot(axis, v) * (1 - std::cos(angle)));
}

double Mechanism::acceleration(double at, double speed) const {
  constexpr double gravity = 9.81;  // m/s²
  constexpr double e = 2e-3;        // distance of the points of the finite differences
  const std::vector<PointMass> far_before = points_(at - 2 * e), before = points_(at - e),
                               here = points_(at), after = points_(at + e),
                               far_after = points_(at + 2 * e);
  double mass = 0, mass_slope = 0, potential_slope = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const Vec3d first = (after[i].at - before[i].at) * (8 / (12 * e)) -
                        (far_after[i].at - far_before[i].at) * (1 / (12 * e));
    const Vec3d second = (after[i].at + before[i].at) * (16 / (12 * e * e)) -
                         (far_after[i].at + far_before[i].at) * (1 / (12 * e * e)) -
                         here[i].at * (30 / (12 * e * e));
    mass += here[i].mass * dot(first, first);
    mass_slope += 2 * here[i].mass * dot(first, second);
    potential_slope += here[i].mass * gravity * first.y;
  }
  return -(mass_slope * speed * speed / 2 + potential_slope) / mass;
}

void Mechanism::advance(double seconds) {
  const int steps = static_cast<int>(std::ceil(seconds * 1000 - 1e-6));
  const double h = seconds / steps;
  for (int i = 0; i < steps; ++i) {
    const double a = acceleration(q, rate), rate_b = rate + a * h / 2;
    const double b = acceleration(q + rate * h / 2, rate_b), rate_c = rate + b * h / 2;
    const double c = acceleration(q + rate_b * h / 2, rate_c), rate_d = rate + c * h;
    const double d = acceleration(q + rate_c * h, rate_d);
    q += (rate + 2 * rate_b + 2 * rate_c + rate_d) * h / 6;
    rate += (a + 2 * b + 2 * c + d) * h / 6;
  }
}

}  // namespace jostle::physics::laws
