#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/contact_frame.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/kernels/lock_kernel.h"
#include "shared/physics/solver/kernels/measure_joint_rows.h"
#include "shared/physics/solver/kernels/solve_joint_rows.h"

namespace jostle::physics::kernels {

/// Returns the mean velocity of the end of `arm` over the substep, due to the rotation of its body,
/// minus ω × r. The body turns by the angle θ = h·|ω| (body_kernels.h), so the end moves by sin
/// θ/θ·(h·ω × r) + (1 − cos θ)/θ²·(h·ω × (h·ω × r)). Both factors are computed by their series in
/// s² = θ²/4. If θ is large, the result fades out (share_predicted).
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turning(const Vectors<F>& angular, const Vectors<F>& arm, float h) {
  const Vectors<F> half = angular * F::splat(0.5f * h);
  const F one = F::splat(1.0f), squared = dot(half, half);
  const F s2 = min_of(squared, one);  // above 1 the prediction is zero
  const F shorter = s2 * (F::splat(2.0f / 3.0f) - s2 * F::splat(2.0f / 15.0f));  // 1 − sin θ/θ
  const F bent =  // 2·(1 − cos θ)/θ²
      one - s2 * (F::splat(1.0f / 3.0f) - s2 * F::splat(2.0f / 45.0f));
  const Vectors<F> straight = cross(angular, arm);
  return (cross(half, straight) * bent - straight * shorter) * share_predicted(squared);
}

/// Returns the change of a body's angular velocity by its gyroscopic torque, −I⁻¹(ω × L), until the
/// middle of the substep. It is zero in lanes where `is_alone` is false: if other constraints hold
/// the bodies as well, their impulses will change ω by more than this.
template <typename F, typename Mask>
JOSTLE_SIMD_INLINE Vectors<F> gyration(const JointView& view, const std::uint32_t (&index)[8],
                                       const JointSide<F>& side, const Vectors<F>& angular,
                                       const Mask& is_alone) {
  const F zero = F::splat(0.0f), half_step = F::splat(-0.5f * view.substep_seconds);
  const BodyRows<F> momentum = gather<F>(view.momenta, index);
  const auto acts = is_alone & (zero < momentum.after_first);
  const Vectors<F> half = angular * half_step;
  const Vectors<F> change =
      side.inverse_inertia * (cross(half, momentum.first)) * share_predicted(dot(half, half));
  return select(acts, change, Vectors<F>{zero, zero, zero});
}

/// Relative velocities of a joint's bodies: `anchors` is e_p, the velocity of b's anchor relative
/// to a's, and `turns` is e_t, the relative angular velocity (solver/joint_solver.h).
template <typename F>
struct JointSpeed {
  Vectors<F> anchors, turns;
};
template <typename F>
JOSTLE_SIMD_INLINE JointSpeed<F> speed_of(const JointSide<F>& side_a, const JointSide<F>& side_b,
                                          const BodyRows<F>& a, const BodyRows<F>& b) {
  return {(b.first + cross(b.second, side_b.arm)) - (a.first + cross(a.second, side_a.arm)),
          b.second - a.second};
}

/// Returns the change of the anchors' relative velocity within the substep by rotation of the
/// allowed direction. This is the axis of a slider, or the line between the anchors of a distance
/// joint. `speed` is the anchors' current relative velocity e_p.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE Vectors<F> sliding(const JointBundle& bundle, const Vectors<F>& angular_a,
                                      const Vectors<F>& speed, float h) {
  const F step = F::splat(h), zero = F::splat(0.0f);
  // For a slider the axis turns with body a. The Coriolis acceleration of motion along the axis is
  // 2ω×v; the prediction for the turning arm already contains half of it.
  if constexpr (joint.kind == JointKind::Slider) {
    const Vectors<F> half = angular_a * F::splat(0.5f * h);
    return cross(angular_a, speed) * (-step * share_predicted(dot(half, half)));
  }
  // Lengthening of the rod beyond first order, |p + h·v| − |p| − h·n·v, with p = `apart`, v =
  // `speed` and n = p/|p|. It is computed as a difference of squares. It is not zero, because the
  // velocity across the rod also moves the anchors apart.
  const Vectors<F> apart = Vectors<F>::load(bundle.apart);
  const Vectors<F> n = normalized_or(apart, Vectors<F>{zero, zero, zero});
  const F along = dot(n, speed);
  const Vectors<F> across = speed - n * along;
  const Vectors<F> then = apart + speed * step;
  const F sum = sqrt_of(dot(then, then)) + sqrt_of(dot(apart, apart)) + along * step;
  const auto is_long = F::splat(tiny) < sum;
  const F way = dot(across, across) * step, one = F::splat(1.0f);
  const F ahead = way / select(is_long, sum, one);
  const F squared = dot(apart, apart), least = F::splat(tiny);
  // Squared half angle of the rod's turn.
  const F turned = way * F::splat(0.25f * h) / max_of(squared, least);
  return n * select(is_long, ahead * share_predicted(turned), zero);
}

