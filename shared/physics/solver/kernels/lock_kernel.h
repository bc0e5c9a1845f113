#pragma once

#include "shared/physics/solver/kernels/body_rows.h"
#include "shared/physics/solver/lock_bundle.h"

#include <cstddef>

namespace jostle::physics::kernels {

using simd::Vectors;

// A body that cannot move along an axis e of the world answers no force along it. Its inverse mass
// is no longer a number but m⁻¹·P, P = 1 − Σ e·eᵀ, and two directions of a contact are coupled by
//
//   p·(m_a⁻¹·P_a + m_b⁻¹·P_b)·q
//
// by mass. Lanes of bodies without locks keep the bits that they have without all this. A contact
// or joint may then have directions along which nothing can move: matrices that lead from impulses
// to velocities have no inverse, and that of the rest stands in its place. What is asked along the
// others gets no impulse.

/// None where no body of the world has locks, or none of the bundle's.
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

/// After impulses: what locks do not let the bodies have.
template <typename F>
JOSTLE_SIMD_INLINE void keep_locked(const LockBundle* locks, BodyRows<F>& a, BodyRows<F>& b) {
  if (locks == nullptr) return;
  a.first = kept(locks->free_a, a.first);
  b.first = kept(locks->free_b, b.first);
}

/// m_a⁻¹·P_a + m_b⁻¹·P_b
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> free_inverse_mass(const LockBundle& locks, const F& a, const F& b) {
  const Vectors<F> of_a = kept(locks.free_a, Vectors<F>{a, a, a});
  return of_a + kept(locks.free_b, Vectors<F>{b, b, b});
}

/// p·M·q for a diagonal M.
template <typename F>
JOSTLE_SIMD_INLINE F response_between(const Vectors<F>& m, const Vectors<F>& p,
                                      const Vectors<F>& q) {
  return m.x * p.x * q.x + m.y * p.y * q.y + m.z * p.z * q.z;
}

/// What is smaller beside the whole response is none, but rounding.
inline constexpr float least_response = 1e-5f;

template <typename F>
JOSTLE_SIMD_INLINE F inverse_pivot(const F& pivot, const F& whole) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const auto is_free = max_of(whole * F::splat(least_response), zero) < pivot;
  return select(is_free, one / select(is_free, pivot, one), zero);
}

// Inverses of symmetric matrices that are not negative, among the axes that Cholesky's
// factorisation leaves: one along which there is no response, or only what follows from those
// before it, gets nothing. `whole` is the size of responses that are not locked.

/// 11, 12 and 22.
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
  const F zx_in_all = yx * zy - zx;  // L⁻¹ has −yx, this and −zy below its diagonal
  const F xy = -(yx * y) - zx_in_all * zy * z;
  return {x + yx * yx * y + zx_in_all * zx_in_all * z,
          xy,
          zx_in_all * z,
          y + zy * zy * z,
          -(zy * z),
          z};
}

}  // namespace jostle::physics::kernels
