#pragma once

#include "shared/physics/solver/body_block.h"

#include <cstdint>

namespace jostle::physics {

/// Restitution of the eight contacts of a bundle (kernels/bounce_kernel.h). Lanes whose restitution
/// is 0 are skipped.
struct alignas(32) BounceBundle {
  Lanes restitution;
  Lanes absorbed;  // energy that the normal impulses of the step have taken from the bodies, J
  Lanes fastest;   // lowest normal velocity of a point before a pass pressed it, m/s, <= 0
  Lanes separation_before[4];  // by point: separation at the end of the previous substep, m
  // Lanes of contacts that have bounced in a substep (solve_jointed_impacts), one bit each.
  std::uint32_t has_bounced = 0;
};

}  // namespace jostle::physics
