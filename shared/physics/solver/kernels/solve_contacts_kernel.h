#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/kernel_table.h"

namespace jostle::physics::kernels {

template <int N>
JOSTLE_SIMD_INLINE ContactBundle<N>* bundles_of(const KernelView& view) {
  return static_cast<ContactBundle<N>*>(view.bundles[N - 1]);
}

/// Applies the impulses of the last step.
template <typename F, int N>
void warm_start(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    const ContactBundle<N>& bundle = bundles_of<N>(view)[i];
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const F zero = F::splat(0.0f);
    ContactImpulse<F> sum{
        F::load(bundle.tangent_impulse[0]), F::load(bundle.tangent_impulse[1]), zero, zero, zero,
        F::load(bundle.twist_impulse)};
    for (const auto& point : bundle.points) {
      const F impulse = F::load(point.impulse);
      sum.along_n = sum.along_n + impulse;
      if constexpr (N > 1) {
        sum.about_1 = sum.about_1 + F::load(point.along_2) * impulse;
        sum.about_2 = sum.about_2 - F::load(point.along_1) * impulse;
      }
    }
    const ContactAxes<F> axes = load_axes<F>(bundle);
    apply(bundle, axes, Vectors<F>::load(bundle.centre_a), Vectors<F>::load(bundle.centre_b), sum,
          a, b);
    scatter(view.velocities, bundle.a, movable(a), a);
    scatter(view.velocities, bundle.b, movable(b), b);
  }
}

/// Friction against turning about the normal: the moment that would stop it, up to what the points
/// can hold, μ·Σ lever·λ.
template <typename F, int N>
JOSTLE_SIMD_INLINE F solve_twist(ContactBundle<N>& bundle, const F& limit,
                                 RelativeMotion<F>& speed) {
  const F before = F::load(bundle.twist_impulse);
  const F wanted = before - F::load(bundle.twist_mass) * speed.about_n;
  const F total = max_of(min_of(wanted, limit), -limit);
  const F change = total - before;
  total.store(bundle.twist_impulse);
  speed.along_1 = speed.along_1 + F::load(bundle.twist_coupling[0]) * change;
  speed.along_2 = speed.along_2 + F::load(bundle.twist_coupling[1]) * change;
  speed.along_n = speed.along_n + F::load(bundle.twist_coupling[2]) * change;
  speed.about_1 = speed.about_1 + F::load(bundle.twist_coupling[3]) * change;
  speed.about_2 = speed.about_2 + F::load(bundle.twist_coupling[4]) * change;
  return change;
}

/// Both tangents at once: the impulse that would stop all sliding, shortened to the friction cone.
template <typename F, int N>
JOSTLE_SIMD_INLINE void solve_friction(ContactBundle<N>& bundle, const F& limit,
                                       RelativeMotion<F>& speed, ContactImpulse<F>& change) {
  const F mass_11 = F::load(bundle.tangent_mass[0]), mass_12 = F::load(bundle.tangent_mass[1]);
  const F mass_22 = F::load(bundle.tangent_mass[2]);
  const F before_1 = F::load(bundle.tangent_impulse[0]);
  const F before_2 = F::load(bundle.tangent_impulse[1]);
  const F wanted_1 = before_1 - (mass_11 * speed.along_1 + mass_12 * speed.along_2);
  const F wanted_2 = before_2 - (mass_12 * speed.along_1 + mass_22 * speed.along_2);
  const F squared = wanted_1 * wanted_1 + wanted_2 * wanted_2;
  const F one = F::splat(1.0f);
  const F scale = select(limit * limit < squared, limit / sqrt_of(squared), one);
  const F total_1 = wanted_1 * scale, total_2 = wanted_2 * scale;
  total_1.store(bundle.tangent_impulse[0]);
  total_2.store(bundle.tangent_impulse[1]);
  change.along_1 = total_1 - before_1;
  change.along_2 = total_2 - before_2;
  speed.along_n = speed.along_n + F::load(bundle.tangent_coupling[0]) * change.along_1 +
                  F::load(bundle.tangent_coupling[1]) * change.along_2;
  if constexpr (N > 1) {
    speed.about_1 = speed.about_1 + F::load(bundle.tangent_coupling[2]) * change.along_1 +
                    F::load(bundle.tangent_coupling[3]) * change.along_2;
    speed.about_2 = speed.about_2 + F::load(bundle.tangent_coupling[4]) * change.along_1 +
                    F::load(bundle.tangent_coupling[5]) * change.along_2;
  }
}

