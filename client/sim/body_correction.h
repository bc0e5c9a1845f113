#pragma once

#include "protocol/quantize.h"
#include "shared/math/transform.h"
#include "shared/state/snapshot.h"

#include <optional>

namespace jostle::prediction {

/// Difference between a pose and its quantised update, beyond the quantisation error.
struct Deviation {
  math::Vec3 offset;  // offset that is added to the position, m
  math::Vec3 turn;    // axis times angle, applied after the pose's own rotation, rad, world frame

  bool is_none() const { return offset == math::Vec3{} && turn == math::Vec3{}; }
};
/// Returns the deviation of the update `received` from `known`.
Deviation deviation(const math::Pose& known, const protocol::QuantizedBody& received);

/// Returns the state nearest to `known` that matches the update, if both agreed until `seconds`
/// ago: the deviation is attributed to a velocity error during that time. Contract: seconds > 0.
state::BodyState corrected(const state::BodyState& known, const Deviation& deviation,
                           double seconds);

/// Velocities estimated from two poses that are `seconds` apart. Contract: seconds > 0.
struct Velocities {
  math::Vec3 linear, angular;
};
Velocities velocities_between(const protocol::QuantizedBody& before,
                              const protocol::QuantizedBody& after, double seconds);

}  // namespace jostle::prediction
