#pragma once

#include "shared/physics/solver/kernels/joint_block.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/kernels/measure_joint_rows.h"

namespace jostle::physics::kernels {

/// Returns the inverses of symmetric positive definite matrices with entries of any scale, or zero
/// for a matrix that has no inverse. If `locks` is not null, lanes of bodies with locks get the
/// inverse within the directions in which something can move (inverse_with_locks).
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> inverse_of(const SymmetricMatrices<F>& m,
                                                   const LockBundle* locks) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F sum = trace(m);
  const auto is_positive = zero < sum;
  const F scale = one / select(is_positive, sum, one);
  const SymmetricMatrices<F> s = m * scale;
  const SymmetricMatrices<F> cofactors{s.yy * s.zz - s.yz * s.yz, s.xz * s.yz - s.xy * s.zz,
                                       s.xy * s.yz - s.xz * s.yy, s.xx * s.zz - s.xz * s.xz,
                                       s.xy * s.xz - s.xx * s.yz, s.xx * s.yy - s.xy * s.xy};
  const F determinant = s.xx * cofactors.xx + s.xy * cofactors.xy + s.xz * cofactors.xz;
  const auto has_inverse = is_positive & (zero < determinant);
  const SymmetricMatrices<F> inverse =
      cofactors * select(has_inverse, scale / select(has_inverse, determinant, one), zero);
  if (locks == nullptr) return inverse;
  const auto is_locked = zero < F::load(locks->has_locks);
  const SymmetricMatrices<F> partial = inverse_with_locks(m);
  return {select(is_locked, partial.xx, inverse.xx), select(is_locked, partial.xy, inverse.xy),
          select(is_locked, partial.xz, inverse.xz), select(is_locked, partial.yy, inverse.yy),
          select(is_locked, partial.yz, inverse.yz), select(is_locked, partial.zz, inverse.zz)};
}

/// Returns the inverse of `m` within the plane of `u` and `v`, and zero perpendicular to it.
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> inverse_within(const SymmetricMatrices<F>& m,
                                                       const Vectors<F>& u, const Vectors<F>& v,
                                                       const LockBundle* locks) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const Vectors<F> mu = m * u, mv = m * v;
  const F uu = dot(u, mu), uv = dot(u, mv), vv = dot(v, mv);
  const F sum = uu + vv;
  const auto is_positive = zero < sum;
  const F scale = one / select(is_positive, sum, one);
  const F suu = uu * scale, suv = uv * scale, svv = vv * scale;
  const F determinant = suu * svv - suv * suv;
  const auto has_inverse = is_positive & (zero < determinant);
  const F factor = select(has_inverse, scale / select(has_inverse, determinant, one), zero);
  Vectors<F> p = (u * svv - v * suv) * factor, q = (v * suu - u * suv) * factor;
  if (locks != nullptr) {
    const auto is_locked = zero < F::load(locks->has_locks);
    const TwoByTwo<F> partial = inverse_with_locks<F>({uu, uv, vv}, trace(m));
    p = select(is_locked, u * partial.m11 + v * partial.m12, p);
    q = select(is_locked, u * partial.m12 + v * partial.m22, q);
  }
  return {p.x * u.x + q.x * v.x, p.x * u.y + q.x * v.y, p.x * u.z + q.x * v.z,
          p.y * u.y + q.y * v.y, p.y * u.z + q.y * v.z, p.z * u.z + q.z * v.z};
}

/// Returns the inverse of `m` along the unit vector `n`, and zero perpendicular to it.
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> inverse_along(const SymmetricMatrices<F>& m,
                                                      const Vectors<F>& n) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F response = dot(n, m * n);
  const auto is_positive = zero < response;
  const F mass = select(is_positive, one / select(is_positive, response, one), zero);
  const Vectors<F> s = n * mass;
  return {s.x * n.x, s.x * n.y, s.x * n.z, s.y * n.y, s.y * n.z, s.z * n.z};
}

