#pragma once

#include "shared/math/transform.h"

#include <optional>

namespace jostle::client {

/// A pose of a body at a tick.
struct PoseSample {
  double tick = 0;
  math::Pose pose;
};

/// The samples around a time that lies between `from` and `to`. The outer ones are used only to
/// estimate velocities, because snapshots carry none.
struct PoseSegment {
  std::optional<PoseSample> before;
  PoseSample from, to;  // samples around the displayed tick: from.tick < to.tick
  std::optional<PoseSample> after;
};

enum class InterpolationMode : unsigned char { Linear, Hermite };

/// Lowest snapshot rate at which samples are joined linearly. Above it, a cubic changes less than
/// the quantisation does.
inline constexpr double min_linear_rate_hz = 45;
inline constexpr double max_extrapolation_ticks = 2;

/// Returns the mode for a snapshot rate, see min_linear_rate_hz.
InterpolationMode interpolation_mode(double snapshot_rate_hz);

/// Returns the rotation at `fraction` of the shorter arc from a to b. Outside 0..1 it extrapolates
/// at the same rate. Exactly a at 0 and b at 1.
math::Quat interpolate_rotation(math::Quat a, math::Quat b, double fraction);

/// Returns the pose at `tick`, which is clamped to the segment; exactly `from` and `to` at its
/// ends.
///
/// Hermite positions: a cubic per axis, whose slopes are finite differences over the neighbours.
/// They are limited to three times the slope between the ends, so that the curve never leaves their
/// range (Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980). An axis whose velocity changes sign
/// is a bounce and is interpolated linearly. Rotations follow the shorter arc at a constant rate.
math::Pose interpolate(const PoseSegment& segment, double tick, InterpolationMode mode);

/// Returns the pose at `tick` after the newest sample. The motion of the last two samples is
/// continued for at most max_extrapolation_ticks, then held. A body without a `previous` sample, or
/// one that did not move between the two, stays exactly in place.
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
/// Applies a correction. `weight` 1 gives the wanted pose, 0 exactly `pose`.
math::Pose corrected(const math::Pose& pose, const PoseCorrection& correction, double weight);

}  // namespace jostle::client
