#include "shared/physics/solver/kernels/make_joint_table.h"

#ifdef __aarch64__

#include "shared/simd/lanes_neon.h"

namespace jostle::physics {

constinit const JointKernelTable neon_joint_kernels =
    make_joint_table<simd::neon::Floats, simd::neon::Doubles>(neon_coordinate_kernels);

}  // namespace jostle::physics

#endif
