#pragma once

#include "shared/physics/solver/kernels/body_rows.h"
#include "shared/physics/solver/lock_bundle.h"

namespace jostle::physics::kernels {

using simd::Vectors;

// A body that cannot move along an axis e of the world answers no force along it. Its inverse mass is
// no longer a number but m⁻¹·P, P = 1 − Σ e·eᵀ, and two directions of a contact are coupled by
//
//   p·(m_a⁻¹·P_a + m_b⁻¹·P_b)·q = (m_a⁻¹ + m_b⁻¹)·p·q − p·D·q,   D diagonal
//
// D is what locks take away. Bodies without locks have D = 0, and lanes of such bodies keep the bits
// that they have without all this. A contact may then have directions along which nothing can move:
// they get no impulse.

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

/// p·D·q, by D.
template <typename F>
JOSTLE_SIMD_INLINE F taken(const Vectors<F>& d, const Vectors<F>& p, const Vectors<F>& q) {
  return d.x * p.x * q.x + d.y * p.y * q.y + d.z * p.z * q.z;
}

/// The inverse of the symmetric 2×2 matrix of a contact's tangents: 11, 12, 22.
template <typename F>
struct TwoByTwo {
  F m11, m12, m22;
};
/// Where it has a direction without response: the inverse along the other, of rank one. K = k·u·uᵀ
/// has the trace k, and K/k² is its inverse along u.
template <typename F>
JOSTLE_SIMD_INLINE TwoByTwo<F> inverse_with_locks(const F& k11, const F& k12, const F& k22) {
  constexpr float flat = 1e-5f;  // of the determinant to the square of the trace
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F trace = k11 + k22, squared = trace * trace, determinant = k11 * k22 - k12 * k12;
  const auto is_zero = squared <= zero;
  const auto is_flat = determinant <= squared * F::splat(flat);
  const F scale = one / select(is_zero, one, select(is_flat, squared, determinant));
  const F by = select(is_zero, zero, scale);
  return {select(is_flat, k11, k22) * by, select(is_flat, k12, -k12) * by,
          select(is_flat, k22, k11) * by};
}

}  // namespace jostle::physics::kernels
