#include "shared/state/kinematic_motion.h"

#include "shared/math/trig.h"

namespace jostle::state {
namespace {

/// Returns the fractional part of `turns`.
float fraction_of(double turns) {
  const double whole_turns = static_cast<double>(static_cast<std::int64_t>(turns));
  return static_cast<float>(turns - whole_turns);
}

}  // namespace

float swing(double seconds, float period, float phase) {
  const double turns = seconds / static_cast<double>(period) + static_cast<double>(phase);
  return math::sin_cos(2.0f * math::pi * fraction_of(turns)).sin;
}

math::Pose pose_at(const KinematicMotion& kinematic_motion, const math::Pose& start,
                   std::uint32_t steps, float step_seconds) {
  const double seconds = static_cast<double>(steps) * static_cast<double>(step_seconds);
  math::Pose pose = start;
  pose.position =
      start.position +
      kinematic_motion.amplitude * swing(seconds, kinematic_motion.period, kinematic_motion.phase);

  const float spin_speed = math::length(kinematic_motion.spin);
  if (spin_speed > 0.0f) {
    const double turns =
        seconds * static_cast<double>(spin_speed) / (2.0 * static_cast<double>(math::pi));
    const float angle = fraction_of(turns) * 2.0f * math::pi;
    pose.rotation = math::normalized(
        math::from_axis_angle(kinematic_motion.spin / spin_speed, angle) * start.rotation);
  }
  return pose;
}

}  // namespace jostle::state
