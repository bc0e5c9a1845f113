#include "shared/physics/solver/kernels/make_joint_table.h"

#ifdef __x86_64__

#include "shared/simd/lanes_avx2.h"

namespace jostle::physics {

constinit const JointKernelTable avx2_joint_kernels =
    make_joint_table<simd::avx2::Floats, simd::avx2::Doubles>(avx2_coordinate_kernels);

}  // namespace jostle::physics

#endif
