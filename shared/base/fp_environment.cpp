#include "shared/base/fp_environment.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

#ifdef __FAST_MATH__
#error "jostle is bit-exact: it cannot be compiled with -ffast-math"
#endif

namespace jostle::base {

#if defined(__x86_64__) || defined(__i386__)

namespace {
// The value of MXCSR after a reset (Intel SDM vol. 1, 10.2.3): all exceptions masked, round to
// nearest, FTZ and DAZ off.
constexpr unsigned mxcsr_default = 0x1F80U;
}  // namespace

FpEnvironment::FpEnvironment() : saved_(_mm_getcsr()) {
  _mm_setcsr(mxcsr_default);
}
FpEnvironment::~FpEnvironment() {
  _mm_setcsr(static_cast<unsigned>(saved_));
}

#elif defined(__aarch64__)

// FPCR = 0 (Arm ARM, FPCR): round to nearest, no flush to zero, no traps.
FpEnvironment::FpEnvironment() {
  unsigned long long fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  saved_ = fpcr;
  __asm__ volatile("msr fpcr, %0" : : "r"(0ULL));
}
FpEnvironment::~FpEnvironment() {
  __asm__ volatile("msr fpcr, %0" : : "r"(saved_));
}

#else

FpEnvironment::FpEnvironment() : saved_(static_cast<unsigned long long>(std::fegetround())) {
  std::fesetround(FE_TONEAREST);
}
FpEnvironment::~FpEnvironment() {
  std::fesetround(static_cast<int>(saved_));
}

#endif

}  // namespace jostle::base