/// Predicts the difference between the mean relative velocities over the substep and e_p, e_t. It
/// contains the half kick of bodies in free flight, the rotation of arms and axes, and the
/// gyroscopic change of ω. `speed` is e_p.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointSpeed<F> look_ahead(const JointView& view, const JointBundle& bundle,
                                            const JointSide<F>& side_a, const JointSide<F>& side_b,
                                            const BodyRows<F>& a, const BodyRows<F>& b,
                                            const Vectors<F>& speed) {
  const float h = view.substep_seconds;
  const F zero = F::splat(0.0f);
  Vectors<F> angular_a = a.second, angular_b = b.second;
  JointSpeed<F> ahead{Vectors<F>::load(bundle.drift), {zero, zero, zero}};
  const auto is_alone = F::load(bundle.keep) == zero;
  if (bits_of(is_alone) != 0) {
    const Vectors<F> gyration_a = gyration(view, bundle.a, side_a, angular_a, is_alone);
    const Vectors<F> gyration_b = gyration(view, bundle.b, side_b, angular_b, is_alone);
    angular_a = angular_a + gyration_a;
    angular_b = angular_b + gyration_b;
    ahead.anchors = ahead.anchors + cross(gyration_b, side_b.arm) - cross(gyration_a, side_a.arm);
    ahead.turns = gyration_b - gyration_a;
  }
  ahead.anchors =
      ahead.anchors + turning(angular_b, side_b.arm, h) - turning(angular_a, side_a.arm, h);
  if constexpr (joint.kind == JointKind::Slider || joint.kind == JointKind::Distance) {
    ahead.anchors = ahead.anchors + sliding<F, joint>(bundle, a.second, speed, h);
  }
  return ahead;
}

/// Applies an impulse to the bodies, and adds the impulse to the bundle's sums for the step.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE void act(const JointView& view, const JointImpulse<F>& impulse,
                            const JointSide<F>& side_a, const JointSide<F>& side_b, BodyRows<F>& a,
                            BodyRows<F>& b, JointBundle& bundle) {
  apply(impulse, side_a, side_b, a, b);
  keep_locked(locks_among<F>(view.locks, &bundle - view.bundles), a, b);
  scatter(view.velocities, bundle.a, movable(a), a);
  scatter(view.velocities, bundle.b, movable(b), b);
  (Vectors<F>::load(bundle.step_linear) + impulse.linear).store(bundle.step_linear);
  if constexpr (has_frames(joint)) {
    (Vectors<F>::load(bundle.step_angular) + impulse.angular).store(bundle.step_angular);
  }
}

/// Returns the force impulse on b, N·s, that block and rows applied in both phases of the previous
/// substep.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE Vectors<F> pull_of(const JointBundle& bundle) {
  return Vectors<F>::load(bundle.linear[HoldPhase]) + Vectors<F>::load(bundle.linear[RelaxPhase]) +
         row_impulse<F, joint>(bundle, HoldPhase).linear +
         row_impulse<F, joint>(bundle, RelaxPhase).linear;
}
/// Returns the tautness (stabilizers/geometric_stiffness/taut_bodies.h) that the force impulse
/// `pull` on a body adds. `arm` is the body's arm to the anchor, and `taut` the tautness per
/// impulse and arm. Returns 0 if the impulse points inward along the arm.
template <typename F>
JOSTLE_SIMD_INLINE F tautness(const Vectors<F>& pull, const Lanes (&arm)[3], const Lanes& taut) {
  return max_of(dot(pull, Vectors<F>::load(arm)), F::splat(0.0f)) * F::load(taut);
}

