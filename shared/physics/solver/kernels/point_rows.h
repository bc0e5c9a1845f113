#pragma once

#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/kernel_table.h"

namespace jostle::physics::kernels {

template <int N>
JOSTLE_SIMD_INLINE ContactBundle<N>* bundles_of(const KernelView& view) {
  return static_cast<ContactBundle<N>*>(view.bundles[N - 1]);
}

template <typename F>
JOSTLE_SIMD_INLINE ContactImpulse<F> no_impulse() {
  const F zero = F::splat(0.0f);
  return {zero, zero, zero, zero, zero, zero};
}

/// Returns the index of the coupling of points i and k in a bundle of N points.
template <int N>
constexpr int coupling_index(int i, int k) {
  const int low = i < k ? i : k, high = i < k ? k : i;
  return low * (2 * N - low - 1) / 2 + high - low - 1;
}

/// Computes the normal velocity at each point, m/s, from the relative motion at the origin of the
/// contact frame.
template <typename F, int N>
JOSTLE_SIMD_INLINE void load_parting(const ContactBundle<N>& bundle,
                                     const RelativeMotion<F>& motion, F (&parting)[N]) {
  for (int i = 0; i < N; ++i) {
    parting[i] = motion.along_n;
    if constexpr (N > 1) {
      parting[i] = parting[i] + F::load(bundle.points[i].along_2) * motion.about_1 -
                   F::load(bundle.points[i].along_1) * motion.about_2;
    }
  }
}

/// Adds the impulse `change` at point `i` to `sum`. If the manifold has several points, also
/// updates the normal velocities `parting` of all points by point_coupling. The velocity of a
/// single point is not updated.
template <typename F, int N>
JOSTLE_SIMD_INLINE void spread(const ContactBundle<N>& bundle, int i, const F& change,
                               F (&parting)[N], ContactImpulse<F>& sum) {
  sum.along_n = sum.along_n + change;
  if constexpr (N > 1) {
    sum.about_1 = sum.about_1 + F::load(bundle.points[i].along_2) * change;
    sum.about_2 = sum.about_2 - F::load(bundle.points[i].along_1) * change;
    for (int k = 0; k < N; ++k) {
      const F response = k == i ? inverse_or_zero(F::load(bundle.points[i].mass))
                                : F::load(bundle.point_coupling[coupling_index<N>(i, k)]);
      parting[k] = parting[k] + response * change;
    }
  }
}

/// Adds the velocity changes that the normal impulses `sum` cause to the tangential and twist
/// velocities. The couplings are symmetric.
template <typename F, int N>
JOSTLE_SIMD_INLINE void add_normals(const ContactBundle<N>& bundle, const ContactImpulse<F>& sum,
                                    RelativeMotion<F>& speed) {
  const auto tangent = [&](int i) { return F::load(bundle.tangent_coupling[i]); };
  speed.along_1 = speed.along_1 + tangent(0) * sum.along_n;
  speed.along_2 = speed.along_2 + tangent(1) * sum.along_n;
  if constexpr (N > 1) {
    const auto twist = [&](int i) { return F::load(bundle.twist_coupling[i]); };
    speed.along_1 = speed.along_1 + tangent(2) * sum.about_1 + tangent(4) * sum.about_2;
    speed.along_2 = speed.along_2 + tangent(3) * sum.about_1 + tangent(5) * sum.about_2;
    speed.about_n =
        speed.about_n + twist(2) * sum.along_n + twist(3) * sum.about_1 + twist(4) * sum.about_2;
  }
}

}  // namespace jostle::physics::kernels