/// Returns −[r]·I⁻¹·[r]: maps an impulse at the end of the arm r to the change of velocity there by
/// the body's rotation.
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> response_by_turning(const JointSide<F>& side) {
  const Vectors<F>& r = side.arm;
  const F zero = F::splat(0.0f);
  const Vectors<F> turn_x = side.inverse_inertia * Vectors<F>{zero, r.z, -r.y};
  const Vectors<F> turn_y = side.inverse_inertia * Vectors<F>{-r.z, zero, r.x};
  const Vectors<F> turn_z = side.inverse_inertia * Vectors<F>{r.y, -r.x, zero};
  return {turn_x.y * r.z - turn_x.z * r.y, turn_y.y * r.z - turn_y.z * r.y,
          turn_z.y * r.z - turn_z.z * r.y, turn_y.z * r.x - turn_y.x * r.z,
          turn_z.z * r.x - turn_z.x * r.z, turn_z.x * r.y - turn_z.y * r.x};
}

/// Returns C: column i is the change of the anchors' relative velocity by a unit torque impulse
/// about axis i.
template <typename F>
JOSTLE_SIMD_INLINE Matrices<F> coupling_of(const JointSide<F>& a, const JointSide<F>& b) {
  const auto column = [&](const Vectors<F>& turn_a, const Vectors<F>& turn_b) {
    return cross(turn_a, a.arm) + cross(turn_b, b.arm);
  };
  const SymmetricMatrices<F>&m = a.inverse_inertia, &n = b.inverse_inertia;
  return {column({m.xx, m.xy, m.xz}, {n.xx, n.xy, n.xz}),
          column({m.xy, m.yy, m.yz}, {n.xy, n.yy, n.yz}),
          column({m.xz, m.yz, m.zz}, {n.xz, n.yz, n.zz})};
}

/// Returns S = K − C·A·Cᵀ. With long arms the difference may round below zero. A millionth of K's
/// trace is added to the diagonal to keep it positive.
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> without_torque(const SymmetricMatrices<F>& k,
                                                       const Matrices<F>& c,
                                                       const SymmetricMatrices<F>& a) {
  const Vectors<F> row_x{c.cx.x, c.cy.x, c.cz.x}, row_y{c.cx.y, c.cy.y, c.cz.y};
  const Vectors<F> row_z{c.cx.z, c.cy.z, c.cz.z};
  const Vectors<F> ax = a * row_x, ay = a * row_y, az = a * row_z;
  const F least = trace(k) * F::splat(1e-6f);
  return {k.xx + least - dot(row_x, ax), k.xy - dot(row_x, ay), k.xz - dot(row_x, az),
          k.yy + least - dot(row_y, ay), k.yz - dot(row_y, az), k.zz + least - dot(row_z, az)};
}

/// Returns twice the vector part of the rotation from frame a to frame b, which is the rotation
/// vector for small angles.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> rotation_between(const Rotations<F>& a, const Rotations<F>& b) {
  const Rotations<F> turned = b * conjugate(a);
  const F two = F::splat(2.0f);
  return turned.v * select(turned.w < F::splat(0.0f), -two, two);
}

/// Computes A, C and the rotation error, and stores them.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void measure_rotation(const JointFrames<F>& frames, const JointSide<F>& a,
                                         const JointSide<F>& b, const LockBundle* locks,
                                         BlockMasses<F>& masses, JointBundle& bundle) {
  const SymmetricMatrices<F> turning = a.inverse_inertia + b.inverse_inertia;
  if constexpr (joint.kind == JointKind::Hinge) {
    masses.angular = inverse_within(turning, axis_y_of(frames.a), axis_z_of(frames.a), locks);
    cross(frames.axis_a, frames.axis_b).store(bundle.angular_error);
  } else if constexpr (joint.kind == universal_joint) {
    const Vectors<F> axis_b = axis_z_of(frames.b);
    const Vectors<F> locked = normalized_or(cross(axis_b, frames.axis_a), axis_y_of(frames.a));
    frames.axis_a.store(bundle.axis_of_a);
    axis_b.store(bundle.axis_of_b);
    locked.store(bundle.locked_axis);
    masses.angular = inverse_along(turning, locked);
    (locked * dot(frames.axis_a, axis_b)).store(bundle.angular_error);
  } else {
    masses.angular = inverse_of(turning, locks);
    rotation_between(frames.a, frames.b).store(bundle.angular_error);
  }
  masses.coupling = coupling_of(a, b);
  masses.angular.store(bundle.angular_mass);
  masses.coupling.store(bundle.coupling);
}

