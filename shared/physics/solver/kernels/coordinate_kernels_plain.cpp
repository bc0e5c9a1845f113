#define JOSTLE_SIMD_PLAIN_ONLY

#include "shared/physics/solver/kernels/make_coordinate_table.h"
#include "shared/simd/lanes_plain.h"

namespace jostle::physics {

constinit const CoordinateKernelTable plain_coordinate_kernels =
    make_coordinate_table<simd::plain::Floats>();

}  // namespace jostle::physics
