#pragma once

#include "shared/simd/inline.h"

#include <immintrin.h>

#include <cstdint>

namespace jostle::simd::avx2 {

// Eight lanes in one register, for sources compiled with -mavx2 only. See lanes_plain.h for what
// each function does.

struct Mask {
  __m256 all;
};

struct Floats {
  __m256 all;

  JOSTLE_SIMD_INLINE static Floats splat(float x) { return {_mm256_set1_ps(x)}; }
  JOSTLE_SIMD_INLINE static Floats load(const float* from) { return {_mm256_load_ps(from)}; }
  JOSTLE_SIMD_INLINE static Floats load_unaligned(const float* from) {
    return {_mm256_loadu_ps(from)};
  }
  JOSTLE_SIMD_INLINE void store(float* to) const { _mm256_store_ps(to, all); }
};

JOSTLE_SIMD_INLINE Floats operator+(Floats a, Floats b) {
  return {_mm256_add_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a, Floats b) {
  return {_mm256_sub_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats operator*(Floats a, Floats b) {
  return {_mm256_mul_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats operator/(Floats a, Floats b) {
  return {_mm256_div_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a) {
  return {_mm256_xor_ps(a.all, _mm256_set1_ps(-0.0f))};
}
JOSTLE_SIMD_INLINE Floats min_of(Floats a, Floats b) {
  return {_mm256_min_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats max_of(Floats a, Floats b) {
  return {_mm256_max_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats sqrt_of(Floats a) {
  return {_mm256_sqrt_ps(a.all)};
}
JOSTLE_SIMD_INLINE Mask operator<(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.all, b.all, _CMP_LT_OQ)};
}
JOSTLE_SIMD_INLINE Mask operator<=(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.all, b.all, _CMP_LE_OQ)};
}
JOSTLE_SIMD_INLINE Mask operator==(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.all, b.all, _CMP_EQ_OQ)};
}
JOSTLE_SIMD_INLINE Mask operator&(Mask a, Mask b) {
  return {_mm256_and_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Mask operator|(Mask a, Mask b) {
  return {_mm256_or_ps(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Floats select(Mask mask, Floats a, Floats b) {
  return {_mm256_blendv_ps(b.all, a.all, mask.all)};
}
JOSTLE_SIMD_INLINE std::uint32_t bits_of(Mask mask) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(mask.all));
}
JOSTLE_SIMD_INLINE void transpose(Floats (&rows)[8]) {
  // Interleaves pairs of rows, then pairs of pairs within the halves of a register, then swaps
  // halves.
  __m256 pair[8], quad[8];
  for (int i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_ps(rows[i].all, rows[i + 1].all);
    pair[i + 1] = _mm256_unpackhi_ps(rows[i].all, rows[i + 1].all);
  }
  for (int i = 0; i < 8; i += 4) {
    quad[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], _MM_SHUFFLE(1, 0, 1, 0));
    quad[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], _MM_SHUFFLE(3, 2, 3, 2));
    quad[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], _MM_SHUFFLE(1, 0, 1, 0));
    quad[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], _MM_SHUFFLE(3, 2, 3, 2));
  }
  for (int i = 0; i < 4; ++i) {
    rows[i].all = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x20);
    rows[i + 4].all = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x31);
  }
}

struct Doubles {
  __m256d all;

  JOSTLE_SIMD_INLINE static Doubles splat(double x) { return {_mm256_set1_pd(x)}; }
  JOSTLE_SIMD_INLINE static Doubles load(const double* from) { return {_mm256_load_pd(from)}; }
  JOSTLE_SIMD_INLINE static Doubles load_floats(const float* from) {
    return {_mm256_cvtps_pd(_mm_load_ps(from))};
  }
  JOSTLE_SIMD_INLINE void store(double* to) const { _mm256_store_pd(to, all); }
  JOSTLE_SIMD_INLINE void store_floats(float* to) const { _mm_store_ps(to, _mm256_cvtpd_ps(all)); }
};

JOSTLE_SIMD_INLINE Doubles operator+(Doubles a, Doubles b) {
  return {_mm256_add_pd(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Doubles operator-(Doubles a, Doubles b) {
  return {_mm256_sub_pd(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Doubles operator*(Doubles a, Doubles b) {
  return {_mm256_mul_pd(a.all, b.all)};
}
JOSTLE_SIMD_INLINE Doubles max_of(Doubles a, Doubles b) {
  return {_mm256_max_pd(a.all, b.all)};
}

}  // namespace jostle::simd::avx2
