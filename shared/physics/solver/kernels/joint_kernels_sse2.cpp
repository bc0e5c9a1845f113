#include "shared/physics/solver/kernels/make_joint_table.h"

#ifdef __x86_64__

#include "shared/simd/lanes_sse2.h"

namespace jostle::physics {

constinit const JointKernelTable sse2_joint_kernels =
    make_joint_table<simd::sse2::Floats, simd::sse2::Doubles>(sse2_coordinate_kernels);

}  // namespace jostle::physics

#endif
