#pragma once

#include "shared/physics/solver/kernels/coordinate_values.h"
#include "shared/physics/solver/kernels/measure_joints_kernel.h"
#include "shared/physics/solver/locked_coordinates.h"

namespace jostle::physics::kernels {

template <typename F>
JOSTLE_SIMD_INLINE Rotations<F> load_rotation(const Lanes (&rows)[4]) {
  return {Vectors<F>::load(rows), F::load(rows[3])};
}
template <typename F>
JOSTLE_SIMD_INLINE void store_rotation(const Rotations<F>& q, Lanes (&rows)[4]) {
  q.v.store(rows);
  q.w.store(rows[3]);
}

/// Returns the angle, in [−π, π], by which a body has turned about `axis` from the rotation
/// `before` to the rotation `now`.
template <typename F>
JOSTLE_SIMD_INLINE F turned_about(const Vectors<F>& axis, const Rotations<F>& now,
                                  const Lanes (&before)[4]) {
  const Rotations<F> turn = now * conjugate(load_rotation<F>(before));
  const F along = dot(turn.v, axis);
  const auto is_far = turn.w < F::splat(0.0f);
  const F half = simd::atan2(select(is_far, -along, along), select(is_far, -turn.w, turn.w));
  return half + half;
}

/// Returns the part of the vector from a's anchor to b's that the joint's limits and locks allow.
/// Forces act on a at the end of this part. If they acted at b's anchor, the position error would
/// be a lever arm, and correcting the error would turn the bodies.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> allowed_travel(const Axes<F>& a, const Vectors<F>& apart,
                                             const CoordinateBundle& bundle) {
  const auto along = [&](const Vectors<F>& axis, const Coordinate& row) {
    const F rest = F::load(row.rest), locked = F::load(row.is_locked), zero = F::splat(0.0f);
    const F lower = select(zero < locked, rest, F::load(row.lower));
    const F upper = select(zero < locked, rest, F::load(row.upper));
    return axis * max_of(min_of(dot(axis, apart), upper), lower);
  };
  return along(a.x, bundle.coordinates[0]) + along(a.y, bundle.coordinates[1]) +
         along(a.z, bundle.coordinates[2]);
}

/// Measures six-DOF joints: the translation along the axes of a, and the three angles. `reach` is
/// the arm from a's centre of mass to the point where forces act on a (allowed_travel).
template <typename F>
JOSTLE_SIMD_INLINE void measure_six(const JointView& view, const Axes<F>& a, const Axes<F>& b,
                                    const Vectors<F>& apart, const Vectors<F>& reach,
                                    const Vectors<F>& arm_b, CoordinateBundle& bundle) {
  Coordinate* const rows = bundle.coordinates;
  store_sliding(a.x, reach, arm_b, rows[0]);
  store_sliding(a.y, reach, arm_b, rows[1]);
  store_sliding(a.z, reach, arm_b, rows[2]);
  const TurningAxes<F> turning = turning_axes(a, b);
  store_turning(turning.first, rows[3]);
  store_turning(turning.second, rows[4]);
  store_turning(turning.third, rows[5]);
  set_value(view, dot(a.x, apart), rows[0]);
  set_value(view, dot(a.y, apart), rows[1]);
  set_value(view, dot(a.z, apart), rows[2]);
  const auto set_angle = [&](const PlaneAngle<F>& angle, Coordinate& row) {
    set_value(view, nearest_turn(simd::atan2(angle.y, angle.x), middle_of<F>(row)), row);
  };
  set_angle(first_angle(a, b), rows[3]);
  set_angle(second_angle(a, b), rows[4]);
  set_angle(third_angle(a, b), rows[5]);
}

