#pragma once

/// Marks every function that a kernel calls. Kernels are compiled once per instruction set. A
/// shared function that is not inlined would exist in several forms under one name, and the linker
/// might keep one that this processor cannot run.
///
/// The plain form runs on any processor, and only plain kernels use its functions. A source file
/// that uses no other form may therefore leave inlining to the compiler; forced inlining of
/// everything takes the compiler minutes there.
#ifdef JOSTLE_SIMD_PLAIN_ONLY
#define JOSTLE_SIMD_INLINE inline
#else
#define JOSTLE_SIMD_INLINE [[gnu::always_inline]] inline
#endif
