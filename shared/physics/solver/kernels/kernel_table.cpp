#include "shared/physics/solver/kernels/kernel_table.h"

#include "shared/base/assert.h"

namespace jostle::physics {

const KernelTable& kernels_for(simd::Level level) {
  JOSTLE_ASSERT(simd::is_supported(level));
  switch (level) {
#ifdef __x86_64__
    case simd::Level::Sse2:
      return sse2_kernels;
    case simd::Level::Avx2:
      return avx2_kernels;
#endif
#ifdef __aarch64__
    case simd::Level::Neon:
      return neon_kernels;
#endif
    default:
      return plain_kernels;
  }
}

}  // namespace jostle::physics
