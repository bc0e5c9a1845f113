#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/bounce_bundle.h"
#include "shared/physics/solver/kernels/belt_kernel.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/friction_kernel.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/kernels/point_rows.h"

namespace jostle::physics::kernels {

// Restitution by Stronge's energetic hypothesis ("Impact Mechanics", 2000, ch. 3). The impact of a
// manifold has two phases. In the phase of compression, which is the solver's passes, the normal
// impulses λ at the points absorb the energy A. In the phase of restitution the points push apart
// and return the share e² of it, where e is the coefficient of restitution. For one point this is
// Newton's law u₊ = −e·u₋. For several points it never adds energy, and conserves it if e is 1.
//
// If impulses λ change the velocities at the points from u₋ to u₊, they do the work
//
//   W = λᵀ·(u₋ + u₊)/2,    u₊ = u₋ + K·λ
//
// where the matrix K of the points' responses to unit impulses comes from `mass` and
// `point_coupling`. The impulses of warm starting and momentum count when they are applied
// (note_carried), and each pass counts the change that it makes.
//
// In the restitution the points act in the ratio p of their impulses of the whole step (Poisson's
// hypothesis). The impulses are α·p. With the velocities u before, L = pᵀ·u and Q = pᵀ·K·p, α
// follows from the energy R that they return:
//
//   α·L + α²·Q/2 = R

/// Returns the restitution data of bundle `i`, or null if none of its contacts has restitution.
template <typename F, int N>
JOSTLE_SIMD_INLINE BounceBundle* bounce_of(const KernelView& view, std::uint32_t i) {
  if (view.bounces[N - 1] == nullptr) return nullptr;
  BounceBundle* bounce = view.bounces[N - 1] + i;
  return bits_of(F::splat(0.0f) < F::load(bounce->restitution)) == 0 ? nullptr : bounce;
}

template <typename F, int N>
JOSTLE_SIMD_INLINE void load_impulses(const ContactBundle<N>& bundle, F (&impulse)[N]) {
  for (int k = 0; k < N; ++k)
    impulse[k] = F::load(bundle.points[k].impulse);
}

/// Computes K·impulse, the changes of the normal velocities at the points by normal impulses.
template <typename F, int N>
JOSTLE_SIMD_INLINE void find_response(const ContactBundle<N>& bundle, const F (&impulse)[N],
                                      F (&response)[N]) {
  for (int k = 0; k < N; ++k) {
    response[k] = inverse_or_zero(F::load(bundle.points[k].mass)) * impulse[k];
    for (int i = 0; i < N; ++i) {
      if (i == k) continue;
      response[k] =
          response[k] + F::load(bundle.point_coupling[coupling_index<N>(i, k)]) * impulse[i];
    }
  }
}

template <typename F, int N>
JOSTLE_SIMD_INLINE F sum_of_products(const F (&x)[N], const F (&y)[N]) {
  F sum = x[0] * y[0];
  for (int k = 1; k < N; ++k)
    sum = sum + x[k] * y[k];
  return sum;
}

/// Returns the velocity along the normal that gravity and forces add per substep, m/s.
template <typename F, int N>
JOSTLE_SIMD_INLINE F gain_along_normal(const KernelView& view, const ContactBundle<N>& bundle) {
  const Vectors<F> gain =
      gather<F>(view.gains, bundle.b).first - gather<F>(view.gains, bundle.a).first;
  return dot(Vectors<F>::load(bundle.normal), gain);
}

/// Returns the velocities of eight bodies without the changes by contacts (BodyBlock).
template <typename F>
JOSTLE_SIMD_INLINE BodyRows<F> gather_base(const KernelView& view, const std::uint32_t (&index)[8],
                                           const BodyRows<F>& velocity) {
  alignas(32) Lanes rows[6];
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const BodyBlock& block = view.body_blocks[index[lane] / lane_count];
    const std::size_t place = index[lane] % lane_count;
    for (std::size_t i = 0; i < 3; ++i) {
      rows[i][lane] = block.base_linear[i][place];
      rows[3 + i][lane] = block.base_angular[i][place];
    }
  }
  const auto moves = F::splat(0.0f) < velocity.after_first;
  const Vectors<F> linear{F::load(rows[0]), F::load(rows[1]), F::load(rows[2])};
  const Vectors<F> angular{F::load(rows[3]), F::load(rows[4]), F::load(rows[5])};
  return {select(moves, linear, velocity.first), velocity.after_first,
          select(moves, angular, velocity.second), velocity.after_second};
}

