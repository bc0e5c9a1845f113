#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/kernels/resistance_kernel.h"

namespace jostle::physics::kernels {

/// Returns a unit vector perpendicular to n, without a square root (Duff et al., "Building an
/// Orthonormal Basis, Revisited", JCGT 2017).
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> perpendicular(const Vectors<F>& n) {
  const F one = F::splat(1.0f);
  const F sign = select(n.z < F::splat(0.0f), -one, one);
  const F a = -one / (sign + n.z);
  return {one + sign * n.x * n.x * a, sign * (n.x * n.y * a), -(sign * n.x)};
}

/// Returns the relative normal velocity v ≤ 0 at which the gap d = `gap` closes, from v₀ = `speed`
/// and a = `acceleration`: v² = v₀² − 2·a·d. Returns v₀ if there is no gap or the surfaces
/// separate, and 0 if they will not meet.
template <typename F>
JOSTLE_SIMD_INLINE F impact_speed(const F& speed, const F& acceleration, const F& gap) {
  const F zero = F::splat(0.0f);
  const F squared = speed * speed - F::splat(2.0f) * acceleration * gap;
  const F met = select(zero < squared, -sqrt_of(squared), zero);
  return select((gap <= zero) | (zero <= speed), speed, met);
}

/// The arm of friction against rotation about the normal, as a share of the distance of the points
/// from the contact's centre. The points lie on the border of the touching patch. Under an even
/// pressure the mean distance is 1/2 for a line, 0.54 for a square and 2/3 for a disc.
template <int N>
inline constexpr float lever_share = N == 2 ? 0.5f : 0.6f;

/// One point of each of eight manifolds, in eight lanes (detail/records.h).
template <typename F>
struct LoadedPoint {
  Vectors<F> offset_a, offset_b;
  F separation, normal_impulse;
};

template <typename F>
JOSTLE_SIMD_INLINE LoadedPoint<F> load_point(const ManifoldSources& sources, int point) {
  F rows[8];
  for (int i = 0; i < 8; ++i)
    rows[i] = F::load_unaligned(sources.points[i] + manifold_point_floats * point);
  transpose(rows);
  return {{rows[0], rows[1], rows[2]}, {rows[3], rows[4], rows[5]}, rows[6], rows[7]};
}

/// Computes the mean of the points whose separation is at most speculative_distance, or of all
/// points if there are none. `centre_a` and `centre_b` receive the vectors from the two centres of
/// mass to this mean. If there is a gap, the vectors end on the surfaces on both sides of it,
/// because that is where they meet in the impact.
template <typename F, int N>
JOSTLE_SIMD_INLINE void find_centre(const LoadedPoint<F> (&points)[N], const Vectors<F>& normal,
                                    Vectors<F>& centre_a, Vectors<F>& centre_b) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  F weights[N];
  F near_count = zero;
  for (int i = 0; i < N; ++i) {
    weights[i] = select(points[i].separation <= F::splat(speculative_distance), one, zero);
    near_count = near_count + weights[i];
  }
  const auto has_near = zero < near_count;
  const F scale = one / select(has_near, near_count, F::splat(static_cast<float>(N)));
  centre_a = centre_b = {zero, zero, zero};
  F half_gap = zero;
  for (int i = 0; i < N; ++i) {
    const F weight = select(has_near, weights[i], one) * scale;
    centre_a = centre_a + points[i].offset_a * weight;
    centre_b = centre_b + points[i].offset_b * weight;
    half_gap = half_gap + max_of(points[i].separation, zero) * (weight * F::splat(0.5f));
  }
  centre_a = centre_a - normal * half_gap;
  centre_b = centre_b + normal * half_gap;
}

/// Effect of a unit impulse, which is a force along an axis or a moment about an axis. It consists
/// of the moments e about the two centres of mass, and the angular velocities I⁻¹·e that they
/// cause.
template <typename F>
struct UnitImpulse {
  Vectors<F> moment_a, moment_b, turn_a, turn_b;
};

