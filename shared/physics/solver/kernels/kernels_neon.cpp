#include "shared/physics/solver/kernels/make_table.h"

#ifdef __aarch64__

#include "shared/simd/lanes_neon.h"

namespace jostle::physics {

constinit const KernelTable neon_kernels =
    make_kernel_table<simd::neon::Floats>(neon_joint_kernels);

}  // namespace jostle::physics

#endif
