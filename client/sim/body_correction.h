#pragma once

#include "protocol/quantize.h"
#include "shared/math/transform.h"
#include "shared/state/snapshot.h"

#include <optional>

namespace jostle::prediction {

/// By how much a pose is not the one that was told, beyond what its rounding explains.
struct Deviation {
  math::Vec3 offset;  // m: to be added
  math::Vec3 turn;    // rad, world frame: axis times angle, to be turned after the pose's own

  bool is_none() const { return offset == math::Vec3{} && turn == math::Vec3{}; }
};
Deviation deviation(const math::Pose& known, const protocol::QuantizedBody& told);

/// The state that is as near to `known` as what was told allows, given that it was so until
/// `seconds` ago: a velocity was wrong by what has become of it since. Contract: seconds > 0.
state::BodyState corrected(const state::BodyState& known, const Deviation& deviation,
                           double seconds);

/// Velocities from two poses that were told `seconds` apart. Contract: seconds > 0.
struct Velocities {
  math::Vec3 linear, angular;
};
Velocities velocities_between(const protocol::QuantizedBody& before,
                              const protocol::QuantizedBody& after, double seconds);

}  // namespace jostle::prediction
