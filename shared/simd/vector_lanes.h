#pragma once

#include "shared/simd/inline.h"

namespace jostle::simd {

/// Eight vectors, stored by component. `F` is one of the forms of `Floats`.
template <typename F>
struct Vectors {
  F x, y, z;

  /// Loads from three rows of eight floats, aligned to 32 bytes.
  JOSTLE_SIMD_INLINE static Vectors load(const float (*from)[8]) {
    return {F::load(from[0]), F::load(from[1]), F::load(from[2])};
  }
  JOSTLE_SIMD_INLINE void store(float (*to)[8]) const {
    x.store(to[0]);
    y.store(to[1]);
    z.store(to[2]);
  }
};

template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> operator+(const Vectors<F>& a, const Vectors<F>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> operator-(const Vectors<F>& a, const Vectors<F>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> operator*(const Vectors<F>& a, const F& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <typename F>
JOSTLE_SIMD_INLINE F dot(const Vectors<F>& a, const Vectors<F>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> cross(const Vectors<F>& a, const Vectors<F>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <typename Mask, typename F>
JOSTLE_SIMD_INLINE Vectors<F> select(const Mask& mask, const Vectors<F>& a, const Vectors<F>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

/// Eight symmetric matrices.
template <typename F>
struct SymmetricMatrices {
  F xx, xy, xz, yy, yz, zz;

  JOSTLE_SIMD_INLINE static SymmetricMatrices load(const float (*from)[8]) {
    return {F::load(from[0]), F::load(from[1]), F::load(from[2]),
            F::load(from[3]), F::load(from[4]), F::load(from[5])};
  }
  JOSTLE_SIMD_INLINE void store(float (*to)[8]) const {
    xx.store(to[0]);
    xy.store(to[1]);
    xz.store(to[2]);
    yy.store(to[3]);
    yz.store(to[4]);
    zz.store(to[5]);
  }
};

template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> operator*(const SymmetricMatrices<F>& m, const Vectors<F>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

template <typename Mask, typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> select(const Mask& mask, const SymmetricMatrices<F>& a,
                                               const SymmetricMatrices<F>& b) {
  return {select(mask, a.xx, b.xx), select(mask, a.xy, b.xy), select(mask, a.xz, b.xz),
          select(mask, a.yy, b.yy), select(mask, a.yz, b.yz), select(mask, a.zz, b.zz)};
}

/// Eight unit quaternions.
template <typename F>
struct Rotations {
  Vectors<F> v;
  F w;
};

/// Returns the Hamilton product, a rotation that applies b first, then a.
template <typename F>
JOSTLE_SIMD_INLINE Rotations<F> operator*(const Rotations<F>& a, const Rotations<F>& b) {
  return {b.v * a.w + a.v * b.w + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}
/// Rotates v by q: v + 2w(u×v) + 2u×(u×v), where u is the vector part.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> rotate(const Rotations<F>& q, const Vectors<F>& v) {
  const Vectors<F> half = cross(q.v, v);
  const Vectors<F> t = half + half;
  return v + t * q.w + cross(q.v, t);
}
template <typename F>
JOSTLE_SIMD_INLINE Rotations<F> conjugate(const Rotations<F>& q) {
  return {{-q.v.x, -q.v.y, -q.v.z}, q.w};
}

}  // namespace jostle::simd
