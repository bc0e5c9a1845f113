#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/belt_kernel.h"
#include "shared/physics/solver/kernels/bounce_kernel.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/friction_kernel.h"
#include "shared/physics/solver/kernels/grip_kernel.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/kernels/point_rows.h"
#include "shared/physics/solver/kernels/resistance_kernel.h"

namespace jostle::physics::kernels {

/// Applies the impulses of the previous step (warm starting).
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
    keep_locked(locks_among<F>(view.locks[N - 1], i), a, b);
    scatter(view.velocities, bundle.a, movable(a), a);
    scatter(view.velocities, bundle.b, movable(b), b);
    if (const ResistanceBundle* resistance = resistance_of<N>(view, i))
      warm_start_resistance<F>(view, bundle, *resistance);
  }
}

/// Solves twist and friction, limited by the current normal impulses.
template <typename F, int N>
JOSTLE_SIMD_INLINE void solve_tangents(ContactBundle<N>& bundle, const GripBundle* grips,
                                       RelativeMotion<F>& speed, ContactImpulse<F>& sum) {
  const F zero = F::splat(0.0f);
  F pressed = zero, twisted = zero;
  for (const auto& point : bundle.points) {
    const F impulse = max_of(F::load(point.impulse), zero);
    pressed = pressed + impulse;
    if constexpr (N > 1) twisted = twisted + impulse * F::load(point.lever);
  }
  const Grip<F> friction = grip_of(bundle, grips, speed, pressed, twisted);
  solve_friction(bundle, friction.along * pressed, friction.about * twisted, speed, sum);
}

/// Returns the maximum speed at which the contacts of a bundle resolve overlap, m/s. The relax
/// phase takes back the energy of this push only if the bodies hardly turn within the substep.
/// Contacts that lose no energy in impacts would make fast bodies faster and faster, so they push
/// less: by the factor 1 − e², at least `least_share`.
template <typename F>
JOSTLE_SIMD_INLINE F push_limit(const KernelView& view, const BounceBundle* bounce) {
  constexpr float least_share = 0.1f;
  const F most = F::splat(view.max_push_speed);
  if (bounce == nullptr) return most;
  const F restitution = F::load(bounce->restitution);
  return most * max_of(F::splat(1.0f) - restitution * restitution, F::splat(least_share));
}

template <typename F, int N, bool UsesBias>
JOSTLE_SIMD_INLINE void solve_point(const KernelView& view, ContactBundle<N>& bundle, int i,
                                    const F& most_push, F (&parting)[N], ContactImpulse<F>& sum) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  auto& point = bundle.points[i];
  const F before = F::load(point.impulse);
  const F apart = F::load(point.separation_now);
  const auto is_held = (zero < F::load(bundle.is_held)) & (apart < F::splat(held_distance));
  const F separation = select(is_held, zero, apart);
  // A point that does not touch yet may close its gap within the substep, but no faster.
  const auto is_open = zero < separation;
  const F open_speed = separation * F::splat(1.0f / view.substep_seconds);
  F wanted;
  if constexpr (UsesBias) {
    const Softness& soft = view.softness;
    const F push = max_of(F::splat(soft.bias_rate) * separation, -most_push);
    const F mass = F::load(point.mass) * select(is_open | is_held, one, F::splat(soft.mass_scale));
    wanted = before - mass * (parting[i] + select(is_open, open_speed, push)) -
             select(is_open | is_held, zero, F::splat(soft.impulse_scale)) * before;
  } else {
    wanted = before - F::load(point.mass) * (parting[i] + select(is_open, open_speed, zero));
  }
  // Clamps the total impulse, not its change, because a later pass may have to reduce the impulse.
  const F total = max_of(wanted, zero);
  total.store(point.impulse);
  max_of(F::load(point.max_impulse), total).store(point.max_impulse);
  spread(bundle, i, total - before, parting, sum);
}

