#pragma once

#include "shared/physics/solver/coordinate_bundle.h"
#include "shared/physics/solver/solver_arrays.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// A joint with coordinates that has not been placed in a bundle yet.
struct ColouredCoordinates {
  std::uint32_t joint = 0;  // slot
  std::uint32_t a = 0, b = 0;
  std::uint32_t group = 0;  // group of its colour and class (ColourLayout)
};

/// Scratch data of one step, like JointArrays.
struct CoordinateArrays {
  std::vector<ColouredCoordinates> coloured;
  std::vector<std::uint64_t> taken;  // indexed by solver index: a bit mask of the colours in use
  ColourBlocks blocks;
  std::vector<CoordinateBundle> bundles;
};

}  // namespace jostle::physics
