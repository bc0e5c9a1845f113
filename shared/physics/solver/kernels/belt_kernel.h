#pragma once

#include "shared/physics/solver/belt_bundle.h"
#include "shared/physics/solver/kernels/contact_frame.h"

namespace jostle::physics::kernels {

// Surface velocity, for example of conveyor belts. The surface of a body moves past the contact
// while the body itself does not. Friction acts on the relative sliding velocity of the surfaces,
//
//   w_t + Tᵀ·(s_b − s_a)
//
// where s is the velocity of each surface relative to its body. Normal rows and twist ignore it: a
// belt neither lifts the bodies on it nor turns them about the normal.

template <typename F>
JOSTLE_SIMD_INLINE void add_belts(const BeltBundle* belts, std::uint32_t i,
                                  const ContactAxes<F>& axes, RelativeMotion<F>& speed) {
  if (belts == nullptr) return;
  const Vectors<F> velocity = Vectors<F>::load(belts[i].velocity);
  const auto runs = F::splat(0.0f) < dot(velocity, velocity);
  if (bits_of(runs) == 0) return;
  speed.along_1 = select(runs, speed.along_1 + dot(axes.tangent_1, velocity), speed.along_1);
  speed.along_2 = select(runs, speed.along_2 + dot(axes.tangent_2, velocity), speed.along_2);
}

}  // namespace jostle::physics::kernels