/// The rows of the points see each other through point_coupling.
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

/// The impulse `change` at point i is felt by the points that are solved after it, and by the sum.
template <typename F, int N>
JOSTLE_SIMD_INLINE void spread(const ContactBundle<N>& bundle, int i, const F& change,
                               F (&parting)[N], ContactImpulse<F>& sum) {
  sum.along_n = sum.along_n + change;
  if constexpr (N > 1) {
    sum.about_1 = sum.about_1 + F::load(bundle.points[i].along_2) * change;
    sum.about_2 = sum.about_2 - F::load(bundle.points[i].along_1) * change;
    const int first = i * (2 * N - i - 1) / 2;
    for (int k = i + 1; k < N; ++k) {
      parting[k] = parting[k] + F::load(bundle.point_coupling[first + k - i - 1]) * change;
    }
  }
}

/// What position asks of velocity (see contact_solver.h), the same for all points of a contact.
template <typename F>
struct Stiffness {
  F bias_rate, mass_scale, impulse_scale;
};

template <typename F>
JOSTLE_SIMD_INLINE Stiffness<F> stiffness_of(const KernelView& view, const BodyRows<F>& a,
                                             const BodyRows<F>& b) {
  const F zero = F::splat(0.0f);
  const auto is_stiff = (a.after_first == zero) | (b.after_first == zero);
  const Softness &x = view.stiff, &y = view.soft;
  return {select(is_stiff, F::splat(x.bias_rate), F::splat(y.bias_rate)),
          select(is_stiff, F::splat(x.mass_scale), F::splat(y.mass_scale)),
          select(is_stiff, F::splat(x.impulse_scale), F::splat(y.impulse_scale))};
}

template <typename F, int N, bool UsesBias>
JOSTLE_SIMD_INLINE void solve_normals(const KernelView& view, ContactBundle<N>& bundle,
                                      const Stiffness<F>& stiffness, F (&parting)[N],
                                      ContactImpulse<F>& sum) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F rate = F::splat(1.0f / view.substep_seconds);
  const F reference = F::load(bundle.reference_impulse);
  for (int i = 0; i < N; ++i) {
    auto& point = bundle.points[i];
    const F before = F::load(point.impulse);
    const F separation = F::load(point.separation_now);
    // Not yet touching: may close the gap within the substep, no faster.
    const auto is_open = zero < separation;
    const F open_speed = separation * rate;
    F wanted;
    if constexpr (UsesBias) {
      const F push = max_of(stiffness.bias_rate * separation, F::splat(-view.max_push_speed));
      const F mass = F::load(point.mass) * select(is_open, one, stiffness.mass_scale);
      wanted =
          before - mass * (parting[i] + select(is_open, open_speed, push)) -
          select(is_open, zero, stiffness.impulse_scale) * (before - min_of(reference, before));
    } else {
      wanted = before - F::load(point.mass) * (parting[i] + select(is_open, open_speed, zero));
    }
    // Clamp the total, not the increment: a later row may take impulse back.
    const F total = max_of(wanted, zero);
    total.store(point.impulse);
    max_of(F::load(point.max_impulse), total).store(point.max_impulse);
    spread(bundle, i, total - before, parting, sum);
  }
}

/// Ends the substep of a contact: the reference impulse follows the mean of the points, and is
/// never above it.
template <typename F, int N>
JOSTLE_SIMD_INLINE void end_substep(ContactBundle<N>& bundle) {
  F pressed = F::splat(0.0f);
  for (auto& point : bundle.points) {
    const F impulse = F::load(point.impulse);
    pressed = pressed + impulse;
    (F::load(point.step_impulse) + impulse).store(point.step_impulse);
  }
  const F mean = pressed * F::splat(1.0f / static_cast<float>(N));
  const F before = F::load(bundle.reference_impulse);
  const F followed = before + F::splat(proximal_rate) * (mean - before);
  min_of(followed, mean).store(bundle.reference_impulse);
}

