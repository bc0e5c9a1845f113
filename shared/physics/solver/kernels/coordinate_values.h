#pragma once

#include "shared/physics/solver/kernels/joint_block.h"
#include "shared/physics/solver/kernels/measure_joint_rows.h"
#include "shared/physics/solver/kernels/solve_joints_kernel.h"

namespace jostle::physics::kernels {

// The coordinates of joints: their values and Jacobians, and their predicted values after a substep
// (solver/coordinate_solver.h).

/// The velocities of the two bodies of a joint, or the impulses on them.
template <typename F>
struct CoordinateMotion {
  Vectors<F> linear_a, angular_a, linear_b, angular_b;
};
template <typename F>
JOSTLE_SIMD_INLINE CoordinateMotion<F> motion_of(const BodyRows<F>& a, const BodyRows<F>& b) {
  return {a.first, a.second, b.first, b.second};
}

template <typename F>
JOSTLE_SIMD_INLINE F speed_of(const Coordinate& row, const CoordinateMotion<F>& motion) {
  return dot(Vectors<F>::load(row.force_a), motion.linear_a) +
         dot(Vectors<F>::load(row.torque_a), motion.angular_a) +
         dot(Vectors<F>::load(row.force_b), motion.linear_b) +
         dot(Vectors<F>::load(row.torque_b), motion.angular_b);
}

template <typename F>
JOSTLE_SIMD_INLINE void store_row(const Vectors<F>& force_a, const Vectors<F>& torque_a,
                                  const Vectors<F>& force_b, const Vectors<F>& torque_b,
                                  Coordinate& row) {
  force_a.store(row.force_a);
  torque_a.store(row.torque_a);
  force_b.store(row.force_b);
  torque_b.store(row.torque_b);
}

/// Stores the Jacobian row of a translation along `direction`. The force acts on each body at the
/// end of its arm.
template <typename F>
JOSTLE_SIMD_INLINE void store_sliding(const Vectors<F>& direction, const Vectors<F>& arm_a,
                                      const Vectors<F>& arm_b, Coordinate& row) {
  store_row(-direction, -cross(arm_a, direction), direction, cross(arm_b, direction), row);
}
template <typename F>
JOSTLE_SIMD_INLINE void store_turning(const Vectors<F>& direction, Coordinate& row) {
  const F zero = F::splat(0.0f);
  const Vectors<F> none{zero, zero, zero};
  store_row(none, -direction, none, direction, row);
}

template <typename F>
JOSTLE_SIMD_INLINE void set_value(const JointView& view, const F& value, Coordinate& row) {
  note_value(view, value, row.value, row.value_before);
}

/// Returns `angle`. One full turn is added or subtracted if that brings it nearer to `middle`.
template <typename F>
JOSTLE_SIMD_INLINE F nearest_turn(const F& angle, const F& middle) {
  const F pi = F::splat(math::pi), circle = F::splat(2.0f * math::pi);
  const F down = select(pi < angle - middle, angle - circle, angle);
  return select(pi < middle - down, down + circle, down);
}
template <typename F>
JOSTLE_SIMD_INLINE F middle_of(const Coordinate& row) {
  const F lower = F::load(row.lower), upper = F::load(row.upper), far = F::splat(1e29f);
  const auto is_bounded = (-far < lower) & (upper < far);
  return select(is_bounded, (lower + upper) * F::splat(0.5f), F::load(row.rest));
}

template <typename F>
struct Axes {
  Vectors<F> x, y, z;

  JOSTLE_SIMD_INLINE static Axes load(const float (*rows)[8]) {
    return {Vectors<F>::load(rows), Vectors<F>::load(rows + 3), Vectors<F>::load(rows + 6)};
  }
  JOSTLE_SIMD_INLINE void store(float (*rows)[8]) const {
    x.store(rows);
    y.store(rows + 3);
    z.store(rows + 6);
  }
};
template <typename F>
JOSTLE_SIMD_INLINE Axes<F> axes_of(const Rotations<F>& q) {
  return {axis_x_of(q), axis_y_of(q), axis_z_of(q)};
}

/// Jacobian directions of the three angles of a joint: the rate of an angle is the dot product of
/// its direction with the relative angular velocity ω. With the rates α̇, β̇, γ̇ of the angles, ω =
/// α̇·x + β̇·y + γ̇·z. Here x is the x axis of frame a, z the z axis of frame b, and y is
/// perpendicular to both. The directions are the dual basis of x, y, z. If the second angle is
/// within 3° of ±90° (gimbal lock), the directions of the first and third angle are undefined and
/// set to zero.
template <typename F>
struct TurningAxes {
  Vectors<F> first, second, third;
};
template <typename F>
JOSTLE_SIMD_INLINE TurningAxes<F> turning_axes(const Axes<F>& a, const Axes<F>& b) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const Vectors<F> across = cross(b.z, a.x);
  const F cosine = sqrt_of(dot(across, across));
  const auto is_clear = F::splat(0.05f) < cosine;
  const F inverse = select(is_clear, one / select(is_clear, cosine, one), zero);
  const Vectors<F> second = normalized_or(across, a.y);
  return {cross(second, b.z) * inverse, second, cross(a.x, second) * inverse};
}

