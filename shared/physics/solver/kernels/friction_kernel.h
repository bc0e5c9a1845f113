#pragma once

#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/grip_kernel.h"

namespace jostle::physics::kernels {

// Coulomb friction of a manifold: the impulse λ along t₁ and t₂, and the moment τ about n (twist).
// They lie within the limit surface (Goyal, Ruina and Papadopoulos, "Planar sliding with dry
// friction", Wear 143, 1991; as an ellipsoid: Howe and Cutkosky, IJRR 15, 1996)
//
//   |λ|² + κ·τ² <= L²,      L = μ·Σλ_i,   κ = (L/L_τ)²,   L_τ = μ·Σλ_i·lever_i
//
// and dissipate as much energy as possible: sliding and rotation after the pass are opposite to the
// impulse, w = −s·λ and Ω·n = −s·κ·τ with one s >= 0. With the effective masses M and m_τ, and the
// impulses p and p_τ that would end all motion,
//
//   λ = (1 + s·M)⁻¹·p,     τ = p_τ/(1 + s·κ·m_τ)
//
// so s = 0 if p is within the limit surface. Otherwise s is the root of |λ(s)|² + κ·τ(s)² = L².
// Newton's iteration for 1/√(|λ|² + κ·τ²) = 1/L rises from s = 0 towards the root and is exact for
// M = m·1 and τ = 0 (Conn, Gould and Toint, "Trust-Region Methods", 2000, ch. 7). The coupling of λ
// with τ is left to the next pass.

/// The wanted impulses p and p_τ of friction, and the limits L and L_τ.
template <typename F>
struct FrictionDemand {
  F along_1, along_2, about_n;
  F limit, twist_limit;
};
/// The impulses λ and τ.
template <typename F>
struct FrictionImpulse {
  F along_1, along_2, about_n;
};

/// Returns the impulses of maximal dissipation for the demand. If N is 1, there is no twist.
template <typename F, int N>
JOSTLE_SIMD_INLINE FrictionImpulse<F> limited_friction(const ContactBundle<N>& bundle,
                                                       const FrictionDemand<F>& demand) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f), limit = demand.limit;
  F ratio = zero, twist = zero;
  if constexpr (N > 1) {
    constexpr float least_arm = 1e-5f;  // m; bounds κ
    const auto can_twist = limit * F::splat(least_arm) < demand.twist_limit;
    ratio = select(can_twist, limit / select(can_twist, demand.twist_limit, one), zero);
    ratio = ratio * ratio;
    twist = select(can_twist, demand.about_n, zero);
  }
  FrictionImpulse<F> result{demand.along_1, demand.along_2, twist};
  const auto squared_of = [&](const FrictionImpulse<F>& p) {
    const F along = p.along_1 * p.along_1 + p.along_2 * p.along_2;
    if constexpr (N == 1) return along;
    return along + ratio * p.about_n * p.about_n;
  };
  const F wanted = squared_of(result);
  const auto slides = limit * limit < wanted;
  if (bits_of(slides & (zero < limit)) == 0) {
    // Contacts without pressure have no friction.
    if (bits_of(slides) == 0) return result;
    return {select(slides, zero, result.along_1), select(slides, zero, result.along_2),
            select(slides, zero, twist)};
  }

  const F m11 = F::load(bundle.tangent_mass[0]), m12 = F::load(bundle.tangent_mass[1]);
  const F m22 = F::load(bundle.tangent_mass[2]);
  const F trace = m11 + m22, determinant = max_of(m11 * m22 - m12 * m12, zero);
  // the adjugate of M times p
  const F turned_1 = m22 * demand.along_1 - m12 * demand.along_2;
  const F turned_2 = m11 * demand.along_2 - m12 * demand.along_1;
  F twist_mass = zero;
  if constexpr (N > 1) twist_mass = ratio * F::load(bundle.twist_mass);
  const F inverse_limit = one / max_of(limit, F::splat(tiny));
  // 1/det(1 + s·M) and 1/(1 + s·κ·m_τ)
  F s = zero, squared = wanted, inverse = one, twist_inverse = one;
  constexpr int iterations = 3;
  // The bounds keep s within the range of floats, also if a direction of the tangents is locked.
  constexpr float max_excess = 1e6f, max_share = 1e7f;
  const F most = F::splat(max_share) / max_of(max_of(trace, twist_mass), F::splat(tiny));
  for (int i = 0; i < iterations; ++i) {
    // The derivative of ½·squared with respect to s is −w. (1 + s·M)⁻¹ = (1 + s·adj M)/det.
    const F moved_1 = m11 * result.along_1 + m12 * result.along_2;
    const F moved_2 = m12 * result.along_1 + m22 * result.along_2;
    const F back_1 = moved_1 + s * (m22 * moved_1 - m12 * moved_2);
    const F back_2 = moved_2 + s * (m11 * moved_2 - m12 * moved_1);
    F w = inverse * (result.along_1 * back_1 + result.along_2 * back_2);
    if constexpr (N > 1) {
      w = w + ratio * twist_mass * result.about_n * result.about_n * twist_inverse;
    }
    const F excess = min_of(sqrt_of(squared) * inverse_limit - one, F::splat(max_excess));
    const F next = s + squared * max_of(excess, zero) / select(zero < w, w, one);
    s = select(zero < w, min_of(next, most), s);
    inverse = one / (one + s * (trace + s * determinant));
    result.along_1 = (demand.along_1 + s * turned_1) * inverse;
    result.along_2 = (demand.along_2 + s * turned_2) * inverse;
    if constexpr (N > 1) {
      twist_inverse = one / (one + s * twist_mass);
      result.about_n = twist * twist_inverse;
    }
    squared = squared_of(result);
  }
  // The rest of the way, and lanes without mass.
  const F shorten = min_of(limit / sqrt_of(max_of(squared, F::splat(tiny * tiny))), one);
  const auto chosen = [&](const F& slid, const F& stuck) {
    return select(slides, select(zero < limit, slid * shorten, zero), stuck);
  };
  return {chosen(result.along_1, demand.along_1), chosen(result.along_2, demand.along_2),
          chosen(result.about_n, twist)};
}

