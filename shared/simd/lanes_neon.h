#pragma once

#include "shared/simd/inline.h"

#include <arm_neon.h>

#include <cstdint>

namespace jostle::simd::neon {

// Eight lanes in two registers of four, for aarch64. See lanes_plain.h for what each function does.
// FMIN and FMAX treat NaN and signed zeros differently from lanes_plain.h, so min_of and max_of are
// a comparison and a selection here.

struct Mask {
  uint32x4_t low, high;
};

struct Floats {
  float32x4_t low, high;

  JOSTLE_SIMD_INLINE static Floats splat(float x) { return {vdupq_n_f32(x), vdupq_n_f32(x)}; }
  JOSTLE_SIMD_INLINE static Floats load(const float* from) {
    return {vld1q_f32(from), vld1q_f32(from + 4)};
  }
  JOSTLE_SIMD_INLINE static Floats load_unaligned(const float* from) { return load(from); }
  JOSTLE_SIMD_INLINE void store(float* to) const {
    vst1q_f32(to, low);
    vst1q_f32(to + 4, high);
  }
};

JOSTLE_SIMD_INLINE Floats operator+(Floats a, Floats b) {
  return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a, Floats b) {
  return {vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator*(Floats a, Floats b) {
  return {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator/(Floats a, Floats b) {
  return {vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a) {
  return {vnegq_f32(a.low), vnegq_f32(a.high)};
}
JOSTLE_SIMD_INLINE Mask operator<(Floats a, Floats b) {
  return {vcltq_f32(a.low, b.low), vcltq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator<=(Floats a, Floats b) {
  return {vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator==(Floats a, Floats b) {
  return {vceqq_f32(a.low, b.low), vceqq_f32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator&(Mask a, Mask b) {
  return {vandq_u32(a.low, b.low), vandq_u32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Mask operator|(Mask a, Mask b) {
  return {vorrq_u32(a.low, b.low), vorrq_u32(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats select(Mask mask, Floats a, Floats b) {
  return {vbslq_f32(mask.low, a.low, b.low), vbslq_f32(mask.high, a.high, b.high)};
}
JOSTLE_SIMD_INLINE Floats min_of(Floats a, Floats b) {
  return select(a < b, a, b);
}
JOSTLE_SIMD_INLINE Floats max_of(Floats a, Floats b) {
  return select(b < a, a, b);
}
JOSTLE_SIMD_INLINE Floats sqrt_of(Floats a) {
  return {vsqrtq_f32(a.low), vsqrtq_f32(a.high)};
}
JOSTLE_SIMD_INLINE std::uint32_t bits_of(Mask mask) {
  const uint32x4_t weights = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(mask.low, weights)) | vaddvq_u32(vandq_u32(mask.high, weights)) << 4;
}
JOSTLE_SIMD_INLINE void transpose_quarter(float32x4_t& a, float32x4_t& b, float32x4_t& c,
                                          float32x4_t& d) {
  const float32x4x2_t ab = vtrnq_f32(a, b), cd = vtrnq_f32(c, d);
  a = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
  b = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
  c = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
  d = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}
JOSTLE_SIMD_INLINE void transpose(Floats (&rows)[8]) {
  // Transposes four blocks of 4×4 and swaps the two off the diagonal.
  for (int i = 0; i < 8; i += 4) {
    transpose_quarter(rows[i].low, rows[i + 1].low, rows[i + 2].low, rows[i + 3].low);
    transpose_quarter(rows[i].high, rows[i + 1].high, rows[i + 2].high, rows[i + 3].high);
  }
  for (int i = 0; i < 4; ++i) {
    const float32x4_t kept = rows[i].high;
    rows[i].high = rows[i + 4].low;
    rows[i + 4].low = kept;
  }
}

struct Doubles {
  float64x2_t low, high;

  JOSTLE_SIMD_INLINE static Doubles splat(double x) { return {vdupq_n_f64(x), vdupq_n_f64(x)}; }
  JOSTLE_SIMD_INLINE static Doubles load(const double* from) {
    return {vld1q_f64(from), vld1q_f64(from + 2)};
  }
  JOSTLE_SIMD_INLINE static Doubles load_floats(const float* from) {
    return {vcvt_f64_f32(vld1_f32(from)), vcvt_f64_f32(vld1_f32(from + 2))};
  }
  JOSTLE_SIMD_INLINE void store(double* to) const {
    vst1q_f64(to, low);
    vst1q_f64(to + 2, high);
  }
  JOSTLE_SIMD_INLINE void store_floats(float* to) const {
    vst1_f32(to, vcvt_f32_f64(low));
    vst1_f32(to + 2, vcvt_f32_f64(high));
  }
};

JOSTLE_SIMD_INLINE Doubles operator+(Doubles a, Doubles b) {
  return {vaddq_f64(a.low, b.low), vaddq_f64(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Doubles operator-(Doubles a, Doubles b) {
  return {vsubq_f64(a.low, b.low), vsubq_f64(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Doubles operator*(Doubles a, Doubles b) {
  return {vmulq_f64(a.low, b.low), vmulq_f64(a.high, b.high)};
}
JOSTLE_SIMD_INLINE Doubles max_of(Doubles a, Doubles b) {
  return {vbslq_f64(vcgtq_f64(a.low, b.low), a.low, b.low),
          vbslq_f64(vcgtq_f64(a.high, b.high), a.high, b.high)};
}

}  // namespace jostle::simd::neon
