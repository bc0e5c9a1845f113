#include "shared/physics/solver/kernels/make_coordinate_table.h"

#ifdef __aarch64__

#include "shared/simd/lanes_neon.h"

namespace jostle::physics {

constinit const CoordinateKernelTable neon_coordinate_kernels =
    make_coordinate_table<simd::neon::Floats>();

}  // namespace jostle::physics

#endif