template <typename F>
JOSTLE_SIMD_INLINE UnitImpulse<F> unit_impulse(const Vectors<F>& moment_a,
                                               const Vectors<F>& moment_b,
                                               const SymmetricMatrices<F>& inertia_a,
                                               const SymmetricMatrices<F>& inertia_b) {
  return {moment_a, moment_b, inertia_a * moment_a, inertia_b * moment_b};
}
/// Returns the change of the velocity along row `p` by a unit impulse of row `q`, through rotation
/// alone: e_p·I⁻¹·e_q summed over the bodies. The result is symmetric in p and q.
template <typename F>
JOSTLE_SIMD_INLINE F coupling(const UnitImpulse<F>& p, const UnitImpulse<F>& q) {
  return dot(p.moment_a, q.turn_a) + dot(p.moment_b, q.turn_b);
}

/// The unit impulses of a contact: forces at c along t₁, t₂, n, and moments about them.
template <typename F>
struct UnitImpulses {
  UnitImpulse<F> along_1, along_2, along_n, about_1, about_2, about_n;
  F inverse_mass;  // summed over both bodies
};

/// Replaces the friction masses and couplings in lanes whose bodies have locks. There the inverse
/// mass differs between the world axes (lock_kernel.h). Other lanes keep the result of
/// prepare_friction.
template <typename F, int N>
JOSTLE_SIMD_INLINE void lock_friction(const UnitImpulses<F>& unit, const ContactAxes<F>& axes,
                                      const LockBundle& locks, const Vectors<F>& inverse_mass,
                                      ContactBundle<N>& bundle) {
  const auto is_locked = F::splat(0.0f) < F::load(locks.has_locks);
  const auto moved = [&](const Vectors<F>& p, const Vectors<F>& q) {
    return response_between(inverse_mass, p, q);
  };
  const auto replace = [&](Lanes& row, const F& with) {
    select(is_locked, with, F::load(row)).store(row);
  };
  const Vectors<F>&u = axes.tangent_1, &v = axes.tangent_2;
  const F turned_11 = coupling(unit.along_1, unit.along_1);
  const F turned_22 = coupling(unit.along_2, unit.along_2);
  const TwoByTwo<F> mass = inverse_with_locks<F>(
      {moved(u, u) + turned_11, moved(u, v) + coupling(unit.along_1, unit.along_2),
       moved(v, v) + turned_22},
      unit.inverse_mass + turned_11 + turned_22);
  replace(bundle.tangent_mass[0], mass.m11);
  replace(bundle.tangent_mass[1], mass.m12);
  replace(bundle.tangent_mass[2], mass.m22);
  const F of_1 = moved(axes.normal, u), of_2 = moved(axes.normal, v);
  replace(bundle.tangent_coupling[0], F::load(bundle.tangent_coupling[0]) + of_1);
  replace(bundle.tangent_coupling[1], F::load(bundle.tangent_coupling[1]) + of_2);
}

