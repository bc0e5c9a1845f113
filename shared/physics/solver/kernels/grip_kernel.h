#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/contact_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/kernels/contact_frame.h"

namespace jostle::physics::kernels {

// Coulomb friction with two coefficients. Surfaces that stick to each other stay so while that
// takes no more than μs times the normal impulse. Surfaces that slide feel μd.
//
// Each pass decides which of the two holds, by the impulse p that would leave the surfaces at rest.
// A body at rest needs h·F against the force F that pulls at it. A body that slides at u also needs
// m·u:
//
//   |p| <= μs·Σλ  sticks, with p;  else slides, with μd·Σλ against the sliding
//
// So no state is stored, and no threshold of speed defines rest. A threshold below the speed that a
// step's forces produce would let a body slide off when it turns back on a slope. One above it
// would let a loose body creep. With h·F and m·u in one number, the speed that a contact can stop
// is the speed that friction removes within the substep, (μs·N - F)·h/m. Bodies that friction
// stops, or turns back, stick at once, and bodies that have come loose do not.
//
// If a body has several contacts, each of them sees all of m·u. A body that none of them could stop
// alone would slide for ever. Each therefore counts only its own share of it, in proportion to the
// load that it bears. While all slide, p_i = μd·λ_i, and all of them stick if they can do so
// together:
//
//   μd·λ_i + (λ_i/Σλ)·r <= μs·λ_i,   r = |p| - μd·Σλ of the body
//
// Once they hold the body, some bear all that they can and others less. The part that the passes
// have not divided between them yet is a small velocity, which must not loosen them: see
// sticking_noise.
//
// Contacts see the body next to them, but not the bodies that stand on it. Under a pile of n bodies
// they stick up to about (μs - μd)·n·g·h, if that is more.
//
// Twist is decided separately. A body that turns on the spot may stay in place. So does a table,
// none of whose legs could stop its turning alone. A contact that slides also twists with the
// sliding coefficient.

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
