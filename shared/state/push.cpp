#include "shared/state/push.h"

#include "shared/state/kinematic_motion.h"

#include <cmath>

namespace jostle::state {
namespace {

math::Vec3 value_of(const Swing& swing_of_axes, double seconds) {
  const Swing& s = swing_of_axes;
  return {s.amplitude.x * swing(seconds, s.period.x, s.phase.x),
          s.amplitude.y * swing(seconds, s.period.y, s.phase.y),
          s.amplitude.z * swing(seconds, s.period.z, s.phase.z)};
}

/// Returns how many of the times start + k·every, for k = 0, 1, ..., are before `seconds`; at most
/// `count` if that is not 0. If `every` is 0, `start` is the only time.
double moments_before(const Moments& moments, double seconds) {
  if (!(moments.start < seconds)) return 0;
  if (!(moments.every > 0)) return 1;
  const double count = std::ceil((seconds - moments.start) / moments.every);
  const double limit = static_cast<double>(moments.count);
  return moments.count > 0 && count > limit ? limit : count;
}

}  // namespace

double moments_at(const Moments& moments, std::uint32_t step, float step_seconds) {
  const double length = static_cast<double>(step_seconds);
  // Times before `reach` belong to this step or to an earlier one.
  const double reach = static_cast<double>(step) * length + 0.5 * length;
  return moments_before(moments, reach) - (step == 0 ? 0 : moments_before(moments, reach - length));
}

std::optional<PushEffect> effect_of(const Push& push, std::uint32_t step, float step_seconds) {
  const double length = static_cast<double>(step_seconds);
  const double seconds = static_cast<double>(step) * length;
  const double reach = seconds + 0.5 * length;
  if (!(push.start < reach) || push.end < reach) return std::nullopt;

  if (const auto* impulse = std::get_if<ImpulsePush>(&push.kind)) {
    const double times =
        moments_at({push.start, impulse->every, impulse->count}, step, step_seconds);
    if (!(times > 0)) return std::nullopt;
    return Shove{impulse->impulse * static_cast<float>(times), impulse->point};
  }
  if (const auto* velocity = std::get_if<VelocityPush>(&push.kind))
    return Drive{value_of(velocity->swing, seconds)};
  const auto& follow = std::get<FollowPush>(push.kind);
  return Pull{follow.centre + value_of(follow.swing, seconds), &follow, step_seconds};
}

math::Vec3 impulse_of(const Pull& pull, const PushedBody& body) {
  const FollowPush& push = *pull.push;
  math::Vec3 acceleration =
      push.stiffness * (pull.target - body.position) - push.damping * body.velocity;
  // A body of a recording may have any velocity, so the damping term may overflow.
  if (!is_finite(acceleration)) return {};
  if (!push.axes[0]) acceleration.x = 0;
  if (!push.axes[1]) acceleration.y = 0;
  if (!push.axes[2]) acceleration.z = 0;
  const float size = math::length(acceleration);
  if (size > push.max_acceleration) acceleration *= push.max_acceleration / size;
  return body.mass * pull.step_seconds * acceleration;
}

}  // namespace jostle::state
