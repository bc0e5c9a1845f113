#pragma once

#include "shared/physics/solver/body_block.h"

#include <cstdint>

namespace jostle::physics {

/// Coefficients of static friction of the eight contacts of a bundle, none below that of kinetic
/// friction. These bundles exist only if the two coefficients differ at any contact of the cluster.
struct alignas(32) GripBundle {
  Lanes friction;
  Lanes share;  // share of the body's sliding that the contact must stop (kernels/grip_kernel.h)
};

/// Sum of the normal impulses of a body's contacts in the last substep, and their number.
struct GripLoad {
  float pressed = 0;  // N·s
  std::uint32_t count = 0;
};

}  // namespace jostle::physics
