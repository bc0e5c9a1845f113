#include "shared/physics/solver/kernels/make_coordinate_table.h"

#ifdef __x86_64__

#include "shared/simd/lanes_sse2.h"

namespace jostle::physics {

constinit const CoordinateKernelTable sse2_coordinate_kernels =
    make_coordinate_table<simd::sse2::Floats>();

}  // namespace jostle::physics

#endif