/// Records the energy that impulses of the previous step (warm starting) or substep (momentum) have
/// absorbed. Call it after they were applied to the bodies, and before the first pass.
template <typename F, int N>
void note_carried(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    BounceBundle* bounce = bounce_of<F, N>(view, i);
    if (bounce == nullptr) continue;
    const ContactBundle<N>& bundle = bundles_of<N>(view)[i];
    const F zero = F::splat(0.0f);
    F carried[N];
    std::uint32_t lanes = 0;
    for (int k = 0; k < N; ++k) {
      const F now = F::load(bundle.points[k].impulse);
      carried[k] =
          now + F::splat(contact_momentum) * (now - F::load(bundle.points[k].impulse_before));
      lanes |= bits_of((carried[k] < zero) | (zero < carried[k]));
    }
    if (lanes == 0) continue;
    const ContactAxes<F> axes = load_axes<F>(bundle);
    const Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
    const Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
    const BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    const BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    F before[N], after[N];
    load_parting(bundle, relative(axes, centre_a, centre_b, a, b), after);
    load_parting(bundle,
                 relative(axes, centre_a, centre_b, gather_base(view, bundle.a, a),
                          gather_base(view, bundle.b, b)),
                 before);
    const F work = sum_of_products(carried, before) + sum_of_products(carried, after);
    (F::load(bounce->absorbed) - work * F::splat(0.5f)).store(bounce->absorbed);
  }
}

/// Measures the energy that the normal impulses of one pass absorb.
template <typename F, int N, bool UsesBias>
class Absorption {
 public:
  JOSTLE_SIMD_INLINE void begin(const ContactBundle<N>& bundle, const F (&parting)[N]) {
    load_impulses(bundle, known_);
    for (int k = 0; k < N; ++k)
      before_[k] = parting[k];
  }
  JOSTLE_SIMD_INLINE void end(const ContactBundle<N>& bundle, BounceBundle& bounce) const {
    const F zero = F::splat(0.0f), half = F::splat(0.5f);
    F impulse[N], change[N], carried[N], response[N];
    load_impulses(bundle, impulse);
    std::uint32_t lanes = 0;
    for (int k = 0; k < N; ++k) {
      change[k] = impulse[k] - known_[k];
      lanes |= bits_of((zero < impulse[k]) | (change[k] < zero) | (zero < change[k]));
    }
    if (lanes == 0) return;
    find_response(bundle, change, response);
    if constexpr (UsesBias) find_response(bundle, known_, carried);
    const F work = sum_of_products(change, before_) + sum_of_products(change, response) * half;
    F fastest = F::load(bounce.fastest);
    for (int k = 0; k < N; ++k) {
      const F met = UsesBias ? before_[k] - carried[k] : before_[k];
      fastest = select(zero < (UsesBias ? impulse[k] : change[k]), min_of(fastest, met), fastest);
    }
    fastest.store(bounce.fastest);
    (F::load(bounce.absorbed) - work).store(bounce.absorbed);
  }

 private:
  F known_[N], before_[N];
};

/// Computes the ratio of the impulses at the points in the restitution: the impulses of the step.
/// If the passes have taken back all of them, the largest impulses of any pass.
template <typename F, int N>
JOSTLE_SIMD_INLINE void find_shares(const ContactBundle<N>& bundle, F (&shares)[N]) {
  const F zero = F::splat(0.0f);
  F sum = zero;
  for (int k = 0; k < N; ++k) {
    shares[k] = max_of(F::load(bundle.points[k].step_impulse), zero);
    sum = sum + shares[k];
  }
  for (int k = 0; k < N; ++k)
    shares[k] = select(zero < sum, shares[k], F::load(bundle.points[k].max_impulse));
}

/// Returns the share α of the impulses `p` of the step that act in the restitution. Lanes that do
/// not bounce get 0. `parting` are the velocities at the points.
///
/// If other contacts make the points approach, L < 0, they are first compressed again. If the
/// speculative rows have stopped the bodies at gaps, the returned energy is that at the surface,
/// less what the way back over the gap takes: the relative acceleration is `closing` ≤ 0.
template <typename F, int N>
JOSTLE_SIMD_INLINE F restitution_share(const KernelView& view, const ContactBundle<N>& bundle,
                                       const BounceBundle& bounce, const F& closing,
                                       const F (&p)[N], const F (&parting)[N]) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f), two = F::splat(2.0f);
  F response[N], gaps[N];
  find_response(bundle, p, response);
  F pressed = zero;
  for (int k = 0; k < N; ++k) {
    gaps[k] = max_of(F::load(bundle.points[k].separation_now), zero);
    pressed = pressed + p[k];
  }
  const F along = sum_of_products(p, parting), square = sum_of_products(p, response);
  const F restitution = F::load(bounce.restitution);
  // Below `least`, impulses are rounding errors, and products of energies would underflow in
  // floats.
  constexpr float least = 1e-18f;  // J
  const auto bounces = (zero < restitution) & (F::splat(least) < square) &
                       (F::load(bounce.fastest) <= F::splat(-view.restitution_threshold));
  if (bits_of(bounces) == 0) return zero;
  const F inverse = one / select(bounces, square, one);
  const F again = max_of(-along, zero), apart = max_of(along, zero);
  const F way = -closing * pressed * sum_of_products(p, gaps) * inverse;
  const F absorbed = F::load(bounce.absorbed) + again * again * inverse * F::splat(0.5f);
  const F back_over_gap = max_of(restitution * restitution * (absorbed + way) - way, zero);
  const F returned = select(absorbed < zero, absorbed, back_over_gap);
  const F inside = apart * apart + two * square * returned;
  const F sum = apart + sqrt_of(max_of(inside, zero));
  const F root = two * returned / select(zero < sum, sum, one);
  const F back = max_of(select(inside < zero, -apart * inverse, root), -one);
  return select(bounces, again * inverse + back, zero);
}