/// The numerator y and denominator x of the angle atan2(y, x) that a coordinate measures.
template <typename F>
struct PlaneAngle {
  F y, x;
};
template <typename F>
JOSTLE_SIMD_INLINE PlaneAngle<F> first_angle(const Axes<F>& a, const Axes<F>& b) {
  return {-dot(a.y, b.z), dot(a.z, b.z)};
}
template <typename F>
JOSTLE_SIMD_INLINE PlaneAngle<F> third_angle(const Axes<F>& a, const Axes<F>& b) {
  return {-dot(a.x, b.y), dot(a.x, b.x)};
}
template <typename F>
JOSTLE_SIMD_INLINE PlaneAngle<F> second_angle(const Axes<F>& a, const Axes<F>& b) {
  const PlaneAngle<F> third = third_angle(a, b);
  return {dot(a.x, b.z), sqrt_of(third.x * third.x + third.y * third.y)};
}

// The rates that the functions below return are changes over the substep h, divided by h.

/// Returns the rate at which the vector `v`, which is fixed to a body, changes as the body rotates.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turned_rate(const Vectors<F>& angular, const Vectors<F>& v, float h) {
  return cross(angular, v) + turning(angular, v, h);
}
template <typename F>
JOSTLE_SIMD_INLINE Axes<F> turned_rates(const Vectors<F>& angular, const Axes<F>& axes, float h) {
  return {turned_rate(angular, axes.x, h), turned_rate(angular, axes.y, h),
          turned_rate(angular, axes.z, h)};
}
/// Returns the rate of a·b, from the rates of both vectors.
template <typename F>
JOSTLE_SIMD_INLINE F dot_rate(const Vectors<F>& a, const Vectors<F>& rate_a, const Vectors<F>& b,
                              const Vectors<F>& rate_b, float h) {
  return dot(rate_a, b + rate_b * F::splat(h)) + dot(a, rate_b);
}
/// Returns the rate of |v|, computed as a difference of squares.
template <typename F>
JOSTLE_SIMD_INLINE F length_rate(const Vectors<F>& v, const Vectors<F>& rate, float h) {
  const Vectors<F> then = v + rate * F::splat(h);
  const F sum = sqrt_of(dot(then, then)) + sqrt_of(dot(v, v));
  const auto is_long = F::splat(tiny) < sum;
  return select(is_long, dot(then + v, rate) / select(is_long, sum, F::splat(1.0f)),
                F::splat(0.0f));
}
/// Returns the rate of a plane angle from the rates of its y and x.
template <typename F>
JOSTLE_SIMD_INLINE F angle_rate(const PlaneAngle<F>& angle, const F& y_rate, const F& x_rate,
                                float h) {
  const F step = F::splat(h);
  // sine of the change, divided by h, not normalised
  const F sine = angle.x * y_rate - angle.y * x_rate;
  const F cosine = angle.x * (angle.x + x_rate * step) + angle.y * (angle.y + y_rate * step);
  return simd::atan2(sine * step, cosine) * F::splat(1.0f / h);
}

/// Returns the mean velocity of an anchor over a substep, including the half kick and the rotation
/// of its arm.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> anchor_rate(const Vectors<F>& linear, const Vectors<F>& angular,
                                          const Lanes (&arm)[3], const Lanes (&drift)[3], float h) {
  return linear + Vectors<F>::load(drift) + turned_rate(angular, Vectors<F>::load(arm), h);
}

