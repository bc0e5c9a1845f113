#include "shared/physics/solver/kernels/make_table.h"

#ifdef __x86_64__

#include "shared/simd/lanes_sse2.h"

namespace jostle::physics {

constinit const KernelTable sse2_kernels =
    make_kernel_table<simd::sse2::Floats>(sse2_joint_kernels);

}  // namespace jostle::physics

#endif