/// Solves the points in ascending and then in descending order. This favours no point, so a body
/// that lies flat is not tilted.
template <typename F, int N, bool UsesBias>
JOSTLE_SIMD_INLINE void solve_normals(const KernelView& view, ContactBundle<N>& bundle,
                                      const F& most_push, F (&parting)[N], ContactImpulse<F>& sum) {
  for (int i = 0; i < N; ++i)
    solve_point<F, N, UsesBias>(view, bundle, i, most_push, parting, sum);
  for (int i = N - 2; i >= 0; --i)
    solve_point<F, N, UsesBias>(view, bundle, i, most_push, parting, sum);
}

/// Runs the pass over the normal rows. Records the energy that it absorbs, unless `bounce` is null.
template <typename F, int N, bool UsesBias>
JOSTLE_SIMD_INLINE void press(const KernelView& view, ContactBundle<N>& bundle,
                              BounceBundle* bounce, F (&parting)[N], ContactImpulse<F>& sum) {
  Absorption<F, N, UsesBias> absorption;
  if (bounce != nullptr) absorption.begin(bundle, parting);
  const F most_push = UsesBias ? push_limit<F>(view, bounce) : F::splat(0.0f);
  solve_normals<F, N, UsesBias>(view, bundle, most_push, parting, sum);
  if (bounce != nullptr) absorption.end(bundle, *bounce);
}

/// Applies momentum: extrapolates an impulse by a share of its last change. integrate_velocities
/// has already changed the velocities accordingly. If a normal impulse becomes negative, the pass
/// clamps it to zero.
template <typename F>
JOSTLE_SIMD_INLINE void go_on(Lanes& impulse, Lanes& before) {
  const F now = F::load(impulse);
  (now + F::splat(contact_momentum) * (now - F::load(before))).store(impulse);
  now.store(before);
}
template <typename F, int N>
JOSTLE_SIMD_INLINE void go_on(ContactBundle<N>& bundle) {
  for (int i = 0; i < 2; ++i)
    go_on<F>(bundle.tangent_impulse[i], bundle.tangent_before[i]);
  if constexpr (N > 1) go_on<F>(bundle.twist_impulse, bundle.twist_before);
  for (auto& point : bundle.points)
    go_on<F>(point.impulse, point.impulse_before);
}

template <typename F, int N>
JOSTLE_SIMD_INLINE void add_to_step(ContactBundle<N>& bundle) {
  for (auto& point : bundle.points)
    (F::load(point.step_impulse) + F::load(point.impulse)).store(point.step_impulse);
}

/// Limits the rotation of dynamic bodies to one radian. Beyond that, the displacement of an arm's
/// end is no longer proportional to the rotation. An eccentric impact may spin a light body by many
/// turns within a substep. The linear rows would then predict a large gap at the contact point, and
/// the contact would lose its whole impulse. Kinematic bodies turn as expected at the start of the
/// step, where the separations were computed by the same linear rows (carry_back in
/// continuous/fast_pairs.cpp).
template <typename F>
JOSTLE_SIMD_INLINE void limit_turn(const BodyRows<F>& velocity, BodyRows<F>& motion) {
  const F squared = dot(motion.second, motion.second), one = F::splat(1.0f);
  const auto is_far = (one < squared) & (F::splat(0.0f) < velocity.after_first);
  if (bits_of(is_far) == 0) return;
  motion.second = motion.second * (one / sqrt_of(select(is_far, squared, one)));
}

/// Rotates the arm of a kinematic body that spins about the normal, for example a turntable. Such
/// bodies may have long arms. Their surface moves in a circle, so the arm becomes r + h·ω×r +
/// ½h²·ω×(ω×r), with the component of ω along the normal. With the arm from the start of the step,
/// friction would pull a body on the turntable along the tangent, and the body would drift outward.
/// The component of ω across the normal, for example of a roller, is ignored: it moves the surface
/// through the contact point, but not the contact point.
template <typename F>
JOSTLE_SIMD_INLINE void go_round(const BodyRows<F>& velocity, float h, const Vectors<F>& normal,
                                 Lanes (&rows)[3], Vectors<F>& arm) {
  const F zero = F::splat(0.0f);
  const Vectors<F> angle = normal * (dot(normal, velocity.second) * F::splat(h));
  const auto turns = (velocity.after_first == zero) & (zero < dot(angle, angle));
  if (bits_of(turns) == 0) return;
  const Vectors<F> half = cross(angle, arm) * F::splat(0.5f);
  arm = select(turns, arm + cross(angle, arm + half), arm);
  arm.store(rows);
}

