#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::state {

/// A kinematic body's course: position + amplitude·sin(2π(t/period + phase)) and a steady spin.
struct Course {
  math::Vec3 amplitude;  // m
  float period = 1;      // s
  float phase = 0;       // turns
  math::Vec3 spin;       // rad/s, world frame

  bool operator==(const Course&) const = default;
};

/// sin(2π(seconds/period + phase)); period in s, phase in turns. The phase is reduced in double, so
/// that it is as exact after a day as after a second.
float swing(double seconds, float period, float phase);

/// Where a course that begins at `start` has the body `steps` steps after the scene's start.
math::Pose pose_on_course(const Course& course, const math::Pose& start, std::uint32_t steps,
                          float step_seconds);

}  // namespace jostle::state
