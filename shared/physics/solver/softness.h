#pragma once

namespace jostle::physics {

/// Response of a soft constraint to position error: a damped spring, integrated implicitly.
struct Softness {
  float bias_rate = 0;      // 1/s
  float mass_scale = 1;     // 0..1
  float impulse_scale = 0;  // 0..1; mass_scale + impulse_scale == 1
};

}  // namespace jostle::physics