/// Returns 1 in lanes whose joints are solved by passes, 0 in lanes whose joints are solved in a
/// tree.
template <typename F>
JOSTLE_SIMD_INLINE F solved_by_passes(const JointBundle& bundle) {
  alignas(32) Lanes passes;
  for (std::uint32_t i = 0; i < lane_count; ++i)
    passes[i] = (bundle.tree_lanes >> i & 1U) != 0 ? 0.0f : 1.0f;
  return F::load(passes);
}

/// Returns true if passes have nothing to solve: the class has no rows, and all joints of the
/// bundle are in trees.
template <JointClass joint>
JOSTLE_SIMD_INLINE bool is_left_to_trees(const JointBundle& bundle) {
  return !joint.has_rows && bundle.tree_lanes == bundle.used_lanes;
}

/// Applies the impulses that the phase had one substep ago (warm starting). The blocks of joints in
/// trees are excluded, because each solution of a tree starts from zero
/// (stabilizers/articulations/joint_trees.h).
template <typename F, JointClass joint, JointPhase phase>
void warm_start_joints(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    JointBundle& bundle = view.bundles[i];
    if constexpr (has_cone(joint)) begin_friction<F>(bundle, phase);
    JointImpulse<F> impulse = row_impulse<F, joint>(bundle, phase);
    JointImpulse<F> block{Vectors<F>::load(bundle.linear[phase]), {}};
    if constexpr (holds_rotation(joint)) block.angular = Vectors<F>::load(bundle.angular[phase]);
    if (bundle.tree_lanes != 0) {
      const F passes = solved_by_passes<F>(bundle);
      block = {block.linear * passes, block.angular * passes};
    }
    impulse.linear = impulse.linear + block.linear;
    if constexpr (holds_rotation(joint)) impulse.angular = impulse.angular + block.angular;
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    if constexpr (phase == HoldPhase && can_be_taut(joint)) {
      const Vectors<F> pull = pull_of<F, joint>(bundle);
      a.after_second = a.after_second + tautness(-pull, bundle.arm_a, bundle.taut_a);
      b.after_second = b.after_second + tautness(pull, bundle.arm_b, bundle.taut_b);
    }
    act<F, joint>(view, impulse, side_a<F>(bundle), side_b<F>(bundle), a, b, bundle);
  }
}

/// Returns the part of the block's impulse that responds to the rows' current impulses. A soft
/// joint does not give this part up.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointImpulse<F> answers_to_rows(const JointBundle& bundle, JointPhase phase) {
  const F zero = F::splat(0.0f);
  JointImpulse<F> sum{{zero, zero, zero}, {zero, zero, zero}};
  if constexpr (joint.has_rows)
    answer_row<F, joint>(bundle.axis.row, axis_impulse<F>(bundle.axis, phase), sum);
  if constexpr (has_cone(joint)) {
    answer_row<F, joint>(bundle.cone.row, F::load(bundle.cone.impulse[phase]), sum);
    add_answer_to_friction(bundle, phase, sum);
  }
  return sum;
}

/// Returns the change of the block's impulse that removes the velocity errors `anchors` (e_p) and
/// `turns` (e_t). In the biased solve, a soft joint also gives up a share of its impulse.
template <typename F, JointClass joint, JointPhase phase>
JOSTLE_SIMD_INLINE JointImpulse<F> solve_block(const JointBundle& bundle, const Vectors<F>& anchors,
                                               const Vectors<F>& turns) {
  JointImpulse<F> block = block_answer<F, joint>(load_masses<F, joint>(bundle), anchors, turns);
  if constexpr (phase == RelaxPhase) return block;
  const F keep = F::load(bundle.keep), change = F::splat(1.0f) - keep;
  const JointImpulse<F> answers = answers_to_rows<F, joint>(bundle, phase);
  block.linear =
      block.linear * change - (Vectors<F>::load(bundle.linear[phase]) - answers.linear) * keep;
  if constexpr (holds_rotation(joint)) {
    block.angular =
        block.angular * change - (Vectors<F>::load(bundle.angular[phase]) - answers.angular) * keep;
  }
  return block;
}

