#pragma once

#include "shared/physics/solver/coordinate_bundle.h"
#include "shared/physics/solver/solver_arrays.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Result of the colouring for one joint with coordinates, from which it is placed in a bundle.
struct ColouredCoordinates {
  std::uint32_t joint = 0;  // slot
  std::uint32_t a = 0, b = 0;
  std::uint32_t group = 0;  // group of its colour and class (ColourLayout)
};

/// Scratch data of one step, like JointArrays.
struct CoordinateArrays {
  std::vector<ColouredCoordinates> coloured;
  std::vector<std::uint64_t> taken;  // by solver index: bit mask of the colours of a body's joints
  ColourBlocks blocks;
  std::vector<CoordinateBundle> bundles;
};

}  // namespace jostle::physics
