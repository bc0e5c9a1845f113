#include "client/interpolate.h"

#include "shared/math/trig.h"

#include <algorithm>
#include <cmath>

namespace jostle::client {

using math::Pose;
using math::Position;
using math::Quat;

namespace {

/// Smallest dot product of two quaternions for which nlerp is used instead of slerp. It is the
/// cosine of half the rotation angle: above 36° the speed error of nlerp becomes visible.
constexpr float min_nlerp_cosine = 0.95f;

Quat weighted(Quat a, float weight_a, Quat b, float weight_b) {
  return math::normalized({a.x * weight_a + b.x * weight_b, a.y * weight_a + b.y * weight_b,
                           a.z * weight_a + b.z * weight_b, a.w * weight_a + b.w * weight_b});
}

/// One axis of a segment: the values at its ends, and the slopes of the neighbouring segments if
/// they exist.
struct Axis {
  double from = 0, to = 0;
  std::optional<double> slope_before, slope_after;  // in the neighbouring segments, per tick
  double ticks = 1;                                 // ticks between from and to
};

/// Evaluates the cubic H(s) = from·h00 + m0·T·h10 + to·h01 + m1·T·h11 at s = `fraction`, written
/// relative to the straight line. h00 to h11 are the cubic Hermite basis functions, m0 and m1 the
/// slopes at the ends, T is `ticks`. Returns the value on the straight line if the velocity changes
/// its sign.
double hermite(const Axis& axis, double fraction) {
  const double straight = axis.from + (axis.to - axis.from) * fraction;
  const double slope = (axis.to - axis.from) / axis.ticks;
  if (axis.slope_before.value_or(slope) * slope < 0) return straight;
  if (axis.slope_after.value_or(slope) * slope < 0) return straight;

  const auto end_slope = [slope](const std::optional<double>& neighbour,
                                 const std::optional<double>& other) {
    // If the body does not move on the other side of this end, it starts or stops here, so the
    // slope of the curve is zero.
    if (neighbour && *neighbour == 0) return 0.0;
    // The slope of a missing neighbour is taken from the parabola through the other three samples.
    // If both are missing, the slope of the segment is used.
    const double mean = (slope + neighbour.value_or(2 * slope - other.value_or(slope))) / 2;
    return slope > 0 ? std::clamp(mean, 0.0, 3 * slope) : std::clamp(mean, 3 * slope, 0.0);
  };
  const double from_slope = end_slope(axis.slope_before, axis.slope_after);
  const double to_slope = end_slope(axis.slope_after, axis.slope_before);
  const double bend_from = (from_slope - slope) * axis.ticks;
  const double bend_to = (to_slope - slope) * axis.ticks;
  const double rest = 1 - fraction;
  return straight + fraction * rest * (rest * bend_from - fraction * bend_to);
}

Position interpolate_hermite(const PoseSegment& segment, double fraction) {
  const auto axis_value = [&](double Position::*axis) {
    const double from = segment.from.pose.position.*axis, to = segment.to.pose.position.*axis;
    Axis values{.from = from,
                .to = to,
                .slope_before = {},
                .slope_after = {},
                .ticks = segment.to.tick - segment.from.tick};
    if (segment.before && !segment.from.is_apart_from(*segment.before)) {
      values.slope_before =
          (from - segment.before->pose.position.*axis) / (segment.from.tick - segment.before->tick);
    }
    if (segment.after && !segment.after->is_apart_from(segment.to)) {
      values.slope_after =
          (segment.after->pose.position.*axis - to) / (segment.after->tick - segment.to.tick);
    }
    return hermite(values, fraction);
  };
  return {axis_value(&Position::x), axis_value(&Position::y), axis_value(&Position::z)};
}

Position interpolate_linear(Position a, Position b, double fraction) {
  return {a.x + (b.x - a.x) * fraction, a.y + (b.y - a.y) * fraction, a.z + (b.z - a.z) * fraction};
}

}  // namespace

InterpolationMode interpolation_mode(double snapshot_rate_hz) {
  return snapshot_rate_hz >= min_linear_rate_hz ? InterpolationMode::Linear
                                                : InterpolationMode::Hermite;
}

Quat interpolate_rotation(Quat a, Quat b, double fraction) {
  if (fraction == 0 || a == b) return a;
  if (fraction == 1) return b;
  // q and −q are the same rotation; the nearer one gives the shorter arc.
  float cosine = math::dot(a, b);
  if (cosine < 0) {
    b = math::negate(b);
    cosine = -cosine;
  }
  const auto s = static_cast<float>(fraction);
  const bool is_between = fraction > 0 && fraction < 1;
  if (cosine > min_nlerp_cosine && is_between) return weighted(a, 1 - s, b, s);

  // slerp: (a·sin((1 − s)θ) + b·sin(sθ)) / sin θ. weighted() normalises the result, so the division
  // is omitted.
  const float angle = math::acos(cosine);
  if (!(angle > 1e-4f)) return b;
  return weighted(a, math::sin_cos((1 - s) * angle).sin, b, math::sin_cos(s * angle).sin);
}

Pose interpolate(const PoseSegment& segment, double tick, InterpolationMode mode) {
  const auto& [before, from, to, after] = segment;
  if (tick <= from.tick) return from.pose;
  if (tick >= to.tick) return to.pose;
  if (to.is_apart_from(from)) return tick < to.teleport ? from.pose : to.pose;
  const double fraction = (tick - from.tick) / (to.tick - from.tick);
  Pose pose;
  pose.position = mode == InterpolationMode::Hermite
                      ? interpolate_hermite(segment, fraction)
                      : interpolate_linear(from.pose.position, to.pose.position, fraction);
  pose.rotation = interpolate_rotation(from.pose.rotation, to.pose.rotation, fraction);
  return pose;
}

Pose extrapolate(const std::optional<PoseSample>& previous, const PoseSample& newest, double tick) {
  const double ticks = std::clamp(tick - newest.tick, 0.0, max_extrapolation_ticks);
  if (!previous || previous->pose == newest.pose || ticks == 0 || newest.is_apart_from(*previous))
    return newest.pose;
  const double fraction = 1 + ticks / (newest.tick - previous->tick);
  return {interpolate_linear(previous->pose.position, newest.pose.position, fraction),
          interpolate_rotation(previous->pose.rotation, newest.pose.rotation, fraction)};
}

PoseCorrection correction_between(const Pose& pose, const Pose& wanted) {
  return {wanted.position - pose.position,
          math::normalized(wanted.rotation * math::conjugate(pose.rotation))};
}

Pose corrected(const Pose& pose, const PoseCorrection& correction, double weight) {
  if (weight <= 0) return pose;
  const auto share = static_cast<float>(std::min(weight, 1.0));
  return {
      pose.position + correction.offset * share,
      math::normalized(interpolate_rotation(Quat{}, correction.rotation, share) * pose.rotation)};
}

}  // namespace jostle::client