template <typename F, JointClass joint, JointPhase phase>
JOSTLE_SIMD_INLINE void add_to_block(const JointImpulse<F>& block, JointBundle& bundle) {
  (Vectors<F>::load(bundle.linear[phase]) + block.linear).store(bundle.linear[phase]);
  if constexpr (holds_rotation(joint)) {
    (Vectors<F>::load(bundle.angular[phase]) + block.angular).store(bundle.angular[phase]);
  }
}

/// Returns the velocity that corrects `error` at the rate `rate`, 1/s, shortened to the length
/// `most`.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> push_of(const Lanes (&error)[3], float rate, float most) {
  return shortened(Vectors<F>::load(error) * F::splat(rate), F::splat(most));
}

/// Returns the velocity error that the biased solve must remove: `speed` plus the correction of the
/// joint's position and rotation errors.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointSpeed<F> with_errors(const JointView& view, const JointBundle& bundle,
                                             JointSpeed<F> speed) {
  const float rate = view.softness.bias_rate;
  speed.anchors = speed.anchors + push_of<F>(bundle.linear_error, rate, max_anchor_push_speed);
  if constexpr (holds_rotation(joint))
    speed.turns = speed.turns + push_of<F>(bundle.angular_error, rate, max_turn_push_speed);
  return speed;
}

/// Runs one pass of a phase: the block, then the rows.
template <typename F, JointClass joint, JointPhase phase>
void solve_joints(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    JointBundle& bundle = view.bundles[i];
    if (is_left_to_trees<joint>(bundle)) continue;
    const JointSide<F> side_a = kernels::side_a<F>(bundle), side_b = kernels::side_b<F>(bundle);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    JointSpeed<F> speed = speed_of(side_a, side_b, a, b), asked = speed;
    if constexpr (phase == HoldPhase) {
      const JointSpeed<F> ahead =
          look_ahead<F, joint>(view, bundle, side_a, side_b, a, b, speed.anchors);
      speed = {speed.anchors + ahead.anchors, speed.turns + ahead.turns};
      asked = with_errors<F, joint>(view, bundle, speed);
    }
    JointImpulse<F> block = solve_block<F, joint, phase>(bundle, asked.anchors, asked.turns);
    JointImpulse<F> sum = block;
    if constexpr (joint.has_rows) {
      const JointImpulse<F> rows =
          solve_rows<F, joint, phase>(view, bundle, speed.anchors, speed.turns, block);
      sum = {block.linear + rows.linear, block.angular + rows.angular};
    }
    add_to_block<F, joint, phase>(block, bundle);
    act<F, joint>(view, sum, side_a, side_b, a, b, bundle);
  }
}

/// Returns the displacement of the end of `arm` if its body rotates by `turn` (JointedTurn). With u
/// = turn/2, the rotation axis times tan(angle/2), it is 2/(1 + u²)·(u × r + u × (u × r)).
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turned_by(const Vectors<F>& turn, const Vectors<F>& arm) {
  const F one = F::splat(1.0f), half = F::splat(0.5f);
  const Vectors<F> u = turn * half, straight = cross(u, arm);
  return (straight + cross(u, straight)) * (F::splat(2.0f) / (one + dot(u, u)));
}

/// Returns twice the vector part of the rotation b·a⁻¹, for rotations `a` and `b` as in
/// JointedTurn.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turn_between(const Vectors<F>& a, const Vectors<F>& b) {
  const F one = F::splat(1.0f), half = F::splat(0.5f);
  const Vectors<F> u = a * half, v = b * half;
  const F scale = F::splat(2.0f) / sqrt_of((one + dot(u, u)) * (one + dot(v, v)));
  return (v - u - cross(v, u)) * scale;
}