/// Measures the translation and the rotation from the target pose of a servo to frame b, along and
/// about the axes of frame a.
template <typename F>
JOSTLE_SIMD_INLINE void measure_servo(const JointView& view, const Rotations<F>& frame_a,
                                      const Rotations<F>& frame_b, const Vectors<F>& apart,
                                      const Vectors<F>& arm_a, const Vectors<F>& arm_b,
                                      CoordinateBundle& bundle) {
  Coordinate* const rows = bundle.coordinates;
  const F zero = F::splat(0.0f), one = F::splat(1.0f), two = F::splat(2.0f);
  const Axes<F> a = axes_of(frame_a);
  const Vectors<F> reach = arm_a + apart,
                   left = apart - rotate(frame_a, Vectors<F>::load(bundle.target));
  store_sliding(a.x, reach, arm_b, rows[0]);
  store_sliding(a.y, reach, arm_b, rows[1]);
  store_sliding(a.z, reach, arm_b, rows[2]);
  store_turning(a.x, rows[3]);
  store_turning(a.y, rows[4]);
  store_turning(a.z, rows[5]);
  // Rotation vector from the target to b.
  const Rotations<F> turn = frame_b * conjugate(frame_a * load_rotation<F>(bundle.target_rotation));
  const F sine = sqrt_of(dot(turn.v, turn.v));
  const auto is_far = turn.w < zero;
  const F angle = two * simd::atan2(sine, select(is_far, -turn.w, turn.w));
  const auto has_axis = F::splat(1e-6f) < sine;
  const F scale = select(has_axis, angle / select(has_axis, sine, one), two);
  const Vectors<F> about = turn.v * select(is_far, -scale, scale);
  set_value(view, dot(a.x, left), rows[0]);
  set_value(view, dot(a.y, left), rows[1]);
  set_value(view, dot(a.z, left), rows[2]);
  set_value(view, dot(a.x, about), rows[3]);
  set_value(view, dot(a.y, about), rows[4]);
  set_value(view, dot(a.z, about), rows[5]);
}

/// Adds the change since the last measurement to the value of a gear's or rack's coordinate. The
/// value does not wrap.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void measure_gear(const JointView& view, const Rotations<F>& rotation_a,
                                     const Rotations<F>& rotation_b, const Vectors<F>& axis_a,
                                     const Vectors<F>& axis_b, const Vectors<F>& apart,
                                     const Vectors<F>& arm_a, const Vectors<F>& arm_b,
                                     CoordinateBundle& bundle) {
  Coordinate& row = bundle.coordinates[0];
  const F ratio = F::load(bundle.ratio), zero = F::splat(0.0f);
  const Vectors<F> none{zero, zero, zero};
  const F turn_a = turned_about(axis_a, rotation_a, bundle.before_a);
  F gained;
  if constexpr (joint == CoordinateClass::Gear) {
    store_row(none, axis_a, none, axis_b * ratio, row);
    gained = turn_a + turned_about(axis_b, rotation_b, bundle.before_b) * ratio;
  } else {
    // The coordinate of a rack is the travel along `axis_b`, which is fixed to b, minus `ratio`
    // times the rotation of a relative to b. Both bodies get the force at a's anchor, because the
    // axis turns with b. Force and torque together equal a force at the point where pinion and rack
    // mesh.
    const Vectors<F> torque = axis_a * ratio;
    store_row(-axis_b, -cross(arm_a, axis_b) - torque, axis_b,
              cross(arm_b - apart, axis_b) + torque, row);
    const F way = dot(axis_b, apart), turn_b = turned_about(axis_a, rotation_b, bundle.before_b);
    gained = way - F::load(bundle.way_before) - (turn_a - turn_b) * ratio;
    way.store(bundle.way_before);
  }
  const auto was_measured = zero < F::load(bundle.was_measured);
  set_value(view, F::load(row.value) + select(was_measured, gained, zero), row);
  store_rotation(rotation_a, bundle.before_a);
  store_rotation(rotation_b, bundle.before_b);
  F::splat(1.0f).store(bundle.was_measured);
}

/// Measures the two sections of a pulley's rope, each from its fixed point to its anchor. Stores
/// the sections in `axes_a` and `axes_b`, which pulleys do not use otherwise.
template <typename F>
JOSTLE_SIMD_INLINE void measure_pulley(const JointView& view, const Vectors<F>& offset_a,
                                       const Vectors<F>& offset_b, const Vectors<F>& arm_a,
                                       const Vectors<F>& arm_b, CoordinateBundle& bundle) {
  const F zero = F::splat(0.0f), ratio = F::load(bundle.ratio);
  const Vectors<F> none{zero, zero, zero};
  const Vectors<F> rope_a = offset_a + arm_a - Vectors<F>::load(bundle.ground_anchor_a);
  const Vectors<F> rope_b = offset_b + arm_b - Vectors<F>::load(bundle.ground_anchor_b);
  const Vectors<F> along_a = normalized_or(rope_a, none);
  const Vectors<F> along_b = normalized_or(rope_b, none) * ratio;
  rope_a.store(bundle.axes_a);
  rope_b.store(bundle.axes_b);
  store_row(along_a, cross(arm_a, along_a), along_b, cross(arm_b, along_b), bundle.coordinates[0]);
  set_value(view, sqrt_of(dot(rope_a, rope_a)) + sqrt_of(dot(rope_b, rope_b)) * ratio,
            bundle.coordinates[0]);
}

