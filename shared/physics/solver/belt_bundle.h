#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// How fast surfaces run at the eight contacts of a bundle: that of b past that of a, beside what
/// their bodies do, m/s in world axes. Stands beside the bundle where any surface runs.
struct alignas(32) BeltBundle {
  Lanes velocity[3];
};

}  // namespace jostle::physics