/// Returns the change of a × b, the rotation error of a hinge with the axes a and b, by the
/// rotations `turn_a` and `turn_b` of its bodies.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> lean_between(const JointBundle& bundle, const Vectors<F>& turn_a,
                                           const Vectors<F>& turn_b) {
  const Vectors<F> a = Vectors<F>::load(bundle.axis.row.direction);
  const Vectors<F> b = a + cross(Vectors<F>::load(bundle.angular_error), a);
  const Vectors<F> change_a = turned_by(turn_a, a), change_b = turned_by(turn_b, b);
  return cross(change_a, b) + cross(a + change_a, change_b);
}

/// Returns the change of x·z, the rotation error of a universal joint with the axes x of a and z of
/// b, by the rotations `turn_a` and `turn_b` of its bodies.
template <typename F>
JOSTLE_SIMD_INLINE F closing_between(const JointBundle& bundle, const Vectors<F>& turn_a,
                                     const Vectors<F>& turn_b) {
  const Vectors<F> x = Vectors<F>::load(bundle.axis_of_a), z = Vectors<F>::load(bundle.axis_of_b);
  const Vectors<F> change_x = turned_by(turn_a, x), change_z = turned_by(turn_b, z);
  return dot(change_x, z) + dot(x + change_x, change_z);
}

/// Returns the rate at which a rod lengthens within the substep beyond n·v, as a vector along the
/// rod's direction n. Here v is `speed` plus the half kick, and `ahead` is the additional velocity
/// of the anchors. The rate (|p + h·(v + ahead)| − |p|)/h − n·v is computed as a difference of
/// squares.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> lengthening(const JointBundle& bundle, const Vectors<F>& speed,
                                          const Vectors<F>& ahead, float h) {
  const F zero = F::splat(0.0f);
  const Vectors<F> apart = Vectors<F>::load(bundle.apart);
  const Vectors<F> asked = speed + Vectors<F>::load(bundle.drift);
  const Vectors<F> gained = asked + ahead, then = apart + gained * F::splat(h);
  const F sum = sqrt_of(dot(then, then)) + sqrt_of(dot(apart, apart));
  const auto is_long = F::splat(tiny) < sum;
  const F rate = dot(then + apart, gained) / select(is_long, sum, F::splat(1.0f));
  const Vectors<F> n = normalized_or(apart, Vectors<F>{zero, zero, zero});
  return n * select(is_long, rate - dot(n, asked), zero);
}

/// Predicts the difference between the mean relative velocities over the substep and J·v plus the
/// half kick, from the predicted rotations of the bodies (predict_turns). `speed` is e_p.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointSpeed<F> look_at_turns(const JointView& view, const JointBundle& bundle,
                                               const JointSide<F>& side_a,
                                               const JointSide<F>& side_b, const BodyRows<F>& a,
                                               const BodyRows<F>& b, const Vectors<F>& speed) {
  const float h = view.substep_seconds;
  const F rate = F::splat(1.0f / h), zero = F::splat(0.0f);
  const Vectors<F> turn_a = gather<F>(view.turns, bundle.a).first;
  const Vectors<F> turn_b = gather<F>(view.turns, bundle.b).first;
  const Vectors<F> way = turned_by(turn_b, side_b.arm) - turned_by(turn_a, side_a.arm);
  const Vectors<F> straight = cross(b.second, side_b.arm) - cross(a.second, side_a.arm);
  JointSpeed<F> ahead{way * rate - straight, {zero, zero, zero}};
  if constexpr (joint.kind == JointKind::Hinge) {
    ahead.turns = lean_between<F>(bundle, turn_a, turn_b) * rate - (b.second - a.second);
  } else if constexpr (joint.kind == universal_joint) {
    const Vectors<F> locked = Vectors<F>::load(bundle.locked_axis);
    ahead.turns = locked * (closing_between<F>(bundle, turn_a, turn_b) * rate -
                            dot(locked, b.second - a.second));
  } else if constexpr (holds_rotation(joint)) {
    ahead.turns = turn_between(turn_a, turn_b) * rate - (b.second - a.second);
  }
  if constexpr (joint.kind == JointKind::Slider) {
    ahead.anchors = ahead.anchors + sliding<F, joint>(bundle, a.second, speed, h);
  } else if constexpr (joint.kind == JointKind::Distance) {
    ahead.anchors = lengthening(bundle, speed, ahead.anchors, h);
  }
  return ahead;
}