/// Adds friction of the restitution phase to `sum`, whose normal impulses bounce the bodies with
/// the relative motion `speed` before them. Coulomb's law limits the impulse of the whole impact,
/// so this phase adds μ times its own normal impulses to the limit. The impulses do not warm start
/// the next step. Static friction acts if it can end all sliding.
template <typename F, int N>
JOSTLE_SIMD_INLINE void apply_friction(const KernelView& view, std::uint32_t i,
                                       const ContactBundle<N>& bundle, const F (&impulse)[N],
                                       RelativeMotion<F> speed, ContactImpulse<F>& sum) {
  const F zero = F::splat(0.0f);
  add_normals(bundle, sum, speed);
  F pressed = zero, twisted = zero;
  for (int k = 0; k < N; ++k) {
    const F pressing = max_of(impulse[k], zero);
    pressed = pressed + pressing;
    if constexpr (N > 1) twisted = twisted + pressing * F::load(bundle.points[k].lever);
  }
  const FrictionImpulse<F> none{zero, zero, zero};
  FrictionDemand<F> demand = friction_demand(bundle, speed, none, zero);
  const F sliding = F::load(bundle.friction);
  F friction = sliding;
  if (view.grips[N - 1] != nullptr) {
    const F sticking = F::load(view.grips[N - 1][i].friction), most = sticking * pressed;
    const auto sticks =
        demand.along_1 * demand.along_1 + demand.along_2 * demand.along_2 <= most * most;
    friction = select(sticks, sticking, sliding);
  }
  demand = friction_demand(bundle, speed, none, friction * twisted);
  demand.limit = friction * pressed;
  const FrictionImpulse<F> total = limited_friction(bundle, demand);
  sum.along_1 = total.along_1;
  sum.along_2 = total.along_2;
  sum.about_n = total.about_n;
}

/// Applies restitution and its friction after the last substep. The normal impulses are added to
/// the points' `step_impulse`, but not to their `impulse`, because a bounce must not warm start the
/// next step.
template <typename F, int N>
void restitute(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    const BounceBundle* stored = bounce_of<F, N>(view, i);
    if (stored == nullptr) continue;
    ContactBundle<N>& bundle = bundles_of<N>(view)[i];
    const F zero = F::splat(0.0f);
    const ContactAxes<F> axes = load_axes<F>(bundle);
    const Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
    const Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const F closing =
        min_of(gain_along_normal<F>(view, bundle) / F::splat(view.substep_seconds), zero);
    RelativeMotion<F> speed = relative(axes, centre_a, centre_b, a, b);
    F given[N], parting[N];
    load_parting(bundle, speed, parting);
    find_shares(bundle, given);
    const F share = restitution_share(view, bundle, *stored, closing, given, parting);
    const auto has_bounced = (share < zero) | (zero < share);
    const std::uint32_t lanes = bits_of(has_bounced);
    if (lanes == 0) continue;
    ContactImpulse<F> sum = no_impulse<F>();
    for (int k = 0; k < N; ++k) {
      given[k] = given[k] * share;
      (F::load(bundle.points[k].step_impulse) + given[k]).store(bundle.points[k].step_impulse);
      spread(bundle, k, given[k], parting, sum);
    }
    add_belts(view.belts[N - 1], i, axes, speed);
    apply_friction(view, i, bundle, given, speed, sum);
    apply(bundle, axes, centre_a, centre_b, sum, a, b);
    keep_locked(locks_among<F>(view.locks[N - 1], i), a, b);
    // Other lanes are not written: adding zero would turn −0 into 0.
    scatter(view.velocities, bundle.a, movable(a) & lanes, a);
    scatter(view.velocities, bundle.b, movable(b) & lanes, b);
  }
}

}  // namespace jostle::physics::kernels
