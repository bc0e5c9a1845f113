#pragma once

#include "shared/physics/solver/body_block.h"

#include <cstdint>

namespace jostle::physics {

/// The coefficients of static friction of the eight contacts of a bundle, none below that of
/// sliding. Stands beside the bundle where they differ at any contact.
struct alignas(32) GripBundle {
  Lanes friction;
  Lanes share;  // of what has to be stopped, see kernels/grip_kernel.h
};

/// What the contacts of a body bore in the last substep, and how many they are.
struct GripLoad {
  float pressed = 0;  // N·s
  std::uint32_t count = 0;
};

}  // namespace jostle::physics
