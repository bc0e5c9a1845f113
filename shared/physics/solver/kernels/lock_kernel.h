#pragma once

#include "shared/physics/solver/kernels/body_rows.h"
#include "shared/physics/solver/lock_bundle.h"

#include <cstddef>

namespace jostle::physics::kernels {

using simd::Vectors;

// Locked axes. A body that cannot move along a world axis e does not respond to forces along e. Its
// inverse mass is therefore not a scalar but the matrix m⁻¹·P, P = 1 − Σ e·eᵀ. This matrix couples
// two directions p and q of a contact by
//
//   p·(m_a⁻¹·P_a + m_b⁻¹·P_b)·q
//
// For lanes of bodies without locks, the results are bit-identical to those without this code. A
// contact or joint may have directions along which neither body can move. The matrix from impulses
// to velocities is then singular. It is inverted within the other directions, and the immovable
// directions get no impulse.

/// Returns the locks of bundle `i`, or null if `locks` is null or no body of the bundle has locks.
template <typename F>
JOSTLE_SIMD_INLINE const LockBundle* locks_among(const LockBundle* locks, std::ptrdiff_t i) {
  if (locks == nullptr) return nullptr;
  return bits_of(F::splat(0.0f) < F::load(locks[i].has_locks)) == 0 ? nullptr : locks + i;
}

template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> kept(const Lanes (&free)[3], const Vectors<F>& v) {
  const F zero = F::splat(0.0f);
  const auto along = [&](const Lanes& is_free, const F& x) {
    return select(zero < F::load(is_free), x, zero);
  };
  return {along(free[0], v.x), along(free[1], v.y), along(free[2], v.z)};
}

/// Clears the linear velocities along locked axes, if `locks` is not null. Call it after applying
/// impulses.
template <typename F>
JOSTLE_SIMD_INLINE void keep_locked(const LockBundle* locks, BodyRows<F>& a, BodyRows<F>& b) {
  if (locks == nullptr) return;
  a.first = kept(locks->free_a, a.first);
  b.first = kept(locks->free_b, b.first);
}

/// Returns the diagonal of m_a⁻¹·P_a + m_b⁻¹·P_b. `a` and `b` are m_a⁻¹ and m_b⁻¹.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> free_inverse_mass(const LockBundle& locks, const F& a, const F& b) {
  const Vectors<F> of_a = kept(locks.free_a, Vectors<F>{a, a, a});
  return of_a + kept(locks.free_b, Vectors<F>{b, b, b});
}

/// Returns p·M·q for the diagonal matrix M = diag(`m`).
template <typename F>
JOSTLE_SIMD_INLINE F response_between(const Vectors<F>& m, const Vectors<F>& p,
                                      const Vectors<F>& q) {
  return m.x * p.x * q.x + m.y * p.y * q.y + m.z * p.z * q.z;
}

/// Minimum pivot, as a share of the response without locks. Smaller pivots are rounding errors and
/// count as zero.
inline constexpr float least_response = 1e-5f;

template <typename F>
JOSTLE_SIMD_INLINE F inverse_pivot(const F& pivot, const F& whole) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const auto is_free = max_of(whole * F::splat(least_response), zero) < pivot;
  return select(is_free, one / select(is_free, pivot, one), zero);
}

// The functions below return inverses of symmetric positive semidefinite matrices, restricted to
// the axes with a pivot in the Cholesky factorisation. An axis has no pivot if it has no response,
// or if its response follows from those of the preceding axes. The result is zero for this axis.
// `whole` is the size of the response without locks. The function for 3×3 matrices uses the trace
// of its matrix instead.

/// The elements 11, 12 and 22 of a symmetric 2×2 matrix.
template <typename F>
struct TwoByTwo {
  F m11, m12, m22;
};
template <typename F>
JOSTLE_SIMD_INLINE TwoByTwo<F> inverse_with_locks(const TwoByTwo<F>& m, const F& whole) {
  const F x = inverse_pivot(m.m11, whole);
  const F yx = m.m12 * x;
  const F y = inverse_pivot(m.m22 - yx * m.m12, whole);
  return {x + yx * yx * y, -(yx * y), y};
}

template <typename F>
JOSTLE_SIMD_INLINE simd::SymmetricMatrices<F> inverse_with_locks(
    const simd::SymmetricMatrices<F>& m) {
  const F whole = m.xx + m.yy + m.zz;
  const F x = inverse_pivot(m.xx, whole);
  const F yx = m.xy * x, zx = m.xz * x;
  const F y = inverse_pivot(m.yy - yx * m.xy, whole);
  const F left = m.yz - zx * m.xy, zy = left * y;
  const F z = inverse_pivot(m.zz - zx * m.xz - zy * left, whole);
  // the elements of L⁻¹ below the diagonal are −yx, zx_in_all and −zy
  const F zx_in_all = yx * zy - zx;
  const F xy = -(yx * y) - zx_in_all * zy * z;
  return {x + yx * yx * y + zx_in_all * zx_in_all * z,
          xy,
          zx_in_all * z,
          y + zy * zy * z,
          -(zy * z),
          z};
}

}  // namespace jostle::physics::kernels