/// Returns 1 in lanes whose joints are ropes that are not stretched, else 0.
template <typename F>
JOSTLE_SIMD_INLINE F slack_ropes(const JointBundle& bundle) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  if (bundle.rope_lanes == 0) return zero;
  alignas(32) Lanes ropes;
  for (std::uint32_t i = 0; i < lane_count; ++i)
    ropes[i] = (bundle.rope_lanes >> i & 1U) != 0 ? 1.0f : 0.0f;
  const F beyond = dot(Vectors<F>::load(bundle.linear_error), Vectors<F>::load(bundle.apart));
  return select(beyond < zero, one, zero) * F::load(ropes);
}

/// Stores the velocity errors that the trees must remove, for the joints that trees solve. A rope
/// that is not stretched may become taut within the substep, but not longer. The
/// predicted part is stored separately (stabilizers/articulations/joint_trees.h).
template <typename F, JointClass joint, JointPhase phase>
void note_asked_speeds(const JointView& view, std::uint32_t first, std::uint32_t last) {
  const float h = view.substep_seconds;
  for (std::uint32_t i = first; i < last; ++i) {
    JointBundle& bundle = view.bundles[i];
    if (bundle.tree_lanes == 0) continue;
    const JointSide<F> side_a = kernels::side_a<F>(bundle), side_b = kernels::side_b<F>(bundle);
    const BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    const BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    JointSpeed<F> asked = speed_of(side_a, side_b, a, b);
    if constexpr (phase == HoldPhase) {
      const JointSpeed<F> ahead =
          look_at_turns<F, joint>(view, bundle, side_a, side_b, a, b, asked.anchors);
      ahead.anchors.store(bundle.ahead_anchors);
      ahead.turns.store(bundle.ahead_turns);
      asked = {asked.anchors + Vectors<F>::load(bundle.drift), asked.turns};
      const Vectors<F> until_taut =
          asked.anchors + Vectors<F>::load(bundle.linear_error) * F::splat(1.0f / h);
      asked = with_errors<F, joint>(view, bundle, asked);
      if constexpr (joint.kind == JointKind::Distance) {
        const auto is_slack = F::splat(0.0f) < slack_ropes<F>(bundle);
        asked.anchors = select(is_slack, until_taut, asked.anchors);
      }
    }
    asked.anchors.store(bundle.asked_anchors);
    asked.turns.store(bundle.asked_turns);
  }
}

/// Clears impulses that are tiny, above max_impulse or not finite. Subnormal numbers are slow, and
/// impulses that are not finite come from a body that is about to be quarantined.
template <typename F, std::size_t N>
JOSTLE_SIMD_INLINE void snap(Lanes (&rows)[N]) {
  const F zero = F::splat(0.0f), least = F::splat(tiny), most = F::splat(max_impulse);
  for (Lanes& row : rows) {
    const F x = F::load(row), size = max_of(x, -x);
    select((least <= size) & (size <= most), x, zero).store(row);
  }
}

/// Ends the step: clears impulses that are tiny, too large or not finite.
template <typename F, JointClass joint>
void settle_joints(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    JointBundle& bundle = view.bundles[i];
    snap<F>(bundle.step_linear);
    if constexpr (has_frames(joint)) snap<F>(bundle.step_angular);
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      snap<F>(bundle.linear[phase]);
      if constexpr (has_torque(joint)) snap<F>(bundle.angular[phase]);
      if constexpr (joint.has_rows) snap<F>(bundle.axis.impulse[phase]);
    }
    if constexpr (has_cone(joint)) snap<F>(bundle.cone.impulse);
  }
}

}  // namespace jostle::physics::kernels
