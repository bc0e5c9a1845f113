#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/body_rows.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/turn_kernel.h"

namespace jostle::physics::kernels {

using simd::Rotations;
using simd::SymmetricMatrices;
using simd::Vectors;

template <typename F>
JOSTLE_SIMD_INLINE auto is_set(const Lanes& flags) {
  return F::splat(0.0f) < F::load(flags);
}

/// Returns the factor that shortens `v` to `max_length` if `v` is longer, otherwise 1.
template <typename F>
JOSTLE_SIMD_INLINE F shortening(const Vectors<F>& v, float max_length) {
  const F squared = dot(v, v);
  const F limit = F::splat(max_length);
  return select(squared <= limit * limit, F::splat(1.0f), limit / sqrt_of(squared));
}

/// Returns R·I·Rᵀ for the rotation matrix R of q: rotates a tensor from the body frame to world
/// axes.
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> turned(const SymmetricMatrices<F>& tensor,
                                               const Rotations<F>& q) {
  const F one = F::splat(1.0f);
  const F x2 = q.v.x + q.v.x, y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
  const F xx = q.v.x * x2, yy = q.v.y * y2, zz = q.v.z * z2;
  const F xy = q.v.x * y2, xz = q.v.x * z2, yz = q.v.y * z2;
  const F wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const Vectors<F> row_x{one - (yy + zz), xy - wz, xz + wy};
  const Vectors<F> row_y{xy + wz, one - (xx + zz), yz - wx};
  const Vectors<F> row_z{xz - wy, yz + wx, one - (xx + yy)};
  const Vectors<F> ix = tensor * row_x, iy = tensor * row_y, iz = tensor * row_z;
  return {dot(row_x, ix), dot(row_x, iy), dot(row_x, iz),
          dot(row_y, iy), dot(row_y, iz), dot(row_z, iz)};
}

/// Returns an upper bound of the tensor's eigenvalues: their mean plus √(2/3) times the norm of the
/// deviatoric part.
template <typename F>
JOSTLE_SIMD_INLINE F largest_moment(const SymmetricMatrices<F>& m) {
  const F mean = (m.xx + m.yy + m.zz) * F::splat(1.0f / 3.0f);
  const Vectors<F> beside{m.xx - mean, m.yy - mean, m.zz - mean}, mixed{m.xy, m.xz, m.yz};
  const F two_thirds = F::splat(2.0f / 3.0f), two = F::splat(2.0f);
  return mean + sqrt_of((dot(beside, beside) + dot(mixed, mixed) * two) * two_thirds);
}

template <typename F>
JOSTLE_SIMD_INLINE BodyRows<F> inertia_row(const SymmetricMatrices<F>& m) {
  const F zero = F::splat(0.0f);
  return {{m.xx, m.xy, m.xz}, m.yy, {m.yz, m.zz, zero}, zero};
}

/// Prepares the bodies of a step: rotates inertia tensors to world axes, computes the angular
/// velocity gained by torque per substep, and resets the motions.
template <typename F>
void prepare_bodies(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    BodyBlock& block = view.body_blocks[i];
    const Rotations<F> rotation{Vectors<F>::load(block.rotation), F::load(block.rotation[3])};
    const auto inverse_local = SymmetricMatrices<F>::load(block.inverse_inertia_local);
    const auto inertia_local = SymmetricMatrices<F>::load(block.inertia_local);
    const auto inverse = turned(inverse_local, rotation);
    turned(inertia_local, rotation).store(block.inertia);
    (largest_moment(inverse_local) * largest_moment(inertia_local) - F::splat(1.0f))
        .store(block.slenderness);
    const F zero = F::splat(0.0f);
    store_block(view.inertias, i, inertia_row(inverse));
    Vectors<F>{zero, zero, zero}.store(block.turn);

    const Vectors<F> linear_gain = Vectors<F>::load(block.linear_gain);
    const Vectors<F> angular_gain =
        inverse * Vectors<F>::load(block.angular_gain) * F::splat(view.substep_seconds);
    angular_gain.store(block.angular_gain);
    store_block(view.gains, i, BodyRows<F>{linear_gain, zero, angular_gain, zero});

    const BodyRows<F> velocity = load_block<F>(view.velocities, i);
    velocity.first.store(block.base_linear);
    velocity.second.store(block.base_angular);
    store_block(view.motions, i, BodyRows<F>{{zero, zero, zero}, zero, {zero, zero, zero}, zero});
  }
}

