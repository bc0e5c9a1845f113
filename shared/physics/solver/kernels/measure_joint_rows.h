#pragma once

#include "shared/math/trig.h"
#include "shared/physics/solver/kernels/ball_friction_kernel.h"
#include "shared/physics/solver/kernels/body_kernels.h"
#include "shared/physics/solver/kernels/joint_block.h"
#include "shared/simd/trig_lanes.h"

namespace jostle::physics::kernels {

/// The two frames of a joint in the world, and their x axes.
template <typename F>
struct JointFrames {
  Rotations<F> a, b;
  Vectors<F> axis_a, axis_b;
};

// axis_x_of, axis_y_of and axis_z_of return the columns of the rotation matrix of `q`.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> axis_x_of(const Rotations<F>& q) {
  const F y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
  return {F::splat(1.0f) - (q.v.y * y2 + q.v.z * z2), q.v.x * y2 + q.w * z2, q.v.x * z2 - q.w * y2};
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> axis_y_of(const Rotations<F>& q) {
  const F x2 = q.v.x + q.v.x, y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
  return {q.v.x * y2 - q.w * z2, F::splat(1.0f) - (q.v.x * x2 + q.v.z * z2), q.v.y * z2 + q.w * x2};
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> axis_z_of(const Rotations<F>& q) {
  const F x2 = q.v.x + q.v.x, y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
  return {q.v.x * z2 + q.w * y2, q.v.y * z2 - q.w * x2, F::splat(1.0f) - (q.v.x * x2 + q.v.y * y2)};
}

template <typename F>
JOSTLE_SIMD_INLINE JointFrames<F> find_frames(const JointBundle& bundle,
                                              const Rotations<F>& rotation_a,
                                              const Rotations<F>& rotation_b) {
  const auto load = [](const float(*rows)[8]) {
    return Rotations<F>{Vectors<F>::load(rows), F::load(rows[3])};
  };
  JointFrames<F> frames;
  frames.a = rotation_a * load(bundle.frame_a);
  frames.b = rotation_b * load(bundle.frame_b);
  frames.axis_a = axis_x_of(frames.a);
  frames.axis_b = axis_x_of(frames.b);
  return frames;
}

/// Returns the unit vector along v, or `fallback` if v is too short to have a direction.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> normalized_or(const Vectors<F>& v, const Vectors<F>& fallback) {
  const F squared = dot(v, v), one = F::splat(1.0f);
  const auto is_long = F::splat(1e-30f) < squared;
  return select(is_long, v * (one / sqrt_of(select(is_long, squared, one))), fallback);
}

/// Returns the impulse that the rows along or about the axis apply together in a phase.
template <typename F>
JOSTLE_SIMD_INLINE F axis_impulse(const JointAxis& axis, std::size_t phase) {
  const auto load = [&](JointRowKind kind) {
    return F::load(axis.impulse[phase][static_cast<std::size_t>(kind)]);
  };
  return load(JointRowKind::Motor) + load(JointRowKind::Spring) + load(JointRowKind::Lower) -
         load(JointRowKind::Upper);
}

/// Returns the impulse that all rows of a joint apply together in a phase.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointImpulse<F> row_impulse(const JointBundle& bundle, std::size_t phase) {
  const F zero = F::splat(0.0f);
  JointImpulse<F> sum{{zero, zero, zero}, {zero, zero, zero}};
  if constexpr (joint.has_rows) {
    const Vectors<F> along =
        Vectors<F>::load(bundle.axis.row.direction) * axis_impulse<F>(bundle.axis, phase);
    (has_turning_axis(joint) ? sum.angular : sum.linear) = along;
  }
  if constexpr (has_cone(joint)) {
    sum.angular = sum.angular +
                  Vectors<F>::load(bundle.cone.row.direction) * F::load(bundle.cone.impulse[phase]);
    add_friction(bundle, Vectors<F>::load(bundle.angular[phase]), sum.angular);
  }
  return sum;
}

/// Stores a row and the block's response to it. A unit impulse of the row, without the block's
/// response, changes the row's speed by `alone`, and the velocities e_p and e_t by `anchors` and
/// `turns`.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void store_direction(const Vectors<F>& direction, const F& alone,
                                        const Vectors<F>& anchors, const Vectors<F>& turns,
                                        const BlockMasses<F>& masses, JointDirection& row) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const JointImpulse<F> answer = block_answer<F, joint>(masses, anchors, turns);
  const F together = alone + dot(anchors, answer.linear) + dot(turns, answer.angular);
  // If the block constrains this direction itself, `together` is only a rounding error.
  const auto is_free = F::splat(1e-4f) * alone < together;
  direction.store(row.direction);
  anchors.store(row.anchors);
  turns.store(row.turns);
  answer.linear.store(row.answer_linear);
  answer.angular.store(row.answer_angular);
  select(is_free, together, zero).store(row.response);
  select(is_free, one / select(is_free, together, one), zero).store(row.mass);
}

