#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// What the eight contacts of a bundle are to give back (kernels/bounce_kernel.h). Lanes that give
/// nothing back are left alone.
struct alignas(32) BounceBundle {
  Lanes restitution;
  Lanes absorbed;  // J, what the normal impulses of the step have taken from the bodies
};

}  // namespace jostle::physics
