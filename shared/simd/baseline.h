#pragma once

#if defined(__SSE2__)
#include "shared/simd/lanes_sse2.h"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include "shared/simd/lanes_neon.h"
#else
#include "shared/simd/lanes_plain.h"
#endif

namespace jostle::simd {

// The lanes that every processor of the build target supports, for code that is not selected at run
// time.
#if defined(__SSE2__)
namespace baseline = sse2;
#elif defined(__ARM_NEON) && defined(__aarch64__)
namespace baseline = neon;
#else
namespace baseline = plain;
#endif

}  // namespace jostle::simd
