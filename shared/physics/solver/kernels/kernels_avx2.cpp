#include "shared/physics/solver/kernels/make_table.h"

#ifdef __x86_64__

#include "shared/simd/lanes_avx2.h"

namespace jostle::physics {

constinit const KernelTable avx2_kernels =
    make_kernel_table<simd::avx2::Floats>(avx2_joint_kernels);

}  // namespace jostle::physics

#endif
