#pragma once

#include "shared/math/transform.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

/// An impact after which a body must be moved back to where it met another one. Poses are those of
/// the centres of mass.
struct Stop {
  std::uint32_t body = 0;
  float fraction = 0;     // 0..1: time of impact as a share of the step
  math::Pose start;       // pose of the body at the start of the step
  std::uint32_t met = 0;  // the other body
  math::Pose met_start;   // pose of the other body at the start of the step
};

/// Moves bodies back to their impacts. If a body has several stops, the earliest one counts. Linear
/// velocities and angular momenta do not change.
///
/// A body that is moved back alone would be torn from its joints. The bodies that are joined to it,
/// directly or through others, therefore go back too, to the same moment of their own motions, at
/// which all joints held. Bodies up to 8 joints away go back fully. Beyond that the share falls,
/// and bodies 40 joints away stay where they are.
void put_back(WorldState& world, const std::vector<Stop>& stops);

}  // namespace jostle::physics
