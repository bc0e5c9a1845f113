#pragma once

#include "shared/simd/inline.h"

#include <emmintrin.h>

#include <cstdint>

namespace jostle::simd::sse2 {

// Eight lanes in two registers of four. See lanes_plain.h for what each function does.

struct Mask {
  __m128 low, high;
};

struct Floats {
  __m128 low, high;

  JOSTLE_SIMD_INLINE static Floats splat(float x) { return {_mm_set1_ps(x), _mm_set1_ps(x)}; }
  JOSTLE_SIMD_INLINE static Floats load(const float* from) {
    return {_mm_load_ps(from), _mm_load_ps(from + 4)};
  }
  JOSTLE_SIMD_INLINE static Floats load_unaligned(const float* from) {
    return {_mm_loadu_ps(from), _mm_loadu_ps(from + 4)};
  }
  JOSTLE_SIMD_INLINE void store(float* to) const {
    _mm_store_ps(to, low);
    _mm_store_ps(to + 4, high);
  }
};

JOSTLE_SIMD_INLINE Floats operator+(Floats a, Floats b) {
  return {_mm_add_ps(a.low, b.low), _mm_add_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a, Floats b) {
  return {_mm_sub_ps(a.low, b.low), _mm_sub_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator*(Floats a, Floats b) {
  return {_mm_mul_ps(a.low, b.low), _mm_mul_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator/(Floats a, Floats b) {
  return {_mm_div_ps(a.low, b.low), _mm_div_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a) {
  const __m128 sign = _mm_set1_ps(-0.0f);
  return {_mm_xor_ps(a.low, sign), _mm_xor_ps(a.high, sign)};
}
// MINPS and MAXPS return the second operand if the two are equal or unordered, exactly as
// lanes_plain.h defines.
JOSTLE_SIMD_INLINE Floats min_of(Floats a, Floats b) {
  return {_mm_min_ps(a.low, b.low), _mm_min_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats max_of(Floats a, Floats b) {
  return {_mm_max_ps(a.low, b.low), _mm_max_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats sqrt_of(Floats a) {
  return {_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
}
JOSTLE_SIMD_INLINE Mask operator<(Floats a, Floats b) {
  return {_mm_cmplt_ps(a.low, b.low), _mm_cmplt_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator<=(Floats a, Floats b) {
  return {_mm_cmple_ps(a.low, b.low), _mm_cmple_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator==(Floats a, Floats b) {
  return {_mm_cmpeq_ps(a.low, b.low), _mm_cmpeq_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator&(Mask a, Mask b) {
  return {_mm_and_ps(a.low, b.low), _mm_and_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator|(Mask a, Mask b) {
  return {_mm_or_ps(a.low, b.low), _mm_or_ps(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats select(Mask mask, Floats a, Floats b) {
  return {_mm_or_ps(_mm_and_ps(mask.low, a.low), _mm_andnot_ps(mask.low, b.low)),
          _mm_or_ps(_mm_and_ps(mask.high, a.high), _mm_andnot_ps(mask.high, b.high))};
}
JOSTLE_SIMD_INLINE std::uint32_t bits_of(Mask mask) {
  return static_cast<std::uint32_t>(_mm_movemask_ps(mask.low)) |
         static_cast<std::uint32_t>(_mm_movemask_ps(mask.high)) << 4;
}
JOSTLE_SIMD_INLINE void transpose(Floats (&rows)[8]) {
  // Transposes four blocks of 4×4 and swaps the two off the diagonal.
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    _MM_TRANSPOSE4_PS(rows[i].low, rows[i + 1].low, rows[i + 2].low, rows[i + 3].low);
    _MM_TRANSPOSE4_PS(rows[i].high, rows[i + 1].high, rows[i + 2].high, rows[i + 3].high);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m128 kept = rows[i].high;
    rows[i].high = rows[i + 4].low;
    rows[i + 4].low = kept;
  }
}

struct Doubles {
  __m128d low, high;

  JOSTLE_SIMD_INLINE static Doubles splat(double x) { return {_mm_set1_pd(x), _mm_set1_pd(x)}; }
  JOSTLE_SIMD_INLINE static Doubles load(const double* from) {
    return {_mm_load_pd(from), _mm_load_pd(from + 2)};
  }
  JOSTLE_SIMD_INLINE static Doubles load_floats(const float* from) {
    const __m128 floats = _mm_load_ps(from);
    return {_mm_cvtps_pd(floats), _mm_cvtps_pd(_mm_movehl_ps(floats, floats))};
  }
  JOSTLE_SIMD_INLINE void store(double* to) const {
    _mm_store_pd(to, low);
    _mm_store_pd(to + 2, high);
  }
  JOSTLE_SIMD_INLINE void store_floats(float* to) const {
    _mm_store_ps(to, _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)));
  }
};

JOSTLE_SIMD_INLINE Doubles operator+(Doubles a, Doubles b) {
  return {_mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Doubles operator-(Doubles a, Doubles b) {
  return {_mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Doubles operator*(Doubles a, Doubles b) {
  return {_mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Doubles max_of(Doubles a, Doubles b) {
  return {_mm_max_pd(a.low, b.low), _mm_max_pd(a.high, b.high)};
}

}  // namespace jostle::simd::sse2