/// Scales the stored angular momentum, and the angular velocity that belongs to it
/// (reference_angular), by `share`.
template <typename F>
JOSTLE_SIMD_INLINE void keep_momentum(const F& share, BodyBlock& block) {
  if (bits_of(share < F::splat(1.0f)) == 0) return;
  (Vectors<F>::load(block.angular_momentum) * share).store(block.angular_momentum);
  (Vectors<F>::load(block.reference_angular) * share).store(block.reference_angular);
}

/// Returns v + change. `rest` receives the rounding error of the sum (Knuth's two-sum).
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> sum_with_rest(const Vectors<F>& v, const Vectors<F>& change,
                                            Vectors<F>& rest) {
  const Vectors<F> sum = v + change, added = sum - v;
  rest = (v - (sum - added)) + (change - added);
  return sum;
}

/// Integrates gravity, forces, torques and damping over one substep h:
///
///   v ← limit(v·e^−ch + g·h·φ) + carried,     φ = (1 − e^−ch)/(ch), 1 without damping
///
/// c is the damping, and g the acceleration by gravity and forces. `carried` is the velocity change
/// by contacts in the previous substep, M⁻¹Jᵀλ, plus a share of its difference to the substep
/// before that. The rounding error of v + (gain of v) is added in the next substep, because that of
/// a constant acceleration would add up. Adding M⁻¹Jᵀλ warm starts all contacts at once; the
/// additional share is their momentum (solver/contact_solver.h). `carried` is added after the speed
/// limit, which has already acted on these impulses once. Damping and limits scale the angular
/// momentum by the same factor as the angular velocity.
template <typename F>
void integrate_velocities(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    BodyBlock& block = view.body_blocks[i];
    const auto is_dynamic = is_set<F>(block.is_dynamic);
    BodyRows<F> velocity = load_block<F>(view.velocities, i);
    const Vectors<F> carried_linear = velocity.first - Vectors<F>::load(block.base_linear);
    const Vectors<F> carried_angular = velocity.second - Vectors<F>::load(block.base_angular);
    const F momentum = F::splat(contact_momentum);
    const Vectors<F> more_linear =
        (carried_linear - Vectors<F>::load(block.carried_linear)) * momentum;
    const Vectors<F> more_angular =
        (carried_angular - Vectors<F>::load(block.carried_angular)) * momentum;
    carried_linear.store(block.carried_linear);
    carried_angular.store(block.carried_angular);
    const Vectors<F> gained =
        Vectors<F>::load(block.linear_gain) + velocity.first * F::load(block.linear_loss);
    gained.store(block.gained);
    Vectors<F> rest = Vectors<F>::load(block.linear_rest);
    const Vectors<F> damped_linear = sum_with_rest(velocity.first, gained + rest, rest);
    rest.store(block.linear_rest);
    const F angular_keep = F::load(block.angular_keep);
    const Vectors<F> damped_angular =
        velocity.second * angular_keep + Vectors<F>::load(block.angular_gain);
    const F angular_share = shortening(damped_angular, view.max_angular_speed);
    const Vectors<F> linear = damped_linear * shortening(damped_linear, view.max_linear_speed);
    const Vectors<F> angular = damped_angular * angular_share;
    keep_momentum(angular_keep * angular_share, block);
    linear.store(block.base_linear);
    angular.store(block.base_angular);
    velocity.first = select(is_dynamic, linear + (carried_linear + more_linear), velocity.first);
    velocity.second =
        select(is_dynamic, angular + (carried_angular + more_angular), velocity.second);
    store_block(view.velocities, i, velocity);
  }
}

/// Records the velocity changes by the warm start as the first `carried` changes. Call it after the
/// impulses of the last step were applied to the bodies.
template <typename F>
void note_warm_start(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    BodyBlock& block = view.body_blocks[i];
    const BodyRows<F> velocity = load_block<F>(view.velocities, i);
    (velocity.first - Vectors<F>::load(block.base_linear)).store(block.carried_linear);
    (velocity.second - Vectors<F>::load(block.base_angular)).store(block.carried_angular);
  }
}

