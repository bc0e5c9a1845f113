#include "shared/physics/solver/kernels/kernel_table.h"

#include "shared/base/assert.h"

namespace jostle::physics {

const KernelTable& kernels_for(simd::InstructionSet level) {
  JOSTLE_ASSERT(simd::is_supported(level));
  switch (level) {
#ifdef __x86_64__
    case simd::InstructionSet::Sse2:
      return sse2_kernels;
    case simd::InstructionSet::Avx2:
      return avx2_kernels;
#endif
#ifdef __aarch64__
    case simd::InstructionSet::Neon:
      return neon_kernels;
#endif
    default:
      return plain_kernels;
  }
}

}  // namespace jostle::physics
