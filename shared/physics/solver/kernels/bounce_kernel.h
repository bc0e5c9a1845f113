#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/bounce_bundle.h"
#include "shared/physics/solver/kernels/belt_kernel.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/friction_kernel.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/kernels/point_rows.h"

namespace jostle::physics::kernels {

// Restitution. With the coefficient of restitution e, a manifold returns at most the share e² of
// the energy that it has absorbed (Stronge, "Impact Mechanics", 2000, ch. 3: the energetic
// coefficient of restitution). If the velocities at the manifold's points change from u₋ to u₊, the
// impulses λ at the points do the work
//
//   W = λᵀ·(u₋ + u₊)/2,    u₊ = u₋ + K·λ
//
// where the matrix K of the points' responses to unit impulses comes from `mass` and
// `point_coupling`. λ is the impulse of a whole substep, by the biased pass and the relax pass.
// Warm starting and momentum have applied a part of λ before the biased pass; u₋ is the velocity
// without this part.

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

/// Returns the work λᵀ·(u₋ + u₊)/2.
template <typename F, int N>
JOSTLE_SIMD_INLINE F work_of(const F (&impulse)[N], const F (&before)[N], const F (&after)[N]) {
  F sum = F::splat(0.0f);
  for (int k = 0; k < N; ++k)
    sum = sum + impulse[k] * (before[k] + after[k]);
  return sum * F::splat(0.5f);
}

/// Measures the energy that the normal impulses of one pass absorb, from the velocities at the
/// points before and after the pass.
template <typename F, int N, bool UsesBias>
class Absorption {
 public:
  JOSTLE_SIMD_INLINE void begin(const ContactBundle<N>& bundle, const F (&parting)[N]) {
    load_impulses(bundle, known_);
    for (int k = 0; k < N; ++k)
      before_[k] = parting[k];
    if constexpr (UsesBias) {
      ContactImpulse<F> unused = no_impulse<F>();
      for (int k = 0; k < N; ++k)
        spread(bundle, k, -known_[k], before_, unused);
    }
  }
  JOSTLE_SIMD_INLINE void end(const ContactBundle<N>& bundle, const F (&parting)[N],
                              BounceBundle& bounce) const {
    F impulse[N];
    load_impulses(bundle, impulse);
    if constexpr (!UsesBias) {
      for (int k = 0; k < N; ++k)
        impulse[k] = impulse[k] - known_[k];
    }
    (F::load(bounce.absorbed) - work_of(impulse, before_, parting)).store(bounce.absorbed);
  }

 private:
  F known_[N], before_[N];
};

/// Returns the largest factor α of the impulses, 0 to 1, with which their work is at most `most`,
/// in J. This is the positive root of α·L + α²·Q = most, limited to 1. L is Σ `impulse`·`before`,
/// and L + Q is the work of the whole impulses, which change the velocities at the points from
/// `before` to `after`. If N is 1, spread does not update the velocity, so Q is 0 and the share is
/// always 1.
template <typename F, int N>
JOSTLE_SIMD_INLINE F share_within(const F (&impulse)[N], const F (&before)[N], const F (&after)[N],
                                  const F& most) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  F along = zero;
  for (int k = 0; k < N; ++k)
    along = along + impulse[k] * before[k];
  const F work = work_of(impulse, before, after);
  const F square = work - along;
  const F root = sqrt_of(max_of(along * along + F::splat(4.0f) * square * most, zero));
  const auto is_much = (most < work) & (zero < square);
  const F share = (root - along) / select(is_much, F::splat(2.0f) * square, one);
  return select(is_much, max_of(min_of(share, one), zero), one);
}

/// State of a manifold's points while restitution is solved.
template <typename F, int N>
struct Bounce {
  F before[N], now[N];      // m/s, normal velocities at the points
  F wanted[N], least[N];    // m/s, wanted velocities; N·s, lower bounds of `given`
  F given[N];               // N·s, impulses
  std::uint32_t lanes = 0;  // lanes in which any point bounces
};