/// To first order, position changes as velocity does: through the same rows.
template <typename F, int N>
JOSTLE_SIMD_INLINE void update_separations(const KernelView& view, const ContactAxes<F>& axes,
                                           const Vectors<F>& centre_a, const Vectors<F>& centre_b,
                                           ContactBundle<N>& bundle) {
  const RelativeMotion<F> motion =
      relative(axes, centre_a, centre_b, gather<F>(view.motions, bundle.a),
               gather<F>(view.motions, bundle.b));
  F parted[N];
  load_parting(bundle, motion, parted);
  for (int i = 0; i < N; ++i)
    (F::load(bundle.points[i].separation) + parted[i]).store(bundle.points[i].separation_now);
}

/// One pass over all rows; with bias before positions move, without it after.
template <typename F, int N, bool UsesBias>
void solve(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    ContactBundle<N>& bundle = bundles_of<N>(view)[i];
    const ContactAxes<F> axes = load_axes<F>(bundle);
    const Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
    const Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
    // Nothing has moved since the pass without bias of the substep before.
    if constexpr (!UsesBias) update_separations(view, axes, centre_a, centre_b, bundle);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    RelativeMotion<F> speed = relative(axes, centre_a, centre_b, a, b);

    const F zero = F::splat(0.0f);
    F pressed = zero, twisted = zero;
    for (const auto& point : bundle.points) {
      pressed = pressed + F::load(point.impulse);
      if constexpr (N > 1) twisted = twisted + F::load(point.impulse) * F::load(point.lever);
    }
    // Friction before the normals: not penetrating matters more, so it has the last word.
    ContactImpulse<F> sum{zero, zero, zero, zero, zero, zero};
    const F friction = F::load(bundle.friction);
    if constexpr (N > 1) sum.about_n = solve_twist(bundle, friction * twisted, speed);
    solve_friction(bundle, friction * pressed, speed, sum);
    F parting[N];
    load_parting(bundle, speed, parting);
    const Stiffness<F> stiffness = stiffness_of(view, a, b);
    solve_normals<F, N, UsesBias>(view, bundle, stiffness, parting, sum);

    apply(bundle, axes, centre_a, centre_b, sum, a, b);
    scatter(view.velocities, bundle.a, movable(a), a);
    scatter(view.velocities, bundle.b, movable(b), b);
    if constexpr (!UsesBias) end_substep<F>(bundle);
  }
}

/// Gives back the approach speed of the start of the step where a contact acted. Not added to the
/// point's impulse: a bounce is no guess for the next step.
template <typename F, int N>
void restitute(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    ContactBundle<N>& bundle = bundles_of<N>(view)[i];
    const auto& records = static_cast<ContactRecords<N>*>(view.records[N - 1])[i];
    const F zero = F::splat(0.0f);
    const F restitution = F::load(records.restitution);
    if (bits_of(zero < restitution) == 0) continue;
    const ContactAxes<F> axes = load_axes<F>(bundle);
    const Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
    const Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    F parting[N];
    load_parting(bundle, relative(axes, centre_a, centre_b, a, b), parting);
    ContactImpulse<F> sum{zero, zero, zero, zero, zero, zero};
    for (int k = 0; k < N; ++k) {
      auto& point = bundle.points[k];
      const F approach = F::load(records.approach_speed[k]);
      const F wanted = -(F::load(point.mass) * (parting[k] + restitution * approach));
      const F kept = max_of(wanted, -F::load(point.impulse));
      const auto bounces = (zero < restitution) &
                           (approach <= F::splat(-view.restitution_threshold)) &
                           (zero < F::load(point.max_impulse));
      const F impulse = select(bounces, kept, zero);
      (F::load(point.step_impulse) + impulse).store(point.step_impulse);
      spread(bundle, k, impulse, parting, sum);
    }
    apply(bundle, axes, centre_a, centre_b, sum, a, b);
    scatter(view.velocities, bundle.a, movable(a), a);
    scatter(view.velocities, bundle.b, movable(b), b);
  }
}

}  // namespace jostle::physics::kernels
