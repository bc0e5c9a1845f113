#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// What resists rolling and spinning at the eight contacts of a bundle
/// (kernels/resistance_kernel.h), in the axes t₁, t₂, n of that bundle. Lanes whose two arms are 0
/// are left alone.
struct alignas(32) ResistanceBundle {
  Lanes rolling, spinning;  // m, the arms of the normal force
  Lanes mass[3];            // kg·m², inverse of the 2×2 matrix of t₁ and t₂: 11, 12, 22
  Lanes spin_mass;          // kg·m²
  Lanes impulse[3];         // N·m·s per substep, on b, about t₁, t₂ and n
  Lanes impulse_before[3];  // at the end of the substep before
};

}  // namespace jostle::physics
