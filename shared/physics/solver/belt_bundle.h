#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// Relative surface velocity at the eight contacts of a bundle (conveyor belts), m/s in world axes.
/// It is the velocity of b's surface relative to body b, minus that of a's surface relative to body
/// a. These bundles exist only if a surface moves at any contact of the cluster.
struct alignas(32) BeltBundle {
  Lanes velocity[3];
};

}  // namespace jostle::physics
