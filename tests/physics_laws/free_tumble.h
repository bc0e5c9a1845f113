#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace jostle::physics::laws {

/// Torque-free rotation of a box about its centre, by the Runge-Kutta method in doubles. The steps
/// are so small that the method's own error is negligible. Angular momentum is in the world frame.
class FreeTumble {
 public:
  FreeTumble(math::Vec3 half, double mass, math::Vec3 spin) {
    const double side[3] = {2.0 * static_cast<double>(half.x), 2.0 * static_cast<double>(half.y),
                            2.0 * static_cast<double>(half.z)};
    const double rate[3] = {static_cast<double>(spin.x), static_cast<double>(spin.y),
                            static_cast<double>(spin.z)};
    for (std::size_t i = 0; i < 3; ++i) {
      const double u = side[(i + 1) % 3], v = side[(i + 2) % 3];
      moments_[i] = mass * (u * u + v * v) / 12;
      momentum_[i] = moments_[i] * rate[i];
    }
  }

  void go_on(double seconds) {
    constexpr int parts = 20;
    for (int k = 0; k < parts; ++k)
      step(seconds / parts);
  }

  /// Returns the angle in rad between the exact rotation and `is`: twice the length of the vector
  /// part of their difference, which holds for small angles.
  double angle_to(math::Quat is) const {
    const double w = static_cast<double>(is.w), x = static_cast<double>(is.x);
    const double y = static_cast<double>(is.y), z = static_cast<double>(is.z);
    const double apart[3] = {w * q_[1] - x * q_[0] - y * q_[3] + z * q_[2],
                             w * q_[2] - y * q_[0] - z * q_[1] + x * q_[3],
                             w * q_[3] - z * q_[0] - x * q_[2] + y * q_[1]};
    return 2 * std::hypot(apart[0], apart[1], apart[2]);
  }

 private:
  using Quaternion = std::array<double, 4>;  // w, x, y, z

  Quaternion rate(const Quaternion& at) const {
    const double w = at[0], x = at[1], y = at[2], z = at[3], n = w * w + x * x + y * y + z * z;
    const double m[3][3] = {
        {1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
        {2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n},
        {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n}};
    double o[3];
    for (std::size_t i = 0; i < 3; ++i) {
      o[i] =
          (m[0][i] * momentum_[0] + m[1][i] * momentum_[1] + m[2][i] * momentum_[2]) / moments_[i];
    }
    return {(-x * o[0] - y * o[1] - z * o[2]) / 2, (w * o[0] + y * o[2] - z * o[1]) / 2,
            (w * o[1] + z * o[0] - x * o[2]) / 2, (w * o[2] + x * o[1] - y * o[0]) / 2};
  }

  void step(double h) {
    const Quaternion start = q_;
    Quaternion slope{};
    const double reach[4] = {0, h / 2, h / 2, h}, weight[4] = {1, 2, 2, 1};
    for (int stage = 0; stage < 4; ++stage) {
      Quaternion probe = start;
      for (std::size_t i = 0; i < 4; ++i)
        probe[i] += reach[stage] * slope[i];
      slope = rate(probe);
      for (std::size_t i = 0; i < 4; ++i)
        q_[i] += weight[stage] * slope[i] * h / 6;
    }
  }

  double moments_[3], momentum_[3];
  Quaternion q_{1, 0, 0, 0};
};

}  // namespace jostle::physics::laws