/// Recomputes the inertia in world axes for bodies that have turned too far since it was last
/// computed. Returns the lanes of these bodies, one bit each; the masses of their contacts are then
/// recomputed too (measure_turned). A rotation θ is too far if θ²·(κ − 1) > limit, where κ is an
/// upper bound of the ratio of the body's principal moments (BodyBlock::slenderness).
///
/// With an outdated tensor, an impulse that was computed for a heavy axis may act on a light one.
/// The impulse overshoots, and the energy grows with each pass. A stick of κ = 50 that turns by 0.3
/// rad responds five times as strongly as before (1 + 49·sin²θ).
///
/// The changes of ω by contacts and torque are converted so that the corresponding changes of L
/// stay the same.
template <typename F>
JOSTLE_SIMD_INLINE std::uint32_t follow_turn(const KernelView& view, std::uint32_t i,
                                             const Rotations<F>& rotation, const Vectors<F>& turn) {
  constexpr float limit = 0.02f;
  BodyBlock& block = view.body_blocks[i];
  const F zero = F::splat(0.0f);
  const Vectors<F> sum = Vectors<F>::load(block.turn) + turn;
  const auto is_far = F::splat(limit) < dot(sum, sum) * F::load(block.slenderness);
  const auto is_due = is_far & is_set<F>(block.is_dynamic) & (F::load(block.is_isotropic) == zero);
  const std::uint32_t lanes = bits_of(is_due);
  select(is_due, Vectors<F>{zero, zero, zero}, sum).store(block.turn);
  if (lanes == 0) return 0;
  const auto before = SymmetricMatrices<F>::load(block.inertia);
  const auto inverse = turned(SymmetricMatrices<F>::load(block.inverse_inertia_local), rotation);
  const auto inertia = turned(SymmetricMatrices<F>::load(block.inertia_local), rotation);
  const auto follow = [&](const Vectors<F>& change) {
    return select(is_due, inverse * (before * change), change);
  };
  const Vectors<F> omega = load_block<F>(view.velocities, i).second;
  const Vectors<F> base = Vectors<F>::load(block.base_angular);
  select(is_due, omega - follow(omega - base), base).store(block.base_angular);
  follow(Vectors<F>::load(block.carried_angular)).store(block.carried_angular);
  follow(Vectors<F>::load(block.angular_gain)).store(block.angular_gain);
  select(is_due, inertia, before).store(block.inertia);
  const BodyRows<F> old = load_block<F>(view.inertias, i), now = inertia_row(inverse);
  store_block(view.inertias, i,
              BodyRows<F>{select(is_due, now.first, old.first),
                          select(is_due, now.after_first, old.after_first),
                          select(is_due, now.second, old.second), zero});
  return lanes;
}

/// Returns the part of a body's velocity change, in m/s, that builds up evenly over the substep.
/// The displacement h·v overestimates the effect of this part, as if it had acted from the start.
/// `linear` is the velocity v at the end of the substep.
///
/// Under a constant force and linear damping
///
///   x(t+h) = x + h·v(t+h) − w·h·(v(t+h) − v(t))
///
/// is exact, with w = ½ without damping (Damping in solver/body_solver.cpp). Bodies in free flight
/// follow this parabola. So do fast bodies without joints if their contacts have not acted in this
/// substep. Contact impulses that cancel each other leave a rounding error. Velocity changes below
/// a thousandth of the change by gravity and force in a substep therefore count as none.
///
/// If a contact holds a body, the velocity is the solver's result for the whole substep, and the
/// displacement is h·v. A body that slides or rolls on immovable bodies is held across its path
/// only. Along the path, the velocity change by friction is counted here, unless it is so large
/// that it comes from an impact. Slow bodies on a support always move by h·v, because they rock
/// less if all their substeps are treated alike.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> lasting_change(const BodyBlock& block, const Vectors<F>& linear) {
  // Limits, as multiples of the speed that gravity and force add in a substep:
  // - `share`: velocity change below which contacts count as not acting.
  // - `slow`: speed above which a body without acting contacts counts as flying.
  // - `quick`: speed above which a body can slide.
  // - `most`: maximum velocity change of a body that slides; a larger one is an impact.
  constexpr float share = 1e-3f, slow = 4, quick = 8, most = 1;
  const F freedom = F::load(block.is_free), zero = F::splat(0.0f);
  const Vectors<F> none{zero, zero, zero};
  const Vectors<F> gain = Vectors<F>::load(block.linear_gain);
  const F kick = dot(gain, gain), squared = dot(linear, linear);
  const auto is_free = freedom == F::splat(1.0f);
  const auto is_fast = kick * F::splat(slow * slow) < squared;
  if (bits_of(is_free | is_fast) == 0) return none;
  const Vectors<F> gained = Vectors<F>::load(block.gained);
  const Vectors<F> by_contacts = linear - Vectors<F>::load(block.base_linear);
  const auto is_untouched =
      (dot(by_contacts, by_contacts) <= kick * F::splat(share * share)) & is_fast;
  const auto flies = is_free | (is_untouched & (zero < freedom));
  const Vectors<F> change = by_contacts + gained;
  const auto slides = (kick * F::splat(quick * quick) < squared) &
                      (dot(change, change) <= kick * F::splat(most * most)) &
                      (freedom == F::splat(free_to_slide));
  const F along = dot(linear, change) / select(slides, squared, F::splat(1.0f));
  return select(flies, gained, select(slides, linear * along, none));
}