/// Returns M⁻¹Jᵀ of a coordinate: the velocity changes of both bodies by a unit impulse.
template <typename F>
JOSTLE_SIMD_INLINE CoordinateMotion<F> motion_by(const Coordinate& row,
                                                 const Vectors<F>& inverse_mass_a,
                                                 const Vectors<F>& inverse_mass_b,
                                                 const SymmetricMatrices<F>& inverse_inertia_a,
                                                 const SymmetricMatrices<F>& inverse_inertia_b) {
  const auto moved = [](const Vectors<F>& force, const Vectors<F>& inverse_mass) {
    return Vectors<F>{force.x * inverse_mass.x, force.y * inverse_mass.y, force.z * inverse_mass.z};
  };
  return {moved(Vectors<F>::load(row.force_a), inverse_mass_a),
          inverse_inertia_a * Vectors<F>::load(row.torque_a),
          moved(Vectors<F>::load(row.force_b), inverse_mass_b),
          inverse_inertia_b * Vectors<F>::load(row.torque_b)};
}

/// Computes K and sweeps it over the locked coordinates. Stores the result, and the responses and
/// masses that the rows have while the locks hold. `by_mass_a` and `by_mass_b` are the inverse
/// masses of the bodies, 1/kg.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void measure_masses(const F& by_mass_a, const F& by_mass_b,
                                       CoordinateBundle& bundle) {
  // Along locked axes (state/motion_locks.h) the inverse masses are zero.
  const Vectors<F> inverse_mass_a = Vectors<F>::load(bundle.free_a) * by_mass_a;
  const Vectors<F> inverse_mass_b = Vectors<F>::load(bundle.free_b) * by_mass_b;
  constexpr std::size_t count = coordinates_of(joint);
  const auto inertia_a = SymmetricMatrices<F>::load(bundle.inverse_inertia_a);
  const auto inertia_b = SymmetricMatrices<F>::load(bundle.inverse_inertia_b);
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  F swept[triangle_size], alone[count], mass_of_a[count];
  for (std::size_t i = 0; i < count; ++i) {
    const Coordinate& row = bundle.coordinates[i];
    const CoordinateMotion<F> motion =
        motion_by(row, inverse_mass_a, inverse_mass_b, inertia_a, inertia_b);
    for (std::size_t k = i; k < count; ++k)
      swept[triangle_place(i, k)] = speed_of(bundle.coordinates[k], motion);
    alone[i] = swept[triangle_place(i, i)];
    const F by_a = dot(Vectors<F>::load(row.force_a), motion.linear_a) +
                   dot(Vectors<F>::load(row.torque_a), motion.angular_a);
    mass_of_a[i] = select(zero < by_a, one / select(zero < by_a, by_a, one), zero);
  }
  // If other locks already hold a coordinate, its pivot is only a rounding error.
  const F least = F::splat(1e-5f), least_row = F::splat(1e-4f);
  for (std::size_t k = 0; k < count; ++k) {
    const F pivot = swept[triangle_place(k, k)];
    const auto is_held =
        (zero < F::load(bundle.coordinates[k].is_locked)) & (least * alone[k] < pivot);
    const F inverse = select(is_held, one / select(is_held, pivot, one), zero);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i; j < count; ++j) {
        if (i == k || j == k) continue;
        F& entry = swept[triangle_place(i, j)];
        entry = entry - swept[triangle_place(i, k)] * swept[triangle_place(j, k)] * inverse;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      F& entry = swept[triangle_place(i, k)];
      entry = i == k ? select(is_held, -inverse, entry) : select(is_held, entry * inverse, entry);
    }
    select(is_held, one, zero).store(bundle.coordinates[k].is_held);
  }
  for (std::size_t i = 0; i < count; ++i) {
    Coordinate& row = bundle.coordinates[i];
    const F response = swept[triangle_place(i, i)];
    const auto is_free = (F::load(row.is_locked) == zero) & (zero < F::load(row.acts)) &
                         (least_row * alone[i] < response);
    const F mass = select(is_free, one / select(is_free, response, one), zero);
    select(is_free, response, zero).store(row.response);
    mass.store(row.mass);
    const F of = F::load(row.spring_of);
    const F given = select(zero < of, of, select(of < zero, mass_of_a[i], mass));
    select(is_free, select(zero < given, given, mass), zero).store(row.spring_mass);
  }
  for (std::size_t i = 0; i < count * (count + 1) / 2; ++i)
    swept[i].store(bundle.swept[i]);
  if (bundle.locked_lanes == 0) return;
  alignas(32) Lanes of_a, of_b;
  by_mass_a.store(of_a);
  by_mass_b.store(of_b);
  for (std::size_t lane = 0; lane < lane_count; ++lane)
    if ((bundle.locked_lanes >> lane & 1U) != 0)
      sweep_with_locks(bundle, count, lane, of_a[lane], of_b[lane]);
}

