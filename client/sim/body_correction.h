#pragma once

#include "protocol/quantize.h"
#include "shared/math/transform.h"
#include "shared/state/snapshot.h"

#include <optional>

namespace jostle::prediction {

/// Difference between a simulated pose and the pose in a snapshot, as far as it exceeds the
/// quantisation error.
struct Deviation {
  math::Vec3 offset;  // offset that is added to the position, m
  math::Vec3 turn;    // axis times angle, applied after the pose's own rotation, rad, world frame

  bool is_none() const { return offset == math::Vec3{} && turn == math::Vec3{}; }
};
/// Returns by how much the snapshot's pose `received` deviates from the simulated pose `known`.
Deviation deviation(const math::Pose& known, const protocol::QuantizedBody& received);

/// Returns `known` with `deviation` added to its pose and `deviation` / `seconds` to its
/// velocities. This assumes that a velocity error caused the deviation within the last `seconds`.
/// Contract: seconds > 0.
state::BodyState corrected(const state::BodyState& known, const Deviation& deviation,
                           double seconds);

/// Linear velocity in m/s and angular velocity in rad/s.
struct Velocities {
  math::Vec3 linear, angular;
};
/// Returns the mean velocities between two poses that are `seconds` apart. Contract: seconds > 0.
Velocities velocities_between(const protocol::QuantizedBody& before,
                              const protocol::QuantizedBody& after, double seconds);

}  // namespace jostle::prediction
