#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// Restitution of the eight contacts of a bundle (kernels/bounce_kernel.h). Lanes whose restitution
/// is 0 are skipped.
struct alignas(32) BounceBundle {
  Lanes restitution;
  Lanes absorbed;  // energy that the normal impulses of the step have taken from the bodies, J
};

}  // namespace jostle::physics