/// Computes B and the position error, and stores them. `rod` is the direction of a distance joint;
/// `moving` is K, or S for a joint that holds rotation.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void measure_anchors(const JointFrames<F>& frames, const Vectors<F>& apart,
                                        const Vectors<F>& rod, const SymmetricMatrices<F>& moving,
                                        const LockBundle* locks, BlockMasses<F>& masses,
                                        JointBundle& bundle) {
  Vectors<F> error = apart;
  if constexpr (joint.kind == JointKind::Distance) {
    masses.linear = inverse_along(moving, rod) * F::load(bundle.is_rod);
    error = apart - rod * F::load(bundle.length);
  } else if constexpr (joint.kind == JointKind::Slider) {
    masses.linear = inverse_within(moving, axis_y_of(frames.a), axis_z_of(frames.a), locks);
    error = apart - frames.axis_a * dot(frames.axis_a, apart);
  } else {
    masses.linear = inverse_of(moving, locks);
  }
  masses.linear.store(bundle.linear_mass);
  error.store(bundle.linear_error);
}

/// Removes the parts of the stored impulses along directions that the joint leaves free. The
/// joint's axes have turned since the impulses were computed, and warm starting with these parts
/// would do work.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void drop_strays(const JointFrames<F>& frames, const Vectors<F>& rod,
                                    JointBundle& bundle) {
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    if constexpr (joint.kind == JointKind::Hinge) {
      const Vectors<F> v = Vectors<F>::load(bundle.angular[phase]);
      (v - frames.axis_a * dot(frames.axis_a, v)).store(bundle.angular[phase]);
    }
    if constexpr (joint.kind == universal_joint) {
      const Vectors<F> locked = Vectors<F>::load(bundle.locked_axis);
      (locked * dot(locked, Vectors<F>::load(bundle.angular[phase]))).store(bundle.angular[phase]);
    }
    if constexpr (joint.kind == JointKind::Slider) {
      const Vectors<F> v = Vectors<F>::load(bundle.linear[phase]);
      (v - frames.axis_a * dot(frames.axis_a, v)).store(bundle.linear[phase]);
    }
    if constexpr (joint.kind == JointKind::Distance) {
      (rod * dot(rod, Vectors<F>::load(bundle.linear[phase]))).store(bundle.linear[phase]);
    }
  }
}

/// Returns the part of the anchors' relative velocity that the joint does not allow.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE Vectors<F> forbidden_speed(const JointFrames<F>& frames, const Vectors<F>& rod,
                                              const JointSide<F>& side_a,
                                              const JointSide<F>& side_b, const BodyRows<F>& a,
                                              const BodyRows<F>& b) {
  const Vectors<F> speed =
      (b.first + cross(b.second, side_b.arm)) - (a.first + cross(a.second, side_a.arm));
  if constexpr (joint.kind == JointKind::Slider)
    return speed - frames.axis_a * dot(frames.axis_a, speed);
  if constexpr (joint.kind == JointKind::Distance) return rod * dot(rod, speed);
  return speed;
}

