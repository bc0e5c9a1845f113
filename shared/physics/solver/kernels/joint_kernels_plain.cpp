#define JOSTLE_SIMD_PLAIN_ONLY

#include "shared/physics/solver/kernels/make_joint_table.h"
#include "shared/simd/lanes_plain.h"

namespace jostle::physics {

constinit const JointKernelTable plain_joint_kernels =
    make_joint_table<simd::plain::Floats, simd::plain::Doubles>(plain_coordinate_kernels);

}  // namespace jostle::physics
