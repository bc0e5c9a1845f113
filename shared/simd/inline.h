#pragma once

/// For every function that a kernel calls. Kernels are compiled once per instruction set; a shared
/// function that is not inlined would exist in several forms under one name, and the linker would
/// keep any of them, perhaps one that this processor cannot run.
///
/// The plain form runs anywhere, and its functions are nobody else's: a source that has no other
/// may leave inlining to the compiler, which takes minutes over it where all must be inlined.
#ifdef JOSTLE_SIMD_PLAIN_ONLY
#define JOSTLE_SIMD_INLINE inline
#else
#define JOSTLE_SIMD_INLINE [[gnu::always_inline]] inline
#endif