/// Updates the current separations from the displacements of the bodies, to first order, by the
/// same rows as for velocities.
template <typename F, int N>
JOSTLE_SIMD_INLINE void update_separations(const KernelView& view, const ContactAxes<F>& axes,
                                           const Vectors<F>& centre_a, const Vectors<F>& centre_b,
                                           const BodyRows<F>& velocity_a,
                                           const BodyRows<F>& velocity_b,
                                           ContactBundle<N>& bundle) {
  BodyRows<F> a = gather<F>(view.motions, bundle.a), b = gather<F>(view.motions, bundle.b);
  limit_turn(velocity_a, a);
  limit_turn(velocity_b, b);
  const RelativeMotion<F> motion = relative(axes, centre_a, centre_b, a, b);
  F parted[N];
  load_parting(bundle, motion, parted);
  for (int i = 0; i < N; ++i)
    (F::load(bundle.points[i].separation) + parted[i]).store(bundle.points[i].separation_now);
}

/// Runs one pass over all rows: with bias before positions move, without it after.
template <typename F, int N, bool UsesBias>
void solve(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    ContactBundle<N>& bundle = bundles_of<N>(view)[i];
    const ContactAxes<F> axes = load_axes<F>(bundle);
    Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
    Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    // The biased solve needs no update: nothing has moved since the relax phase of the previous
    // substep.
    if constexpr (!UsesBias) {
      update_separations(view, axes, centre_a, centre_b, a, b, bundle);
      go_round(a, view.substep_seconds, axes.normal, bundle.centre_a, centre_a);
      go_round(b, view.substep_seconds, axes.normal, bundle.centre_b, centre_b);
    }
    RelativeMotion<F> speed = relative(axes, centre_a, centre_b, a, b);
    add_belts(view.belts[N - 1], i, axes, speed);

    ContactImpulse<F> sum = no_impulse<F>();
    F parting[N];
    BounceBundle* bounce = bounce_of<F, N>(view, i);
    const GripBundle* grips = view.grips[N - 1] == nullptr ? nullptr : &view.grips[N - 1][i];
    // In the biased solve, the normal rows are solved last. In the relax phase friction is solved
    // last, limited by the final normal impulse.
    if constexpr (UsesBias) {
      go_on<F>(bundle);
      solve_tangents(bundle, grips, speed, sum);
      load_parting(bundle, speed, parting);
      press<F, N, UsesBias>(view, bundle, bounce, parting, sum);
    } else {
      load_parting(bundle, speed, parting);
      press<F, N, UsesBias>(view, bundle, bounce, parting, sum);
      add_normals(bundle, sum, speed);
      solve_tangents(bundle, grips, speed, sum);
    }

    apply(bundle, axes, centre_a, centre_b, sum, a, b);
    keep_locked(locks_among<F>(view.locks[N - 1], i), a, b);
    scatter(view.velocities, bundle.a, movable(a), a);
    scatter(view.velocities, bundle.b, movable(b), b);
    if constexpr (!UsesBias) add_to_step<F>(bundle);
    if (ResistanceBundle* resistance = resistance_of<N>(view, i)) {
      if constexpr (UsesBias) {
        for (int k = 0; k < 3; ++k)
          go_on<F>(resistance->impulse[k], resistance->impulse_before[k]);
      }
      resist<F>(view, bundle, *resistance);
    }
  }
}

}  // namespace jostle::physics::kernels
