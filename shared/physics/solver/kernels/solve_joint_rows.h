#pragma once

#include "shared/physics/solver/kernels/ball_friction_kernel.h"
#include "shared/physics/solver/kernels/joint_block.h"
#include "shared/physics/solver/kernels/joint_view.h"

namespace jostle::physics::kernels {

// Scalar rows of a joint, solved by their total impulse λ. Each impulse of a row is applied
// together with the block's response, so that the block's constraints stay satisfied. The effective
// mass of the row includes this response. In the table, u is the speed along the row's direction
// after the block and the preceding rows have acted, and x is the value. `error` is the distance to
// the bound, negative beyond it, and h is the substep.
//
//   Limit:   u ≥ −error/h before the bound is reached, λ ≥ 0.
//   Motor:   u = speed, or the speed that reaches a limit; |λ of both phases| ≤ h·max_force.
//   Spring:  λ = −mass·(damping·u + rate·(x − rest)), u after the impulse, see joint_springs.h.
//
// A value beyond its limit is corrected softly. In the biased solve, the motor of bodies in free
// flight may apply only half of its maximum impulse. A constant acceleration a by the motor then
// moves the bodies by ½h²·a, as gravity does. The bounds of limits and motors apply to the impulses
// of both phases together.

/// Maximum speed at which a value beyond its limit is corrected.
inline constexpr float max_limit_push_speed = 4.0f;  // m/s or rad/s

/// State of a row while it is solved: its effective mass and its total impulse in this phase. In
/// the relax phase, `other` is the row's impulse in the preceding biased solve; in the biased solve
/// it is 0.
template <typename F>
struct RowState {
  F mass, total, other;
};

/// Returns the new total impulse of a limit. `error` is the distance to the bound, negative beyond
/// it; `speed` is positive away from the bound.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_limit(const JointView& view, const RowState<F>& row, const F& error,
                                 const F& speed) {
  const F zero = F::splat(0.0f), rate = F::splat(1.0f / view.substep_seconds);
  const F wanted_ahead = row.total - row.mass * (speed + max_of(error, zero) * rate);
  if constexpr (phase == RelaxPhase) return max_of(wanted_ahead, -row.other);
  const Softness& soft = view.limit_softness;
  const F push = max_of(error * F::splat(soft.bias_rate), F::splat(-max_limit_push_speed));
  const F wanted_behind = row.total - row.mass * F::splat(soft.mass_scale) * (speed + push) -
                          F::splat(soft.impulse_scale) * row.total;
  return max_of(select(zero < error, wanted_ahead, wanted_behind), zero);
}

/// Returns the highest speed towards a bound that the limit allows, at the distance `error`.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F speed_to_limit(const JointView& view, const F& error) {
  const F zero = F::splat(0.0f);
  const F ahead = max_of(error, zero) * F::splat(1.0f / view.substep_seconds);
  if constexpr (phase == RelaxPhase) return ahead;
  const F behind =
      max_of(error * F::splat(view.limit_softness.bias_rate), F::splat(-max_limit_push_speed));
  return select(zero < error, ahead, behind);
}

/// Returns the speed at which a motor drives a row: `wanted`, but no faster than the limits allow.
/// If motor and limit pulled against each other instead, their impulses would grow from pass to
/// pass, and the softness of the limit would turn a share of them into motion.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F driven_speed(const JointView& view, const F& wanted, const F& value,
                                  const F& lower, const F& upper) {
  const F most = speed_to_limit<F, phase>(view, upper - value);
  return max_of(min_of(wanted, most), -speed_to_limit<F, phase>(view, value - lower));
}

template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_motor(const JointView& view, const JointAxis& axis,
                                 const RowState<F>& row, const F& speed) {
  const F most = F::load(phase == HoldPhase ? axis.motor_hold_impulse : axis.motor_impulse);
  const F target = driven_speed<F, phase>(view, F::load(axis.motor_speed), F::load(axis.value),
                                          F::load(axis.lower), F::load(axis.upper));
  const F wanted = row.total - row.mass * (speed - target);
  return max_of(min_of(wanted, most - row.other), -most - row.other);
}

template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_spring(const JointView& view, const JointAxis& axis,
                                  const RowState<F>& row, const F& speed) {
  const F value = F::load(axis.value), damping = F::load(axis.spring_damping);
  const F pull = F::load(axis.spring_rate) * (value - F::load(axis.rest));
  if constexpr (phase == RelaxPhase) {
    const F speed_between =
        (value - F::load(axis.value_before)) * F::splat(1.0f / view.substep_seconds);
    return -(F::load(axis.spring_relaxes) * row.mass * (damping * speed_between + pull));
  }
  // λ₊ = −mass·(damping·(u + (λ₊ − λ)/mass) + pull)
  return (damping * row.total - row.mass * (damping * speed + pull)) / (F::splat(1.0f) + damping);
}