/// Computes the 2×2 effective mass of friction, the effective mass of twist, and the couplings of
/// both with the other rows.
template <typename F, int N>
JOSTLE_SIMD_INLINE void prepare_friction(const UnitImpulses<F>& unit, ContactBundle<N>& bundle) {
  const F k11 = unit.inverse_mass + coupling(unit.along_1, unit.along_1);
  const F k22 = unit.inverse_mass + coupling(unit.along_2, unit.along_2);
  const F k12 = coupling(unit.along_1, unit.along_2);
  const F scale = inverse_or_zero(k11 * k22 - k12 * k12);
  (k22 * scale).store(bundle.tangent_mass[0]);
  (-(k12 * scale)).store(bundle.tangent_mass[1]);
  (k11 * scale).store(bundle.tangent_mass[2]);
  coupling(unit.along_n, unit.along_1).store(bundle.tangent_coupling[0]);
  coupling(unit.along_n, unit.along_2).store(bundle.tangent_coupling[1]);
  if constexpr (N > 1) {
    coupling(unit.about_1, unit.along_1).store(bundle.tangent_coupling[2]);
    coupling(unit.about_1, unit.along_2).store(bundle.tangent_coupling[3]);
    coupling(unit.about_2, unit.along_1).store(bundle.tangent_coupling[4]);
    coupling(unit.about_2, unit.along_2).store(bundle.tangent_coupling[5]);

    // Below this share of the response to all three moments, the response to a moment about n is
    // only the rounding error of a locked rotation.
    constexpr float least_share = 1e-8f;
    const F turned = coupling(unit.about_n, unit.about_n);
    const F all =
        turned + coupling(unit.about_1, unit.about_1) + coupling(unit.about_2, unit.about_2);
    const auto can_turn = F::splat(least_share) * all < turned;
    inverse_or_zero(select(can_turn, turned, F::splat(0.0f))).store(bundle.twist_mass);
    coupling(unit.along_1, unit.about_n).store(bundle.twist_coupling[0]);
    coupling(unit.along_2, unit.about_n).store(bundle.twist_coupling[1]);
    coupling(unit.along_n, unit.about_n).store(bundle.twist_coupling[2]);
    coupling(unit.about_1, unit.about_n).store(bundle.twist_coupling[3]);
    coupling(unit.about_2, unit.about_n).store(bundle.twist_coupling[4]);
  }
}

/// Computes the effective masses and the couplings of the points. A unit impulse at a point acts
/// along (n; β·t₁ − α·t₂). With the matrix A, which couples the force along n (index n) and the
/// moments about t₁ (1) and t₂ (2), points i and k are coupled by
///
///   K_ik = A_nn + (β_i + β_k)·A_n1 − (α_i + α_k)·A_n2 + β_i·β_k·A_11 − (α_i·β_k + β_i·α_k)·A_12
///          + α_i·α_k·A_22
///
/// and K_ii⁻¹ is the point's effective mass. `unlocked` is the inverse mass of bodies with locks,
/// without the locks, and 0 otherwise. K_ii is only a rounding error if it is far smaller.
template <typename F, int N>
JOSTLE_SIMD_INLINE void prepare_point_masses(const UnitImpulses<F>& unit, const F& nn,
                                             const F& unlocked, const F (&alpha)[N],
                                             const F (&beta)[N], ContactBundle<N>& bundle) {
  if constexpr (N == 1) {
    inverse_pivot(nn, unlocked).store(bundle.points[0].mass);
  } else {
    const F n1 = coupling(unit.along_n, unit.about_1), n2 = coupling(unit.along_n, unit.about_2);
    const F k11 = coupling(unit.about_1, unit.about_1), k22 = coupling(unit.about_2, unit.about_2);
    const F k12 = coupling(unit.about_1, unit.about_2);
    int pair = 0;
    for (int i = 0; i < N; ++i) {
      // Changes of w·n, Ω·t₁ and Ω·t₂ by a unit impulse at i.
      const F of_n = nn + beta[i] * n1 - alpha[i] * n2;
      const F of_1 = n1 + beta[i] * k11 - alpha[i] * k12;
      const F of_2 = n2 + beta[i] * k12 - alpha[i] * k22;
      const F of_point = of_n + beta[i] * of_1 - alpha[i] * of_2;
      inverse_pivot(of_point, unlocked).store(bundle.points[i].mass);
      for (int k = i + 1; k < N; ++k)
        (of_n + beta[k] * of_1 - alpha[k] * of_2).store(bundle.point_coupling[pair++]);
    }
  }
}

template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> inertia_of(const BodyRows<F>& row) {
  return {row.first.x, row.first.y, row.first.z, row.after_first, row.second.x, row.second.y};
}

