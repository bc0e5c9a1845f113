#pragma once

#include "shared/physics/solver/belt_bundle.h"
#include "shared/physics/solver/kernels/contact_frame.h"

namespace jostle::physics::kernels {

// Surface velocity, for example of conveyor belts. The surface of a body may move past the contact
// although the body itself does not. Friction therefore acts on the sliding velocity of the
// surfaces,
//
//   w_t + Tᵀ·(s_b − s_a)
//
// where T holds the tangents t₁ and t₂, w_t is the relative velocity of the bodies along them
// (contact_frame.h), and s is the velocity of each surface relative to its body. Normal rows and
// twist ignore s: a belt neither lifts the bodies on it nor turns them about the normal.

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