/// Limits the speeds of bodies after impulses were applied, because passes that do not converge
/// could cause arbitrary speeds.
template <typename F>
JOSTLE_SIMD_INLINE void limit_speeds(const KernelView& view, std::uint32_t i,
                                     const BodyBlock& block, BodyRows<F>& velocity) {
  const F most_linear = F::splat(view.max_linear_speed * view.max_linear_speed);
  const F most_angular = F::splat(view.max_angular_speed * view.max_angular_speed);
  const auto is_fast =
      is_set<F>(block.is_dynamic) & ((most_linear < dot(velocity.first, velocity.first)) |
                                     (most_angular < dot(velocity.second, velocity.second)));
  if (bits_of(is_fast) == 0) return;
  const F one = F::splat(1.0f);
  const F linear = shortening(velocity.first, view.max_linear_speed);
  const F angular = shortening(velocity.second, view.max_angular_speed);
  velocity.first = velocity.first * select(is_fast, linear, one);
  velocity.second = velocity.second * select(is_fast, angular, one);
  store_block(view.velocities, i, velocity);
}

/// Integrates the poses of one substep.
template <typename F>
void integrate_positions(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  const float h = view.substep_seconds;
  const F step = F::splat(h), half_step = F::splat(0.5f * h);
  for (std::uint32_t i = first; i < last; ++i) {
    BodyBlock& block = view.body_blocks[i];
    BodyRows<F> velocity = load_block<F>(view.velocities, i);
    limit_speeds(view, i, block, velocity);
    BodyRows<F> motion = load_block<F>(view.motions, i);
    const F late = F::load(block.start_share) * step;
    motion.first =
        motion.first + velocity.first * step - lasting_change(block, velocity.first) * late;

    const Rotations<F> rotation{Vectors<F>::load(block.rotation), F::load(block.rotation[3])};
    // With equal principal moments, or infinite ones, ω stays constant.
    Turned<F> out;
    out.turn = velocity.second * step;
    const Vectors<F> half_turn = velocity.second * half_step;
    const Vectors<F> tangent = half_turn * tangent_stretch(dot(half_turn, half_turn));
    out.after = changed(rotation, cayley_change(tangent) * rotation);
    out.angular = velocity.second;

    const auto is_isotropic = is_set<F>(block.is_isotropic);
    if (bits_of(is_isotropic) != 0xFFU) {
      // Adds to L the change of ω since L was last updated, times the inertia. L is not recomputed
      // from ω, so that L stays exact if nothing acted.
      const Vectors<F> before = Vectors<F>::load(block.reference_angular);
      const Vectors<F> momentum =
          Vectors<F>::load(block.angular_momentum) +
          SymmetricMatrices<F>::load(block.inertia) * (velocity.second - before);
      const Turned<F> general = turn_freely(block, rotation, momentum, velocity.second, h);
      out.turn = select(is_isotropic, out.turn, general.turn);
      out.after = {select(is_isotropic, out.after.v, general.after.v),
                   select(is_isotropic, out.after.w, general.after.w)};
      out.angular = select(is_isotropic, out.angular, general.angular);
      general.ratio.store(block.turn_ratio);
      momentum.store(block.angular_momentum);
      // The change by contacts stays the same. It is exactly zero if nothing acted.
      const Vectors<F> base = Vectors<F>::load(block.base_angular);
      select(is_isotropic, base, out.angular - (velocity.second - base)).store(block.base_angular);
      out.angular.store(block.reference_angular);
      velocity.second = out.angular;
      store_block(view.velocities, i, velocity);
    }
    out.after.v.store(block.rotation);
    out.after.w.store(block.rotation[3]);
    view.turned_lanes[i] = static_cast<std::uint8_t>(
        bits_of(is_isotropic) == 0xFFU ? 0 : follow_turn(view, i, out.after, out.turn));
    motion.second = motion.second + out.turn;
    store_block(view.motions, i, motion);
  }
}

}  // namespace jostle::physics::kernels