/// Returns the demand of a manifold whose friction has applied the impulses `before` in this
/// substep and whose bodies move by `speed`. The tangents are coupled with twist, so p is that
/// after the twist impulse, limited to ±`twist_limit`. The field `limit` is not set.
template <typename F, int N>
JOSTLE_SIMD_INLINE FrictionDemand<F> friction_demand(const ContactBundle<N>& bundle,
                                                     const RelativeMotion<F>& speed,
                                                     const FrictionImpulse<F>& before,
                                                     const F& twist_limit) {
  F along_1 = speed.along_1, along_2 = speed.along_2, about_n = before.about_n;
  if constexpr (N > 1) {
    about_n = before.about_n - F::load(bundle.twist_mass) * speed.about_n;
    const F change = max_of(min_of(about_n, twist_limit), -twist_limit) - before.about_n;
    along_1 = along_1 + F::load(bundle.twist_coupling[0]) * change;
    along_2 = along_2 + F::load(bundle.twist_coupling[1]) * change;
  }
  const F m11 = F::load(bundle.tangent_mass[0]), m12 = F::load(bundle.tangent_mass[1]);
  const F m22 = F::load(bundle.tangent_mass[2]);
  return {before.along_1 - (m11 * along_1 + m12 * along_2),
          before.along_2 - (m12 * along_1 + m22 * along_2), about_n, F::splat(0.0f), twist_limit};
}

/// Solves friction and twist, limited by `limit` and `twist_limit`. Updates the impulses of the
/// bundle and the motion of its normal rows, and adds the changes of the impulses to `sum`.
template <typename F, int N>
JOSTLE_SIMD_INLINE void solve_friction(ContactBundle<N>& bundle, const F& limit,
                                       const F& twist_limit, RelativeMotion<F>& speed,
                                       ContactImpulse<F>& sum) {
  FrictionImpulse<F> before{F::load(bundle.tangent_impulse[0]), F::load(bundle.tangent_impulse[1]),
                            F::splat(0.0f)};
  if constexpr (N > 1) before.about_n = F::load(bundle.twist_impulse);
  FrictionDemand<F> demand = friction_demand(bundle, speed, before, twist_limit);
  demand.limit = limit;
  const FrictionImpulse<F> total = limited_friction(bundle, demand);
  total.along_1.store(bundle.tangent_impulse[0]);
  total.along_2.store(bundle.tangent_impulse[1]);
  const F change_1 = total.along_1 - before.along_1, change_2 = total.along_2 - before.along_2;
  sum.along_1 = sum.along_1 + change_1;
  sum.along_2 = sum.along_2 + change_2;
  const auto tangent = [&](int i) { return F::load(bundle.tangent_coupling[i]); };
  speed.along_n = speed.along_n + tangent(0) * change_1 + tangent(1) * change_2;
  if constexpr (N > 1) {
    total.about_n.store(bundle.twist_impulse);
    const F change_n = total.about_n - before.about_n;
    sum.about_n = sum.about_n + change_n;
    const auto twist = [&](int i) { return F::load(bundle.twist_coupling[i]); };
    speed.along_n = speed.along_n + twist(2) * change_n;
    speed.about_1 =
        speed.about_1 + tangent(2) * change_1 + tangent(3) * change_2 + twist(3) * change_n;
    speed.about_2 =
        speed.about_2 + tangent(4) * change_1 + tangent(5) * change_2 + twist(4) * change_n;
  }
}

}  // namespace jostle::physics::kernels
