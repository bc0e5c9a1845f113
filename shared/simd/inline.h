#pragma once

/// For every function that a kernel calls. Kernels are compiled once per instruction set; a shared
/// function that is not inlined would exist in several forms under one name, and the linker would
/// keep any of them, perhaps one that this processor cannot run.
#define JOSTLE_SIMD_INLINE [[gnu::always_inline]] inline
