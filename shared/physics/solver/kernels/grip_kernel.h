#pragma once

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
// Twist is asked besides, and what slides in either slides in both.

/// The coefficients that hold in this pass.
template <typename F, int N>
JOSTLE_SIMD_INLINE F friction_of(const ContactBundle<N>& bundle, const GripBundle& grip,
                                 const RelativeMotion<F>& speed, const F& pressed,
                                 const F& twisted) {
  const F sliding = F::load(bundle.friction), sticking = F::load(grip.friction);
  const F mass_11 = F::load(bundle.tangent_mass[0]), mass_12 = F::load(bundle.tangent_mass[1]);
  const F mass_22 = F::load(bundle.tangent_mass[2]);
  const F wanted_1 =
      F::load(bundle.tangent_impulse[0]) - (mass_11 * speed.along_1 + mass_12 * speed.along_2);
  const F wanted_2 =
      F::load(bundle.tangent_impulse[1]) - (mass_12 * speed.along_1 + mass_22 * speed.along_2);
  const F squared = wanted_1 * wanted_1 + wanted_2 * wanted_2;
  const F limit = sticking * pressed;
  const F friction = select(limit * limit < squared, sliding, sticking);
  if constexpr (N == 1) return friction;
  const F twist = F::load(bundle.twist_impulse) - F::load(bundle.twist_mass) * speed.about_n;
  return select(sticking * twisted < max_of(twist, -twist), sliding, friction);
}

}  // namespace jostle::physics::kernels