/// Stores a row that acts about `direction`.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void store_turning_row(const Vectors<F>& direction, const JointSide<F>& a,
                                          const JointSide<F>& b, const BlockMasses<F>& masses,
                                          JointDirection& row) {
  const Vectors<F> turn_a = a.inverse_inertia * direction, turn_b = b.inverse_inertia * direction;
  const Vectors<F> turns = turn_a + turn_b;
  store_direction<F, joint>(direction, dot(direction, turns),
                            cross(turn_a, a.arm) + cross(turn_b, b.arm), turns, masses, row);
}

/// Stores a row that acts along `direction` at the anchors.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void store_sliding_row(const Vectors<F>& direction,
                                          const Vectors<F>& inverse_mass, const JointSide<F>& a,
                                          const JointSide<F>& b, const BlockMasses<F>& masses,
                                          JointDirection& row) {
  const Vectors<F> turn_a = a.inverse_inertia * cross(a.arm, direction);
  const Vectors<F> turn_b = b.inverse_inertia * cross(b.arm, direction);
  const Vectors<F> pushed{direction.x * inverse_mass.x, direction.y * inverse_mass.y,
                          direction.z * inverse_mass.z};
  const Vectors<F> anchors = pushed + cross(turn_a, a.arm) + cross(turn_b, b.arm);
  store_direction<F, joint>(direction, dot(direction, anchors), anchors, turn_a + turn_b, masses,
                            row);
}

/// Returns the angle of frame b relative to frame a about x. One full turn is added or subtracted
/// if that brings it nearer to `middle`.
template <typename F>
JOSTLE_SIMD_INLINE F twist_angle(const JointFrames<F>& frames, const F& middle) {
  const Rotations<F> turned = conjugate(frames.a) * frames.b;
  const F zero = F::splat(0.0f), pi = F::splat(math::pi), circle = F::splat(2.0f * math::pi);
  const auto is_far = turned.w < zero;
  const F half =
      simd::atan2(select(is_far, -turned.v.x, turned.v.x), select(is_far, -turned.w, turned.w));
  F angle = half + half;
  angle = select(pi < angle - middle, angle - circle, angle);
  return select(pi < middle - angle, angle + circle, angle);
}

/// Returns the direction d = (x_a + x_b) / (1 + x_a·x_b) of the twist row. The rate of the twist
/// angle of the swing-twist decomposition is ω·d. The twist of opposite axes is undefined. If the x
/// axes of the two frames are more than 139° apart, d is therefore zero and no twist row acts.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> twist_direction(const JointFrames<F>& frames) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F share = one + dot(frames.axis_a, frames.axis_b);
  const auto has_twist = F::splat(0.25f) < share;
  const F scale = select(has_twist, one / select(has_twist, share, one), zero);
  return (frames.axis_a + frames.axis_b) * scale;
}

/// Measures the cone row of a ball joint, and its coupling to the twist row `axis`.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void measure_cone(const JointFrames<F>& frames, const JointSide<F>& a,
                                     const JointSide<F>& b, const BlockMasses<F>& masses,
                                     const JointDirection& axis, JointConeRow& cone) {
  const Vectors<F> across = cross(frames.axis_b, frames.axis_a);
  const Vectors<F> direction = normalized_or(across, axis_y_of(frames.a));
  store_turning_row<F, joint>(direction, a, b, masses, cone.row);
  const F swing = simd::atan2(sqrt_of(dot(across, across)), dot(frames.axis_a, frames.axis_b));
  (F::load(cone.angle) - swing).store(cone.error);
  (dot(direction, Vectors<F>::load(axis.turns)) +
   dot(Vectors<F>::load(cone.row.anchors), Vectors<F>::load(axis.answer_linear)))
      .store(cone.coupling);
}

/// Stores the current value in `value`, and the value one substep ago in `before`. A change by
/// position correction does not count as motion, so it is added to both values.
template <typename F>
JOSTLE_SIMD_INLINE void note_value(const JointView& view, const F& now, Lanes& value,
                                   Lanes& before) {
  const F was = F::load(value);
  if (view.mending.is_on) {
    const F then = F::load(before);
    select(now == was, then, then + (now - was)).store(before);
  } else {
    was.store(before);
  }
  now.store(value);
}

template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void measure_rows(const JointView& view, const JointFrames<F>& frames,
                                     const Vectors<F>& apart, const Vectors<F>& rod,
                                     const Vectors<F>& inverse_mass, const JointSide<F>& a,
                                     const JointSide<F>& b, const BlockMasses<F>& masses,
                                     JointBundle& bundle) {
  JointAxis& axis = bundle.axis;
  F value;
  if constexpr (has_turning_axis(joint)) {
    store_turning_row<F, joint>(twist_direction(frames), a, b, masses, axis.row);
    value = twist_angle(frames, F::load(axis.middle));
  } else {
    const Vectors<F>& direction = joint.kind == JointKind::Slider ? frames.axis_a : rod;
    store_sliding_row<F, joint>(direction, inverse_mass, a, b, masses, axis.row);
    value = dot(direction, apart);
  }
  note_value(view, value, axis.value, axis.value_before);
  if constexpr (has_cone(joint)) {
    measure_cone<F, joint>(frames, a, b, masses, axis.row, bundle.cone);
  }
}

}  // namespace jostle::physics::kernels
