#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/resistance_bundle.h"

namespace jostle::physics::kernels {

// Rolling resistance. The ground deforms unevenly under a rolling body. The normal force N
// therefore acts ahead of the contact's centre, by at most the arm ρ (Coulomb's law of rolling).
// This gives a moment M about the tangents, which opposes the relative angular velocity Ω:
//
//   |M| ≤ ρ·N,    M opposite to Ω's tangential part, unless it is 0
//
// Spinning resistance acts in the same way about the normal, with another arm in place of ρ. With K
// = I_a⁻¹ + I_b⁻¹, the moment impulse that would stop all rolling is −K⁻¹·Ω. This impulse is
// limited to ρ times the sum of the normal impulses of the manifold. A ball of radius r on a slope
// of angle θ stays at rest while tan θ ≤ ρ/r. On level ground it decelerates by 5/7·g·ρ/r.

/// Returns the resistance data of bundle `i`, or null if no contact of the cluster has any.
template <int N>
JOSTLE_SIMD_INLINE ResistanceBundle* resistance_of(const KernelView& view, std::uint32_t i) {
  return view.resistances[N - 1] == nullptr ? nullptr : view.resistances[N - 1] + i;
}

template <typename F>
JOSTLE_SIMD_INLINE std::uint32_t resisting(const ResistanceBundle& resistance) {
  const F zero = F::splat(0.0f);
  return bits_of((zero < F::load(resistance.rolling)) | (zero < F::load(resistance.spinning)));
}

template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> about_axes(const ContactAxes<F>& axes, const F& about_1,
                                         const F& about_2, const F& about_n) {
  return axes.tangent_1 * about_1 + axes.tangent_2 * about_2 + axes.normal * about_n;
}

template <typename F, int N>
JOSTLE_SIMD_INLINE void turn(const ContactBundle<N>& bundle, const Vectors<F>& moment,
                             BodyRows<F>& a, BodyRows<F>& b) {
  a.second = a.second - SymmetricMatrices<F>::load(bundle.inverse_inertia_a) * moment;
  b.second = b.second + SymmetricMatrices<F>::load(bundle.inverse_inertia_b) * moment;
}

template <typename F, int N>
JOSTLE_SIMD_INLINE void scatter_resisting(const KernelView& view, const ContactBundle<N>& bundle,
                                          const ResistanceBundle& resistance, const BodyRows<F>& a,
                                          const BodyRows<F>& b) {
  const std::uint32_t lanes = resisting<F>(resistance);
  scatter(view.velocities, bundle.a, movable(a) & lanes, a);
  scatter(view.velocities, bundle.b, movable(b) & lanes, b);
}

/// Computes K⁻¹ at the bodies' current poses.
template <typename F, int N>
JOSTLE_SIMD_INLINE void measure_resistance(const ContactBundle<N>& bundle, const LockBundle* locks,
                                           const ContactAxes<F>& axes,
                                           ResistanceBundle& resistance) {
  const auto inertia_a = SymmetricMatrices<F>::load(bundle.inverse_inertia_a);
  const auto inertia_b = SymmetricMatrices<F>::load(bundle.inverse_inertia_b);
  const auto turned_by = [&](const Vectors<F>& axis) {
    return inertia_a * axis + inertia_b * axis;
  };
  const Vectors<F> by_1 = turned_by(axes.tangent_1), by_2 = turned_by(axes.tangent_2);
  const F k11 = dot(axes.tangent_1, by_1), k12 = dot(axes.tangent_1, by_2);
  const F k22 = dot(axes.tangent_2, by_2);
  const F scale = inverse_or_zero(k11 * k22 - k12 * k12);
  (k22 * scale).store(resistance.mass[0]);
  (-(k12 * scale)).store(resistance.mass[1]);
  (k11 * scale).store(resistance.mass[2]);
  inverse_or_zero(dot(axes.normal, turned_by(axes.normal))).store(resistance.spin_mass);
  if (locks == nullptr) return;
  const auto is_locked = F::splat(0.0f) < F::load(locks->has_locks);
  const TwoByTwo<F> mass =
      inverse_with_locks<F>({k11, k12, k22}, inertia_a.xx + inertia_a.yy + inertia_a.zz +
                                                 inertia_b.xx + inertia_b.yy + inertia_b.zz);
  select(is_locked, mass.m11, F::load(resistance.mass[0])).store(resistance.mass[0]);
  select(is_locked, mass.m12, F::load(resistance.mass[1])).store(resistance.mass[1]);
  select(is_locked, mass.m22, F::load(resistance.mass[2])).store(resistance.mass[2]);
}

/// Prepares a bundle. The caller has set the resistance arms, and the impulses in world axes.
/// Converts the impulses to the axes of the contact.
template <typename F, int N>
void prepare_resistance(const ContactBundle<N>& bundle, const LockBundle* locks,
                        const ContactAxes<F>& axes, ResistanceBundle& resistance) {
  measure_resistance(bundle, locks, axes, resistance);
  const Vectors<F> impulse = Vectors<F>::load(resistance.impulse);
  const F about[3] = {dot(impulse, axes.tangent_1), dot(impulse, axes.tangent_2),
                      dot(impulse, axes.normal)};
  for (int i = 0; i < 3; ++i) {
    about[i].store(resistance.impulse[i]);
    about[i].store(resistance.impulse_before[i]);
  }
}

template <typename F, int N>
void warm_start_resistance(const KernelView& view, const ContactBundle<N>& bundle,
                           const ResistanceBundle& resistance) {
  BodyRows<F> a = gather<F>(view.velocities, bundle.a);
  BodyRows<F> b = gather<F>(view.velocities, bundle.b);
  turn(bundle,
       about_axes(load_axes<F>(bundle), F::load(resistance.impulse[0]),
                  F::load(resistance.impulse[1]), F::load(resistance.impulse[2])),
       a, b);
  scatter_resisting(view, bundle, resistance, a, b);
}

/// Runs one pass over rolling and spinning resistance. Call it after the pass over the points,
/// whose impulses limit the resistance.
template <typename F, int N>
void resist(const KernelView& view, const ContactBundle<N>& bundle, ResistanceBundle& resistance) {
  const ContactAxes<F> axes = load_axes<F>(bundle);
  BodyRows<F> a = gather<F>(view.velocities, bundle.a);
  BodyRows<F> b = gather<F>(view.velocities, bundle.b);
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  F pressed = zero;
  for (const auto& point : bundle.points)
    pressed = pressed + max_of(F::load(point.impulse), zero);

  const Vectors<F> omega = b.second - a.second;
  const F about_1 = dot(axes.tangent_1, omega), about_2 = dot(axes.tangent_2, omega);
  const F mass_12 = F::load(resistance.mass[1]);
  const F before_1 = F::load(resistance.impulse[0]), before_2 = F::load(resistance.impulse[1]);
  const F wanted_1 = before_1 - (F::load(resistance.mass[0]) * about_1 + mass_12 * about_2);
  const F wanted_2 = before_2 - (mass_12 * about_1 + F::load(resistance.mass[2]) * about_2);
  const F squared = wanted_1 * wanted_1 + wanted_2 * wanted_2;
  const F limit = pressed * F::load(resistance.rolling);
  const F scale = select(limit * limit < squared, limit / sqrt_of(squared), one);
  const F total_1 = wanted_1 * scale, total_2 = wanted_2 * scale;

  const F before_n = F::load(resistance.impulse[2]);
  const F wanted_n = before_n - F::load(resistance.spin_mass) * dot(axes.normal, omega);
  const F spin_limit = pressed * F::load(resistance.spinning);
  const F total_n = max_of(min_of(wanted_n, spin_limit), -spin_limit);

  total_1.store(resistance.impulse[0]);
  total_2.store(resistance.impulse[1]);
  total_n.store(resistance.impulse[2]);
  turn(bundle, about_axes(axes, total_1 - before_1, total_2 - before_2, total_n - before_n), a, b);
  scatter_resisting(view, bundle, resistance, a, b);
}

}  // namespace jostle::physics::kernels
