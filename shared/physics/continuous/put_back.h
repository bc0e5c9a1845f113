#pragma once

#include "shared/math/transform.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

/// An impact of a body on another one, to which the body must be moved back (rewind to impact).
/// Poses are those of the centres of mass.
struct Stop {
  std::uint32_t body = 0;
  float fraction = 0;     // 0..1: time of impact as a share of the step
  math::Pose start;       // pose of the body at the start of the step
  std::uint32_t met = 0;  // the other body
  math::Pose met_start;   // pose of the other body at the start of the step
};

/// Moves bodies back along their paths to their times of impact. If a body has several stops, the
/// earliest one counts. Linear velocities and angular momenta do not change.
///
/// If a body were moved back alone, its joints would be violated. The bodies that are joined to it,
/// directly or through others, are therefore moved back to the same time in the step, too. Bodies
/// up to 8 joints away are moved back to exactly this time. Bodies farther away are moved back
/// less, the more joints lie between, and bodies 40 joints away are not moved. An island that keeps
/// its path (stabilizers/adaptive_substeps/island_paths.h) returns to the end of an earlier substep
/// instead, with its velocities, unless the impact lies in the first substep or a moving kinematic
/// body hit it.
void put_back(WorldState& world, std::vector<Stop> stops);

}  // namespace jostle::physics