/// Computes the masses and couplings of a bundle at the bodies' current poses, and stores the
/// inertia used. The axes and the centre of the bundle must be set.
template <typename F, int N>
JOSTLE_SIMD_INLINE void measure(const KernelView& view, const LockBundle* locks,
                                const ContactAxes<F>& axes, const F& inverse_mass_a,
                                const F& inverse_mass_b, const F (&alpha)[N], const F (&beta)[N],
                                ContactBundle<N>& bundle) {
  const Vectors<F> centre_a = Vectors<F>::load(bundle.centre_a);
  const Vectors<F> centre_b = Vectors<F>::load(bundle.centre_b);
  const auto inertia_a = inertia_of(gather<F>(view.inertias, bundle.a));
  const auto inertia_b = inertia_of(gather<F>(view.inertias, bundle.b));
  inertia_a.store(bundle.inverse_inertia_a);
  inertia_b.store(bundle.inverse_inertia_b);
  const auto force_along = [&](const Vectors<F>& axis) {
    return unit_impulse(cross(centre_a, axis), cross(centre_b, axis), inertia_a, inertia_b);
  };
  const auto moment_about = [&](const Vectors<F>& axis) {
    return unit_impulse(axis, axis, inertia_a, inertia_b);
  };
  const UnitImpulses<F> unit{force_along(axes.tangent_1),    force_along(axes.tangent_2),
                             force_along(axes.normal),       moment_about(axes.tangent_1),
                             moment_about(axes.tangent_2),   moment_about(axes.normal),
                             inverse_mass_a + inverse_mass_b};
  prepare_friction(unit, bundle);
  F nn = unit.inverse_mass + coupling(unit.along_n, unit.along_n), unlocked = F::splat(0.0f);
  if (locks != nullptr) {
    const Vectors<F> free = free_inverse_mass(*locks, inverse_mass_a, inverse_mass_b);
    lock_friction(unit, axes, *locks, free, bundle);
    const F moved = response_between(free, axes.normal, axes.normal);
    const auto is_locked = F::splat(0.0f) < F::load(locks->has_locks);
    nn = select(is_locked, moved + coupling(unit.along_n, unit.along_n), nn);
    unlocked = select(is_locked, unit.inverse_mass, unlocked);
  }
  prepare_point_masses(unit, nn, unlocked, alpha, beta, bundle);
}

/// Returns true if the inertia of any of the bodies was recomputed in this substep (follow_turn).
JOSTLE_SIMD_INLINE bool has_turned(const KernelView& view, const std::uint32_t (&bodies)[8]) {
  std::uint32_t turned = 0;
  for (const std::uint32_t body : bodies)
    turned |= std::uint32_t{view.turned_lanes[body / lane_count]} >> (body % lane_count);
  return (turned & 1U) != 0;
}

/// Recomputes the masses and couplings of the bundles with a body whose inertia was recomputed in
/// this substep.
template <typename F, int N>
void measure_turned(const KernelView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    ContactBundle<N>& bundle = static_cast<ContactBundle<N>*>(view.bundles[N - 1])[i];
    if (!has_turned(view, bundle.a) && !has_turned(view, bundle.b)) continue;
    const ContactAxes<F> axes = load_axes<F>(bundle);
    const LockBundle* locks = locks_among<F>(view.locks[N - 1], i);
    const F inverse_mass_a = gather<F>(view.velocities, bundle.a).after_first;
    const F inverse_mass_b = gather<F>(view.velocities, bundle.b).after_first;
    F alpha[N], beta[N];
    for (int k = 0; k < N; ++k) {
      alpha[k] = F::load(bundle.points[k].along_1);
      beta[k] = F::load(bundle.points[k].along_2);
    }
    measure(view, locks, axes, inverse_mass_a, inverse_mass_b, alpha, beta, bundle);
    if (ResistanceBundle* resistance = resistance_of<N>(view, i))
      measure_resistance(bundle, locks, axes, *resistance);
  }
}