/// Finds the points that bounce, and their wanted speeds u. A point bounces if it has restitution,
/// acted in the step, and approached at least as fast as the restitution threshold. Its speed is u
/// = √((e·v)² + 2·a·d), where v is the predicted impact speed (ContactRecords::approach_speed). The
/// speculative row may have stopped the bodies at a gap d before the impact. While they move back
/// over this gap, the relative acceleration a = `closing` ≤ 0 slows them down. Points that do not
/// bounce get a wanted speed so low that they receive no impulse.
template <typename F, int N>
JOSTLE_SIMD_INLINE void find_speeds(const KernelView& view, const ContactBundle<N>& bundle,
                                    const ContactRecords<N>& records, const F& restitution,
                                    const F& closing, Bounce<F, N>& bounce) {
  constexpr float anything = -1e20f;  // m/s
  const F zero = F::splat(0.0f);
  for (int k = 0; k < N; ++k) {
    const auto& point = bundle.points[k];
    const F approach = F::load(records.approach_speed[k]), back = restitution * approach;
    const F gap = max_of(F::load(point.separation_now), zero);
    const F squared = back * back + F::splat(2.0f) * closing * gap;
    const auto bounces = (zero < restitution) &
                         (approach <= F::splat(-view.restitution_threshold)) &
                         (zero < F::load(point.max_impulse));
    const F speed = select(zero < squared, sqrt_of(squared), zero);
    bounce.wanted[k] = select(bounces, speed, F::splat(anything));
    bounce.least[k] = select(bounces, -F::load(point.impulse), zero);
    bounce.now[k] = bounce.before[k];
    bounce.given[k] = zero;
    bounce.lanes |= bits_of(bounces);
  }
}

/// Finds the impulses at the points by Gauss–Seidel passes, because the points are coupled. The
/// bound `least` keeps the total impulse of each point from becoming negative.
template <typename F, int N>
JOSTLE_SIMD_INLINE void find_impulses(const ContactBundle<N>& bundle, Bounce<F, N>& bounce) {
  constexpr int passes = N == 1 ? 1 : 12;
  ContactImpulse<F> unused = no_impulse<F>();
  for (int pass = 0; pass < passes; ++pass) {
    for (int k = 0; k < N; ++k) {
      const F missing = bounce.now[k] - bounce.wanted[k];
      const F total =
          max_of(bounce.given[k] - F::load(bundle.points[k].mass) * missing, bounce.least[k]);
      spread(bundle, k, total - bounce.given[k], bounce.now, unused);
      bounce.given[k] = total;
    }
  }
}

/// Adds friction of the restitution phase to `sum`, whose normal impulses bounce the bodies with
/// the relative motion `speed` before them. Coulomb's law limits the impulse of the whole impact,
/// so this phase adds μ times its own normal impulses to the limit. The impulses do not warm start
/// the next step. Static friction acts if it can end all sliding.
template <typename F, int N>
JOSTLE_SIMD_INLINE void rub(const KernelView& view, std::uint32_t i, const ContactBundle<N>& bundle,
                            const F (&impulse)[N], RelativeMotion<F> speed,
                            ContactImpulse<F>& sum) {
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
  const FrictionImpulse<F> rubbed = limited_friction(bundle, demand);
  sum.along_1 = rubbed.along_1;
  sum.along_2 = rubbed.along_2;
  sum.about_n = rubbed.about_n;
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
    const auto& records = static_cast<ContactRecords<N>*>(view.records[N - 1])[i];
    const F zero = F::splat(0.0f), restitution = F::load(stored->restitution);
    const ContactAxes<F> axes = load_axes<F>(bundle);
    const Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
    const Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const Vectors<F> gain =
        gather<F>(view.gains, bundle.b).first - gather<F>(view.gains, bundle.a).first;
    const F closing = min_of(dot(axes.normal, gain) / F::splat(view.substep_seconds), zero);
    Bounce<F, N> bounce;
    RelativeMotion<F> speed = relative(axes, centre_a, centre_b, a, b);
    load_parting(bundle, speed, bounce.before);
    find_speeds(view, bundle, records, restitution, closing, bounce);
    if (bounce.lanes == 0) continue;
    find_impulses(bundle, bounce);
    const F most = restitution * restitution * max_of(F::load(stored->absorbed), zero);
    const F share = share_within(bounce.given, bounce.before, bounce.now, most);
    ContactImpulse<F> sum = no_impulse<F>();
    for (int k = 0; k < N; ++k) {
      bounce.given[k] = bounce.given[k] * share;
      (F::load(bundle.points[k].step_impulse) + bounce.given[k])
          .store(bundle.points[k].step_impulse);
      spread(bundle, k, bounce.given[k], bounce.now, sum);
    }
    add_belts(view.belts[N - 1], i, axes, speed);
    rub(view, i, bundle, bounce.given, speed, sum);
    apply(bundle, axes, centre_a, centre_b, sum, a, b);
    keep_locked(locks_among<F>(view.locks[N - 1], i), a, b);
    // Other lanes are not written: adding zero would turn −0 into 0.
    scatter(view.velocities, bundle.a, movable(a) & bounce.lanes, a);
    scatter(view.velocities, bundle.b, movable(b) & bounce.lanes, b);
  }
}

}  // namespace jostle::physics::kernels
