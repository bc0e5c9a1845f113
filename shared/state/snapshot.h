#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <vector>

namespace jostle::state {

/// The state of a body that is not static, at the end of a tick.
struct BodyState {
  BodyId id;
  math::Pose pose;
  math::Vec3 linear_velocity;   // m/s
  math::Vec3 angular_velocity;  // rad/s, world frame
  bool is_awake = true;

  bool operator==(const BodyState&) const = default;
};

/// The state of the world that clients see at the end of a tick: every body of `world_revision`
/// that is not static, sorted by id. Velocities are per second of real time, also in slow motion
/// and fast forward; those of a paused world are the ones of its last step.
struct Snapshot {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<BodyState> bodies;

  bool operator==(const Snapshot&) const = default;
};

}  // namespace jostle::state