/// Solves all rows along or about the axis, one after the other, and returns the change of their
/// total impulse. `speed` is the speed along the direction, after the block.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_axis(const JointView& view, JointAxis& axis, F speed) {
  const F response = F::load(axis.row.response);
  F sum = F::splat(0.0f);
  RowState<F> row;
  row.mass = F::load(axis.row.mass);
  const auto begin = [&](JointRowKind kind) {
    const auto i = static_cast<std::size_t>(kind);
    row.total = F::load(axis.impulse[phase][i]);
    row.other = phase == RelaxPhase ? F::load(axis.impulse[HoldPhase][i]) : F::splat(0.0f);
  };
  const auto change_to = [&](JointRowKind kind, const F& total) {
    total.store(axis.impulse[phase][static_cast<std::size_t>(kind)]);
    const F change = kind == JointRowKind::Upper ? row.total - total : total - row.total;
    speed = speed + response * change;
    sum = sum + change;
  };
  begin(JointRowKind::Spring);
  change_to(JointRowKind::Spring, solve_spring<F, phase>(view, axis, row, speed));
  begin(JointRowKind::Motor);
  change_to(JointRowKind::Motor, solve_motor<F, phase>(view, axis, row, speed));
  const F value = F::load(axis.value);
  begin(JointRowKind::Lower);
  change_to(JointRowKind::Lower,
            solve_limit<F, phase>(view, row, value - F::load(axis.lower), speed));
  begin(JointRowKind::Upper);
  change_to(JointRowKind::Upper,
            solve_limit<F, phase>(view, row, F::load(axis.upper) - value, -speed));
  return sum;
}

template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_cone(const JointView& view, JointConeRow& cone, const F& speed) {
  const RowState<F> row{F::load(cone.row.mass), F::load(cone.impulse[phase]),
                        phase == RelaxPhase ? F::load(cone.impulse[HoldPhase]) : F::splat(0.0f)};
  const F total = solve_limit<F, phase>(view, row, F::load(cone.error), speed);
  total.store(cone.impulse[phase]);
  return total - row.total;
}

/// Returns the change of a row's speed by the block's impulse.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE F felt_by(const JointDirection& row, const JointImpulse<F>& block) {
  const F by_force = dot(Vectors<F>::load(row.anchors), block.linear);
  if constexpr (!holds_rotation(joint)) return by_force;
  return by_force + dot(Vectors<F>::load(row.turns), block.angular);
}

/// Adds the block's response to a row's impulse to `block`.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void answer_row(const JointDirection& row, const F& impulse,
                                   JointImpulse<F>& block) {
  block.linear = block.linear + Vectors<F>::load(row.answer_linear) * impulse;
  if constexpr (holds_rotation(joint)) {
    block.angular = block.angular + Vectors<F>::load(row.answer_angular) * impulse;
  }
}

/// Solves the rows for the velocities after the block's impulse `block`. Adds the block's responses
/// to `block`, and returns the sum of the rows' impulses. `anchors` and `turns` are e_p and e_t
/// without `block`.
template <typename F, JointClass joint, JointPhase phase>
JOSTLE_SIMD_INLINE JointImpulse<F> solve_rows(const JointView& view, JointBundle& bundle,
                                              const Vectors<F>& anchors, const Vectors<F>& turns,
                                              JointImpulse<F>& block) {
  const F zero = F::splat(0.0f);
  JointImpulse<F> sum{{zero, zero, zero}, {zero, zero, zero}};
  Vectors<F> turning = turns, rubbed{zero, zero, zero};
  if constexpr (has_cone(joint)) rubbed = solve_friction<F, phase>(bundle, turning, block);
  const JointImpulse<F> before = block;
  JointAxis& axis = bundle.axis;
  const Vectors<F> direction = Vectors<F>::load(axis.row.direction);
  const F speed = dot(direction, has_turning_axis(joint) ? turning : anchors);
  const F along = solve_axis<F, phase>(view, axis, speed + felt_by<F, joint>(axis.row, before));
  answer_row<F, joint>(axis.row, along, block);
  (has_turning_axis(joint) ? sum.angular : sum.linear) = direction * along;
  if constexpr (has_cone(joint)) {
    JointConeRow& cone = bundle.cone;
    const Vectors<F> about = Vectors<F>::load(cone.row.direction);
    const F swing =
        dot(about, turning) + felt_by<F, joint>(cone.row, before) + F::load(cone.coupling) * along;
    const F back = solve_cone<F, phase>(view, cone, swing);
    answer_row<F, joint>(cone.row, back, block);
    sum.angular = sum.angular + about * back;
    add_friction(bundle, rubbed, sum.angular);
  }
  return sum;
}

}  // namespace jostle::physics::kernels
