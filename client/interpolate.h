#pragma once

#include "shared/math/transform.h"

#include <optional>

namespace jostle::client {

/// A pose of a body at a tick.
struct PoseSample {
  double tick = 0;
  math::Pose pose;
  /// The last tick, at most `tick`, at which the body was set elsewhere, as far as known. Negative:
  /// none.
  double teleport = -1;

  /// Returns true if the body was set elsewhere after `earlier`. The way from there is no motion.
  bool is_apart_from(const PoseSample& earlier) const { return teleport > earlier.tick; }
};

/// The samples around a time that lies between `from` and `to`. `before` and `after` serve only to
/// estimate velocities, because snapshots contain none.
struct PoseSegment {
  std::optional<PoseSample> before;
  PoseSample from, to;  // samples around the displayed tick: from.tick < to.tick
  std::optional<PoseSample> after;
};

enum class InterpolationMode : unsigned char { Linear, Hermite };

/// Minimum snapshot rate for linear interpolation of positions. At this rate, the parabola of a
/// body in free fall differs from the straight line by less than the quantisation error.
inline constexpr double min_linear_rate_hz = 45;
inline constexpr double max_extrapolation_ticks = 2;

/// Returns the mode for a snapshot rate, see min_linear_rate_hz.
InterpolationMode interpolation_mode(double snapshot_rate_hz);

/// Returns the rotation at `fraction` of the shorter arc from `a` to `b`. A fraction outside 0..1
/// extrapolates at the same rate. The result is exactly `a` at 0 and `b` at 1.
math::Quat interpolate_rotation(math::Quat a, math::Quat b, double fraction);

/// Returns the pose at `tick`, which is clamped to the segment. At the ends the result is exactly
/// the pose of `from` or `to`. Rotations follow the shorter arc at a nearly constant rate.
///
/// In mode Hermite, each axis of the position is a cubic. Its slope at `from` and `to` is the mean
/// of the slopes of the two adjoining segments. The slope is limited to three times that of the
/// segment, so that the curve stays between `from` and `to` (Fritsch and Carlson, SIAM J. Numer.
/// Anal. 17, 1980). An axis whose velocity changes sign is treated as a bounce and interpolated
/// linearly.
///
/// If the body was set elsewhere between `from` and `to`, it stays at `from` until that tick, and
/// is at `to` from then on.
math::Pose interpolate(const PoseSegment& segment, double tick, InterpolationMode mode);

/// Returns the pose at `tick`, which is later than the newest sample. The motion between the two
/// samples continues for at most max_extrapolation_ticks and then stops. The pose stays exactly
/// that of `newest` if there is no `previous`, both poses are equal, or the body was set elsewhere
/// between them.
math::Pose extrapolate(const std::optional<PoseSample>& previous, const PoseSample& newest,
                       double tick);

/// Difference between two poses. Fading it out hides a jump.
struct PoseCorrection {
  math::Vec3 offset;    // m
  math::Quat rotation;  // world frame, applied after the pose's own

  bool operator==(const PoseCorrection&) const = default;
};
/// Returns the correction that moves `pose` to `wanted`.
PoseCorrection correction_between(const math::Pose& pose, const math::Pose& wanted);
/// Returns `pose` with a correction applied. `weight` 1 gives the wanted pose, 0 exactly `pose`;
/// values outside 0..1 are clamped.
math::Pose corrected(const math::Pose& pose, const PoseCorrection& correction, double weight);

}  // namespace jostle::client
