#define JOSTLE_SIMD_PLAIN_ONLY

#include "shared/physics/solver/kernels/make_table.h"
#include "shared/simd/lanes_plain.h"

namespace jostle::physics {

constinit const KernelTable plain_kernels =
    make_kernel_table<simd::plain::Floats>(plain_joint_kernels);

}  // namespace jostle::physics
