#pragma once

#include "shared/math/transform.h"

#include <optional>

namespace jostle::client {

/// A pose that a body had at a tick.
struct PoseSample {
  double tick = 0;
  math::Pose pose;
};

/// The samples around a moment between `from` and `to`. The outer ones are used for velocities
/// only, because the wire carries none.
struct PoseSegment {
  std::optional<PoseSample> before;
  PoseSample from, to;  // from.tick < to.tick
  std::optional<PoseSample> after;
};

enum class InterpolationMode : unsigned char { Linear, Hermite };

/// Snapshots that come at least this often are joined by straight lines: between them a cubic
/// changes less than the quantisation does.
inline constexpr double min_linear_rate_hz = 45;
inline constexpr double max_extrapolation_ticks = 2;

InterpolationMode interpolation_mode(double snapshot_rate_hz);

/// Rotation at `fraction` of the shorter way from a to b; outside 0..1 it turns on at the same
/// rate. Exactly a at 0 and b at 1.
math::Quat interpolate_rotation(math::Quat a, math::Quat b, double fraction);

/// Pose at `tick`, which is clamped to the segment; exactly `from` and `to` at its ends.
///
/// Hermite positions: per axis a cubic whose slopes are the finite differences over the neighbours,
/// limited to three times the slope between the ends so that it never leaves their range
/// (Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980). An axis whose velocity changes sign is
/// a bounce and stays straight. Rotations take the shorter way at an even rate.
math::Pose interpolate(const PoseSegment& segment, double tick, InterpolationMode mode);

/// Pose at `tick` after the newest sample: on at the rate of the last two samples for at most
/// max_extrapolation_ticks, then held. A body without a `previous` sample, or one that did not
/// move between them, stays exactly where it is.
math::Pose extrapolate(const std::optional<PoseSample>& previous, const PoseSample& newest,
                       double tick);

/// What has to be added to a pose to get another one; faded out, it hides a jump.
struct PoseCorrection {
  math::Vec3 offset;    // m
  math::Quat rotation;  // world frame, applied after the pose's own

  bool operator==(const PoseCorrection&) const = default;
};
PoseCorrection correction_between(const math::Pose& pose, const math::Pose& wanted);
/// `weight` 1 gives the wanted pose, 0 exactly `pose`.
math::Pose corrected(const math::Pose& pose, const PoseCorrection& correction, double weight);

}  // namespace jostle::client
