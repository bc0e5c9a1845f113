#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// Rolling and spinning resistance at the eight contacts of a bundle (kernels/resistance_kernel.h),
/// about the axes t₁, t₂ and n of the contacts. Lanes in which both arms are 0 are skipped.
struct alignas(32) ResistanceBundle {
  Lanes rolling, spinning;  // arms of the normal force, m
  Lanes mass[3];            // effective mass, 2×2, about t₁ and t₂: 11, 12, 22, kg·m²
  Lanes spin_mass;          // effective mass about n, kg·m²
  Lanes impulse[3];         // impulse on b about t₁, t₂ and n, N·m·s per substep
  Lanes impulse_before[3];  // impulse at the end of the previous substep
};

}  // namespace jostle::physics