/// Scales down the warm-start impulses after an impact, because they do not predict the next
/// impulses. The passes of a substep may not correct the error, for example of a light body between
/// a heavy one and the floor. `speed` is the part of the anchors' relative velocity that the joint
/// forbids, before the joint is solved. The share that is kept falls with rising `speed` and is at
/// most `left`.
///
/// For two kinds of joints, the share does not depend on `speed`:
/// - Joints that alone hold their bodies, because these are solved exactly.
/// - Joints whose two sides have responses to an impulse that differ by at most the factor
///   `uneven`.
///
/// If the responses differ by the factor r, a pass provides 1/r of the impulse that the heavy side
/// needs. A step of four substeps has twenty passes over the joints, so the passes of two steps
/// suffice up to the factor `uneven`. `all` and `none` are the squared speeds after a fall of 0.5 m
/// and of 1.3 m. Between them the share falls linearly, so that a small change of speed makes a
/// small difference.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void give_up_after_blow(const Vectors<F>& speed, const F& response_a,
                                           const F& response_b, const F& left,
                                           JointBundle& bundle) {
  constexpr float uneven = 30.0f;            // ratio of the two sides' responses
  constexpr float all = 9.0f, none = 25.0f;  // m²/s²
  const F one = F::splat(1.0f), zero = F::splat(0.0f);
  const F kept = max_of(
      min_of((F::splat(none) - dot(speed, speed)) * F::splat(1.0f / (none - all)), one), zero);
  const auto is_even =
      max_of(response_a, response_b) <= min_of(response_a, response_b) * F::splat(uneven);
  const F share = min_of(select((F::load(bundle.keep) == zero) | is_even, one, kept), left);
  if (bits_of(share < one) == 0) return;
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    (Vectors<F>::load(bundle.linear[phase]) * share).store(bundle.linear[phase]);
    if constexpr (has_torque(joint))
      (Vectors<F>::load(bundle.angular[phase]) * share).store(bundle.angular[phase]);
    if constexpr (joint.has_rows) {
      for (Lanes& row : bundle.axis.impulse[phase])
        (F::load(row) * share).store(row);
    }
    if constexpr (has_cone(joint))
      (F::load(bundle.cone.impulse[phase]) * share).store(bundle.cone.impulse[phase]);
  }
}

template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> inverse_inertia_of(const BodyRows<F>& row) {
  return {row.first.x, row.first.y, row.first.z, row.after_first, row.second.x, row.second.y};
}

/// Stores the tautness of a body per N·s of impulse and metre of arm
/// (stabilizers/geometric_stiffness/taut_bodies.h). Stores zero in lanes where `keep` is 0, because
/// those joints do not count.
template <typename F>
JOSTLE_SIMD_INLINE void store_tautness(const JointView& view, const JointSide<F>& side,
                                       const SymmetricMatrices<F>& moving, const Lanes& keep,
                                       Lanes& taut) {
  const F zero = F::splat(0.0f), squared = dot(side.arm, side.arm);
  const auto counts = (zero < F::load(keep)) & (zero < squared);
  const F per_impulse =
      trace(moving) * F::splat(view.substep_seconds) / select(counts, squared, F::splat(1.0f));
  select(counts, per_impulse, zero).store(taut);
}

