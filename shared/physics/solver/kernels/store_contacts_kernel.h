#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/prepare_contacts_kernel.h"

namespace jostle::physics::kernels {

/// Returns x, or zero if x is tiny, larger than max_impulse or not finite.
template <typename F>
JOSTLE_SIMD_INLINE F snapped(const F& x) {
  const F size = max_of(x, -x);
  return select((F::splat(tiny) <= size) & (size <= F::splat(max_impulse)), x, F::splat(0.0f));
}

template <typename F>
JOSTLE_SIMD_INLINE F length(const Vectors<F>& v) {
  return sqrt_of(dot(v, v));
}

/// Updates the separations by the displacements of the bodies. If the bodies moved too far for this
/// linear approximation, `moved` becomes points_not_known, so that the narrow phase computes new
/// points.
template <typename F, int N>
JOSTLE_SIMD_INLINE void follow_bodies(const KernelView& view, const ContactBundle<N>& bundle,
                                      const LoadedPoint<F> (&points)[N], const Vectors<F>& normal,
                                      StoredContacts& stored) {
  const BodyRows<F> a = gather<F>(view.motions, bundle.a), b = gather<F>(view.motions, bundle.b);
  const Vectors<F> apart = b.first - a.first;
  const F turned_a = length(a.second), turned_b = length(b.second);
  const F before = max_of(F::load(stored.moved), F::splat(0.0f));
  F parted[N];
  F farthest = before;
  auto is_near = before == before;
  for (int i = 0; i < N; ++i) {
    const Vectors<F>&offset_a = points[i].offset_a, &offset_b = points[i].offset_b;
    const Vectors<F> way = apart + cross(b.second, offset_b) - cross(a.second, offset_a);
    const F moved =
        before + length(way) + turned_a * length(offset_a) + turned_b * length(offset_b);
    parted[i] = dot(normal, way);
    farthest = max_of(farthest, moved);
    // Also false if `moved` is not finite.
    is_near = is_near & (moved <= F::splat(keep_points_range * keep_points_distance));
  }
  select(is_near, farthest, F::splat(points_not_known)).store(stored.moved);
  for (int i = 0; i < N; ++i) {
    const F gap = points[i].separation;
    select(is_near, gap + parted[i], gap).store(stored.separation[i]);
  }
}

/// Finds the lanes in which any point acted, and in each lane the fastest point with a hit, or −1
/// if there is none. A point has a hit if it acted, had no impulse from the previous step, and
/// approached faster than the restitution threshold.
template <typename F, int N>
JOSTLE_SIMD_INLINE void find_meetings(const KernelView& view, const ContactBundle<N>& bundle,
                                      const ContactRecords<N>& records,
                                      const LoadedPoint<F> (&points)[N], StoredContacts& stored) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  F fastest = F::splat(-view.restitution_threshold), hit_point = F::splat(-1.0f), has_met = zero;
  for (int i = 0; i < N; ++i) {
    const auto acts = zero < F::load(bundle.points[i].max_impulse);
    const F speed = F::load(records.approach_speed[i]);
    const auto is_hit = acts & (points[i].normal_impulse == zero) & (speed < fastest);
    has_met = select(acts, one, has_met);
    fastest = select(is_hit, speed, fastest);
    hit_point = select(is_hit, F::splat(static_cast<float>(i)), hit_point);
  }
  stored.met_lanes = bits_of(zero < has_met);
  hit_point.store(stored.hit_point);
}

/// Stores the results of one bundle for its manifolds. The caller has set stored.moved.
template <typename F, int N>
void store_contacts(const KernelView& view, std::uint32_t index, const ManifoldSources& sources,
                    StoredContacts& stored) {
  const auto& bundle = static_cast<const ContactBundle<N>*>(view.bundles[N - 1])[index];
  const auto& records = static_cast<const ContactRecords<N>*>(view.records[N - 1])[index];
  LoadedPoint<F> points[N];
  for (int i = 0; i < N; ++i)
    points[i] = load_point<F>(sources, i);
  const ContactAxes<F> axes = load_axes<F>(bundle);
  const Vectors<F> friction = axes.tangent_1 * F::load(bundle.tangent_impulse[0]) +
                              axes.tangent_2 * F::load(bundle.tangent_impulse[1]);
  snapped(friction.x).store(stored.friction[0]);
  snapped(friction.y).store(stored.friction[1]);
  snapped(friction.z).store(stored.friction[2]);
  snapped(F::load(bundle.twist_impulse)).store(stored.twist);
  for (int i = 0; i < N; ++i) {
    snapped(F::load(bundle.points[i].impulse)).store(stored.impulse[i]);
    snapped(F::load(bundle.points[i].step_impulse)).store(stored.step_impulse[i]);
  }
  find_meetings(view, bundle, records, points, stored);
  follow_bodies(view, bundle, points, axes.normal, stored);
}

}  // namespace jostle::physics::kernels
