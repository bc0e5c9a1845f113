#pragma once

#include "shared/physics/solver/body_block.h"

#include <cstdint>

namespace jostle::physics {

/// Coefficients of static friction of the eight contacts of a bundle, each at least the coefficient
/// of kinetic friction. These bundles exist only if the two coefficients differ at any contact of
/// the cluster.
struct alignas(32) GripBundle {
  Lanes friction;
  // share of the body's sliding momentum that this manifold must stop (kernels/grip_kernel.h)
  Lanes share;
};

/// Sum of the normal impulses of a body's manifolds in the last substep of the previous step, and
/// the number of these manifolds.
struct GripLoad {
  float pressed = 0;  // N·s
  std::uint32_t count = 0;
};

}  // namespace jostle::physics