/// Measures arms, errors and effective masses of one bundle at the bodies' current poses. Also
/// scales down warm-start impulses that do not predict the next impulses.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void measure_bundle(const JointView& view, JointBundle& bundle) {
  // A row is a rotation, an offset and an inverse mass (JointedPose).
  const BodyRows<F> pose_a = gather<F>(view.poses, bundle.a);
  const BodyRows<F> pose_b = gather<F>(view.poses, bundle.b);
  const Rotations<F> rotation_a{pose_a.first, pose_a.after_first};
  const Rotations<F> rotation_b{pose_b.first, pose_b.after_first};
  JointSide<F> a{rotate(rotation_a, Vectors<F>::load(bundle.local_a)),
                 inverse_inertia_of(gather<F>(view.inertias, bundle.a))};
  JointSide<F> b{rotate(rotation_b, Vectors<F>::load(bundle.local_b)),
                 inverse_inertia_of(gather<F>(view.inertias, bundle.b))};
  const Vectors<F> apart =
      Vectors<F>::load(bundle.between) + (pose_b.second - pose_a.second) + (b.arm - a.arm);
  JointFrames<F> frames;
  Vectors<F> rod;
  if constexpr (has_frames(joint)) {
    frames = find_frames(bundle, rotation_a, rotation_b);
    rod = normalized_or(apart, frames.axis_a);
    apart.store(bundle.apart);
  }
  // The force of a slider acts on a at the projection of b's anchor onto the axis of a. If it acted
  // at b's anchor, the position error would be a lever arm, and correcting the error would turn the
  // bodies.
  if constexpr (joint.kind == JointKind::Slider)
    a.arm = a.arm + frames.axis_a * dot(frames.axis_a, apart);
  if constexpr (joint.kind == JointKind::Ball || joint.kind == JointKind::Hinge ||
                joint.kind == JointKind::Fixed || joint.kind == universal_joint)
    meet(pose_a.after_second, pose_b.after_second, bundle.keep, apart, a.arm, b.arm);
  a.arm.store(bundle.arm_a);
  b.arm.store(bundle.arm_b);
  a.inverse_inertia.store(bundle.inverse_inertia_a);
  b.inverse_inertia.store(bundle.inverse_inertia_b);
  const LockBundle* locks = locks_among<F>(view.locks, &bundle - view.bundles);
  const F both = pose_a.after_second + pose_b.after_second;
  Vectors<F> inverse_mass{both, both, both};
  if (locks != nullptr)
    inverse_mass = free_inverse_mass(*locks, pose_a.after_second, pose_b.after_second);
  const SymmetricMatrices<F> moving_a = response_by_turning(a), moving_b = response_by_turning(b);
  if constexpr (can_be_taut(joint)) {
    store_tautness(view, a, moving_a, bundle.keep, bundle.taut_a);
    store_tautness(view, b, moving_b, bundle.keep, bundle.taut_b);
  }
  SymmetricMatrices<F> moving = moving_a + moving_b;
  moving.xx = moving.xx + inverse_mass.x;
  moving.yy = moving.yy + inverse_mass.y;
  moving.zz = moving.zz + inverse_mass.z;
  BlockMasses<F> masses;
  if constexpr (holds_rotation(joint)) {
    measure_rotation<F, joint>(frames, a, b, locks, masses, bundle);
    moving = without_torque(moving, masses.coupling, masses.angular);
  }
  measure_anchors<F, joint>(frames, apart, rod, moving, locks, masses, bundle);
  if (!view.mending.is_on) drop_strays<F, joint>(frames, rod, bundle);
  const BodyRows<F> velocity_a = gather<F>(view.velocities, bundle.a);
  const BodyRows<F> velocity_b = gather<F>(view.velocities, bundle.b);
  F left = share_after_limit(view, velocity_a, velocity_b);
  if constexpr (joint.kind != JointKind::Distance)
    left = left * share_after_turning(velocity_a, velocity_b, view.substep_seconds);
  give_up_after_blow<F, joint>(forbidden_speed<F, joint>(frames, rod, a, b, velocity_a, velocity_b),
                               pose_a.after_second + trace(moving_a),
                               pose_b.after_second + trace(moving_b), left, bundle);
  if constexpr (joint.has_rows) {
    measure_rows<F, joint>(view, frames, apart, rod, inverse_mass, a, b, masses, bundle);
  }
  if constexpr (has_cone(joint)) {
    if (bundle.friction_lanes != 0)
      inverse_of(response_to_torque(bundle, a, b), locks).store(bundle.friction.mass);
  }
}

template <typename F, JointClass joint>
void measure_joints(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    JointBundle& bundle = view.bundles[i];
    if (is_stale(view, bundle.a, bundle.b)) measure_bundle<F, joint>(view, bundle);
  }
}

}  // namespace jostle::physics::kernels