/// Scales down the warm-start impulses by share_after_limit and, for six-DOF joints, also by
/// share_after_turning (joint_block.h). The other classes do not need the latter: the pull of a
/// rope, for example, does not turn with the bodies.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void give_up_impulses(const JointView& view, CoordinateBundle& bundle) {
  const BodyRows<F> a = gather<F>(view.velocities, bundle.a);
  const BodyRows<F> b = gather<F>(view.velocities, bundle.b);
  F share = share_after_limit(view, a, b);
  if constexpr (joint == CoordinateClass::SixDof)
    share = share * share_after_turning(a, b, view.substep_seconds);
  if (bits_of(share < F::splat(1.0f)) == 0) return;
  for (std::size_t i = 0; i < coordinates_of(joint); ++i) {
    Coordinate& row = bundle.coordinates[i];
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      (F::load(row.lock_impulse[phase]) * share).store(row.lock_impulse[phase]);
      for (Lanes& impulse : row.impulse[phase])
        (F::load(impulse) * share).store(impulse);
    }
  }
}

/// Measures all coordinates of one bundle at the bodies' current poses.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void measure_coordinate_bundle(const JointView& view, CoordinateBundle& bundle) {
  const BodyRows<F> pose_a = gather<F>(view.poses, bundle.a);
  const BodyRows<F> pose_b = gather<F>(view.poses, bundle.b);
  const Rotations<F> rotation_a{pose_a.first, pose_a.after_first};
  const Rotations<F> rotation_b{pose_b.first, pose_b.after_first};
  JointSide<F> a{rotate(rotation_a, Vectors<F>::load(bundle.local_a)),
                 inverse_inertia_of(gather<F>(view.inertias, bundle.a))};
  const JointSide<F> b{rotate(rotation_b, Vectors<F>::load(bundle.local_b)),
                       inverse_inertia_of(gather<F>(view.inertias, bundle.b))};
  const Vectors<F> apart =
      Vectors<F>::load(bundle.between) + (pose_b.second - pose_a.second) + (b.arm - a.arm);
  a.arm.store(bundle.arm_a);
  b.arm.store(bundle.arm_b);
  apart.store(bundle.apart);
  a.inverse_inertia.store(bundle.inverse_inertia_a);
  b.inverse_inertia.store(bundle.inverse_inertia_b);
  const Rotations<F> frame_a = rotation_a * load_rotation<F>(bundle.frame_a);
  const Rotations<F> frame_b = rotation_b * load_rotation<F>(bundle.frame_b);
  if constexpr (joint == CoordinateClass::SixDof) {
    const Axes<F> axes_a = axes_of(frame_a), axes_b = axes_of(frame_b);
    axes_a.store(bundle.axes_a);
    axes_b.store(bundle.axes_b);
    a.arm = a.arm + allowed_travel(axes_a, apart, bundle);  // the arm to where forces act on a
    measure_six(view, axes_a, axes_b, apart, a.arm, b.arm, bundle);
  } else if constexpr (joint == CoordinateClass::Servo) {
    measure_servo(view, frame_a, frame_b, apart, a.arm, b.arm, bundle);
  } else if constexpr (joint == CoordinateClass::Pulley) {
    measure_pulley(view, pose_a.second, pose_b.second, a.arm, b.arm, bundle);
  } else if constexpr (joint == CoordinateClass::Distance) {
    const F zero = F::splat(0.0f);
    const Vectors<F> along = normalized_or(apart, Vectors<F>{zero, zero, zero});
    store_sliding(along, a.arm, b.arm, bundle.coordinates[0]);
    set_value(view, dot(along, apart), bundle.coordinates[0]);
  } else {
    measure_gear<F, joint>(view, rotation_a, rotation_b, axis_x_of(frame_a), axis_x_of(frame_b),
                           apart, a.arm, b.arm, bundle);
  }
  measure_masses<F, joint>(pose_a.after_second, pose_b.after_second, bundle);
  give_up_impulses<F, joint>(view, bundle);
  // Uses `swings` instead of `keep`: even if the joint alone holds a body, the prediction does not
  // contain the rotation of the body by a spring or rope.
  store_tautness(view, a, response_by_turning(a), bundle.swings, bundle.taut_a);
  store_tautness(view, b, response_by_turning(b), bundle.swings, bundle.taut_b);
}

template <typename F, CoordinateClass joint>
void measure_coordinates(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    CoordinateBundle& bundle = view.coordinates[i];
    if (is_stale(view, bundle.a, bundle.b)) measure_coordinate_bundle<F, joint>(view, bundle);
  }
}

}  // namespace jostle::physics::kernels
