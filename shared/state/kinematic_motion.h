#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::state {

/// The scripted motion of a kinematic body about its initial pose: an oscillation by
/// amplitude·sin(2π(t/period + phase)) and a constant spin.
struct KinematicMotion {
  math::Vec3 amplitude;  // m
  float period = 1;      // s
  float phase = 0;       // turns
  math::Vec3 spin;       // rad/s, world frame

  bool operator==(const KinematicMotion&) const = default;
};

/// Returns sin(2π(seconds/period + phase)), with period in s and phase in turns. The phase is
/// reduced in double precision, so that it is as accurate after a day as after a second.
float swing(double seconds, float period, float phase);

/// Returns the pose of a body that follows `kinematic_motion` about the pose `start`, `steps` steps
/// of `step_seconds` after the scene's start.
math::Pose pose_at(const KinematicMotion& kinematic_motion, const math::Pose& start,
                   std::uint32_t steps, float step_seconds);

}  // namespace jostle::state
