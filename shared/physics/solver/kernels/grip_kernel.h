#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/contact_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/kernels/contact_frame.h"

namespace jostle::physics::kernels {

// Coulomb's law with two coefficients: surfaces that stick to each other do so while that takes no
// more than μs times what presses them together, and what slides feels μd.
//
// Which of the two holds is asked in each pass, of the impulse p that would leave the surfaces at
// rest. What is at rest needs what pulls at it, h·F; what slides at u needs m·u beside it, and
//
//   |p| <= μs·Σλ  sticks, with p;  else slides, with μd·Σλ against the sliding
//
// So nothing is remembered, and no speed is named below which things count as at rest: it would
// have to be above what a step's forces make, or what turns back on a slope slid off, and below
// it what has come loose would creep. With h·F and m·u in one number the speed that a contact can
// stop is the one that friction takes away within the substep, (μs·N - F)·h/m: what friction stops,
// or turns back, sticks at once, and what has come loose does not.
//
// Where a body has several contacts, each of them sees all of m·u, and sums of what none could stop
// alone would slide for ever. So each asks for its own share of it, as it bears of the load: while
// all slide, which is p_i = μd·λ_i, all of them stick where together they can,
//
//   μd·λ_i + (λ_i/Σλ)·r <= μs·λ_i,   r = |p| - μd·Σλ of the body
//
// Once they hold it, some bear all that they can and others less. What the passes have not divided
// yet between them is a little velocity, and must not loosen those: see sticking_noise.
//
// Contacts see the body beside them and not what stands on it: under a heap of n they stick up to
// about (μs - μd)·n·g·h, where that is more.
//
// Twist is asked besides, for itself: what turns on the spot may stay there, and on the legs of a
// table, none of which could stop its turning, does. But what slides is twisted as it slides.

/// The coefficients that hold in this pass.
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
