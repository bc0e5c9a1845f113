#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/contact_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/kernels/contact_frame.h"

namespace jostle::physics::kernels {

// Coulomb friction with two coefficients: static friction μs while the surfaces stick, kinetic
// friction μd while they slide.
//
// Each pass selects the coefficient by the tangential impulse p that would end all sliding. A body
// at rest under a tangential force F needs the impulse h·F. A body of mass m that slides at the
// speed u needs m·u in addition. Σλ is the sum of the normal impulses:
//
//   |p| <= μs·Σλ  sticks, with the impulse p;  otherwise slides, with μd·Σλ against the sliding
//
// No state is stored, and no fixed speed threshold separates rest from sliding. If a threshold were
// below the speed that forces produce in a step, a body that stops on a slope would slide off
// again. If it were above that speed, a sliding body would stop too early and creep. Because h·F
// and m·u are added, a contact stops a body whose speed is at most (μs·N − F)·h/m, with the normal
// force N. This is the speed that friction removes within the substep. Faster bodies go on sliding.
//
// If a body has several contacts and each of them had to provide all of m·u, none of them could
// stop the body. Each contact therefore counts only a share of m·u, in proportion to its normal
// impulse λ_i (GripBundle::share). While all contacts slide, p_i = μd·λ_i. All of them stick if
// they can do so together. With p and Σλ summed over the contacts of the body:
//
//   μd·λ_i + (λ_i/Σλ)·r <= μs·λ_i,   r = |p| − μd·Σλ
//
// Once the body sticks, some contacts are at their limit and others below it. If the passes have
// not yet distributed the load between them, a small velocity remains, which must not make the
// contacts slide (sticking_noise).
//
// The effective mass of a contact contains the bodies that it connects, but not the bodies on top
// of them. At the bottom of a pile of n bodies, contacts therefore also stick at speeds of up to
// about (μs − μd)·n·g·h, if this is more than the speed above.
//
// The coefficient for twist, the rotation about the normal, is selected separately, because a body
// may spin without sliding. The share applies to twist too, because no single leg of a table could
// stop the table's rotation. A contact that slides also uses the kinetic coefficient for twist.

/// The friction coefficients of this pass, along the tangents and about the normal.
template <typename F>
struct Grip {
  F along, about;
};

template <typename F, int N>
JOSTLE_SIMD_INLINE Grip<F> grip_of(const ContactBundle<N>& bundle, const GripBundle* grips,
                                   const RelativeMotion<F>& speed, const F& pressed,
                                   const F& twisted) {
  const F sliding = F::load(bundle.friction);
  if (grips == nullptr) return {sliding, sliding};
  const F sticking = F::load(grips->friction), share = F::load(grips->share);
  const F mass_11 = F::load(bundle.tangent_mass[0]), mass_12 = F::load(bundle.tangent_mass[1]);
  const F mass_22 = F::load(bundle.tangent_mass[2]);
  const F wanted_1 = F::load(bundle.tangent_impulse[0]) -
                     share * (mass_11 * speed.along_1 + mass_12 * speed.along_2);
  const F wanted_2 = F::load(bundle.tangent_impulse[1]) -
                     share * (mass_12 * speed.along_1 + mass_22 * speed.along_2);
  const F squared = wanted_1 * wanted_1 + wanted_2 * wanted_2;
  const F limit = sticking * pressed;
  const F noise = F::splat(sticking_noise) * (F::splat(1.0f) - share);
  const auto is_loose =
      noise * noise < speed.along_1 * speed.along_1 + speed.along_2 * speed.along_2;
  const F along = select((limit * limit < squared) & is_loose, sliding, sticking);
  if constexpr (N == 1) return {along, along};
  const F twist =
      F::load(bundle.twist_impulse) - share * (F::load(bundle.twist_mass) * speed.about_n);
  return {along, select(sticking * twisted < max_of(twist, -twist), sliding, along)};
}

}  // namespace jostle::physics::kernels
