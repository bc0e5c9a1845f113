#pragma once

#include "shared/math/transform.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

/// A body is to be where it was at the moment when it met another. Poses are those of the centres
/// of mass.
struct Stop {
  std::uint32_t body = 0;
  float fraction = 0;  // 0..1: of the step
  math::Pose start;    // of the step
  std::uint32_t met = 0;
  math::Pose met_start;
};

/// Puts bodies back; of several stops of a body the earliest counts. Their velocities stay.
///
/// What is put back alone is torn from its joints. What hangs on a body goes back with it, to the
/// same moment of its own way, at which all joints held: up to `together` joints away by as much,
/// beyond that by less and less, until nothing is left `apart` joints away.
void put_back(WorldState& world, const std::vector<Stop>& stops);

}  // namespace jostle::physics