/// Computes (x₊ − x)/h of all coordinates of a joint, where x₊ is the predicted value at the end of
/// the substep. For servos, gears and racks this is J·v, without a prediction.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void predict_speeds(const CoordinateBundle& bundle,
                                       const CoordinateMotion<F>& motion, float h,
                                       F (&speeds)[coordinates_of(joint)]) {
  if constexpr (joint == CoordinateClass::SixDof || joint == CoordinateClass::Pulley ||
                joint == CoordinateClass::Distance) {
    const Vectors<F> rate_a =
        anchor_rate(motion.linear_a, motion.angular_a, bundle.arm_a, bundle.drift_a, h);
    const Vectors<F> rate_b =
        anchor_rate(motion.linear_b, motion.angular_b, bundle.arm_b, bundle.drift_b, h);
    const Vectors<F> apart = Vectors<F>::load(bundle.apart), rate = rate_b - rate_a;
    if constexpr (joint == CoordinateClass::Distance) {
      speeds[0] = length_rate(apart, rate, h);
    } else if constexpr (joint == CoordinateClass::Pulley) {
      const Vectors<F> rope_a = Vectors<F>::load(bundle.axes_a);
      const Vectors<F> rope_b = Vectors<F>::load(bundle.axes_b);
      speeds[0] =
          length_rate(rope_a, rate_a, h) + length_rate(rope_b, rate_b, h) * F::load(bundle.ratio);
    } else {
      const Axes<F> a = Axes<F>::load(bundle.axes_a), b = Axes<F>::load(bundle.axes_b);
      const Axes<F> da = turned_rates(motion.angular_a, a, h);
      const Axes<F> db = turned_rates(motion.angular_b, b, h);
      speeds[0] = dot_rate(a.x, da.x, apart, rate, h);
      speeds[1] = dot_rate(a.y, da.y, apart, rate, h);
      speeds[2] = dot_rate(a.z, da.z, apart, rate, h);
      speeds[3] = angle_rate(first_angle(a, b), -dot_rate(a.y, da.y, b.z, db.z, h),
                             dot_rate(a.z, da.z, b.z, db.z, h), h);
      // The rate of cos β, computed as a difference of squares.
      const PlaneAngle<F> second = second_angle(a, b), third = third_angle(a, b);
      const F y_rate = -dot_rate(a.x, da.x, b.y, db.y, h),
              x_rate = dot_rate(a.x, da.x, b.x, db.x, h);
      const F zero = F::splat(0.0f);
      const F cosine_rate =
          length_rate(Vectors<F>{third.x, third.y, zero}, Vectors<F>{x_rate, y_rate, zero}, h);
      speeds[4] = angle_rate(second, dot_rate(a.x, da.x, b.z, db.z, h), cosine_rate, h);
      speeds[5] = angle_rate(third, y_rate, x_rate, h);
    }
  } else {
    for (std::size_t i = 0; i < coordinates_of(joint); ++i)
      speeds[i] = speed_of(bundle.coordinates[i], motion);
  }
}

/// Computes the predicted part of the speeds of the coordinates: the result of `predict_speeds`
/// minus `speeds`. The axes of a six-DOF joint turn with a body. The prediction therefore contains
/// a term h·ω × v, where v is the relative velocity of the anchors before the solver has corrected
/// it. For six-DOF joints the prediction, except for the half kick, thus fades out if a body turns
/// far (share_predicted).
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void look_ahead(const CoordinateBundle& bundle,
                                   const CoordinateMotion<F>& motion,
                                   const F (&speeds)[coordinates_of(joint)], float h,
                                   F (&ahead)[coordinates_of(joint)]) {
  constexpr std::size_t count = coordinates_of(joint);
  predict_speeds<F, joint>(bundle, motion, h, ahead);
  for (std::size_t i = 0; i < count; ++i)
    ahead[i] = ahead[i] - speeds[i];
  if constexpr (joint == CoordinateClass::SixDof) {
    const F half = F::splat(0.5f * h), one = F::splat(1.0f);
    const Vectors<F> half_a = motion.angular_a * half, half_b = motion.angular_b * half;
    const F share = share_predicted(max_of(dot(half_a, half_a), dot(half_b, half_b)));
    const auto fades = share < one;
    if (bits_of(fades) == 0) return;
    const F zero = F::splat(0.0f);
    const Vectors<F> none{zero, zero, zero};
    const CoordinateMotion<F> kick{Vectors<F>::load(bundle.drift_a), none,
                                   Vectors<F>::load(bundle.drift_b), none};
    for (std::size_t i = 0; i < count; ++i) {
      const F kept = speed_of(bundle.coordinates[i], kick);
      ahead[i] = select(fades, kept + (ahead[i] - kept) * share, ahead[i]);
    }
  }
}

}  // namespace jostle::physics::kernels