/// Builds one bundle from eight manifolds. The caller has set the bundle's bodies and friction, and
/// its records.
template <typename F, int N>
void prepare_contacts(const KernelView& view, std::uint32_t index, const ManifoldSources& sources) {
  ContactBundle<N>& bundle = static_cast<ContactBundle<N>*>(view.bundles[N - 1])[index];
  ContactRecords<N>& records = static_cast<ContactRecords<N>*>(view.records[N - 1])[index];
  // normal (0 to 2), friction impulse (3 to 5), twist impulse (6), point count (7, not used)
  F header[8];
  for (int i = 0; i < 8; ++i)
    header[i] = F::load_unaligned(sources.header[i]);
  transpose(header);
  LoadedPoint<F> points[N];
  for (int i = 0; i < N; ++i)
    points[i] = load_point<F>(sources, i);

  ContactAxes<F> axes;
  axes.normal = {header[0], header[1], header[2]};
  axes.tangent_1 = perpendicular(axes.normal);
  axes.tangent_2 = cross(axes.normal, axes.tangent_1);
  Vectors<F> centre_a, centre_b;
  find_centre(points, axes.normal, centre_a, centre_b);
  const BodyRows<F> velocity_a = gather<F>(view.velocities, bundle.a);
  const BodyRows<F> velocity_b = gather<F>(view.velocities, bundle.b);

  axes.normal.store(bundle.normal);
  axes.tangent_1.store(bundle.tangent);
  centre_a.store(bundle.centre_a);
  centre_b.store(bundle.centre_b);

  const Vectors<F> friction_impulse{header[3], header[4], header[5]};
  dot(friction_impulse, axes.tangent_1).store(bundle.tangent_impulse[0]);
  dot(friction_impulse, axes.tangent_2).store(bundle.tangent_impulse[1]);
  // A single point has no lever arm, so it cannot resist twist.
  (N > 1 ? header[6] : F::splat(0.0f)).store(bundle.twist_impulse);
  for (int i = 0; i < 2; ++i)
    F::load(bundle.tangent_impulse[i]).store(bundle.tangent_before[i]);
  F::load(bundle.twist_impulse).store(bundle.twist_before);

  F alpha[N], beta[N];
  for (int i = 0; i < N; ++i) {
    const Vectors<F> arm = points[i].offset_a - centre_a;
    alpha[i] = dot(arm, axes.tangent_1);
    beta[i] = dot(arm, axes.tangent_2);
  }
  const LockBundle* locks = locks_among<F>(view.locks[N - 1], index);
  measure(view, locks, axes, velocity_a.after_first, velocity_b.after_first, alpha, beta, bundle);

  const RelativeMotion<F> speed = relative(axes, centre_a, centre_b, velocity_a, velocity_b);
  const Vectors<F> gain =
      gather<F>(view.gains, bundle.b).first - gather<F>(view.gains, bundle.a).first;
  const F acceleration = dot(axes.normal, gain) / F::splat(view.substep_seconds);
  const F zero = F::splat(0.0f);
  for (int i = 0; i < N; ++i) {
    auto& point = bundle.points[i];
    alpha[i].store(point.along_1);
    beta[i].store(point.along_2);
    points[i].separation.store(point.separation);
    points[i].separation.store(point.separation_now);
    points[i].normal_impulse.store(point.impulse);
    points[i].normal_impulse.store(point.impulse_before);
    zero.store(point.max_impulse);
    zero.store(point.step_impulse);
    (sqrt_of(alpha[i] * alpha[i] + beta[i] * beta[i]) * F::splat(lever_share<N>))
        .store(point.lever);
    F parting = speed.along_n;
    if constexpr (N > 1) parting = parting + beta[i] * speed.about_1 - alpha[i] * speed.about_2;
    impact_speed(parting, acceleration, points[i].separation).store(records.approach_speed[i]);
  }
  if (ResistanceBundle* resistance = resistance_of<N>(view, index))
    prepare_resistance(bundle, locks, axes, *resistance);
}

}  // namespace jostle::physics::kernels
