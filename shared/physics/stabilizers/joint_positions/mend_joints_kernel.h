#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/kernels/joint_body_kernels.h"
#include "shared/physics/solver/kernels/solve_coordinates_kernel.h"
#include "shared/physics/solver/kernels/solve_joints_kernel.h"

namespace jostle::physics::kernels {

// Position correction of joints (stabilizers/joint_positions/mend_joints.h). Here `velocities`
// holds displacements, in m and rad, and impulses are in kg·m and kg·m²·rad. The error of a joint
// is the last measured error plus the change by later displacements.

/// Returns the part of an error that is corrected: zero if the error is within the tolerance,
/// otherwise the error, shortened to at most `most`.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> excess_of(const Vectors<F>& failure, const F& tolerated, float most) {
  const F zero = F::splat(0.0f), size = sqrt_of(dot(failure, failure));
  const auto is_far = tolerated < size;
  if (bits_of(is_far) == 0) return {zero, zero, zero};
  const F excess = min_of(size, F::splat(most));
  return failure * select(is_far, excess / select(is_far, size, F::splat(1.0f)), zero);
}
template <typename F>
JOSTLE_SIMD_INLINE F excess_above(const F& failure, const F& tolerated, float most) {
  const F excess = min_of(failure, F::splat(most));
  return select(tolerated < failure, excess, F::splat(0.0f));
}
template <typename F>
JOSTLE_SIMD_INLINE F excess_of(const F& failure, const F& tolerated, float most) {
  return excess_above(failure, tolerated, most) - excess_above(-failure, tolerated, most);
}

/// Returns how far a value is outside its limits, positive above the upper and negative below the
/// lower one, but at most max_mending_gap or max_mending_turn. Returns zero within the tolerance.
/// `turns` is true if the value is an angle.
template <typename F>
JOSTLE_SIMD_INLINE F excess_at_limits(const F& value, const Lanes& lower, const Lanes& upper,
                                      bool turns) {
  const F tolerated = F::splat(turns ? mended_turn : mended_gap);
  const float most = turns ? max_mending_turn : max_mending_gap;
  return excess_above(value - F::load(upper), tolerated, most) -
         excess_above(F::load(lower) - value, tolerated, most);
}

/// Returns the tolerated error of a joint: `tolerated`, doubled if the joint alone holds its bodies
/// (`keep` is 0). Such a joint is solved exactly, so that its error comes from integration alone. A
/// correction would disturb the body's path by more than it improves the joint.
template <typename F>
JOSTLE_SIMD_INLINE F tolerated_by(const Lanes& keep, float tolerated) {
  const auto is_alone = F::load(keep) == F::splat(0.0f);
  return select(is_alone, F::splat(2 * tolerated), F::splat(tolerated));
}

/// Returns the errors along the directions that the block constrains, after the displacements
/// `moves`. Errors within the tolerances are returned as zero; larger ones are limited to
/// max_mending_gap and max_mending_turn.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointSpeed<F> excess_of_block(const JointBundle& bundle,
                                                 const JointSpeed<F>& moves, float gap_tolerated,
                                                 float turn_tolerated) {
  const F zero = F::splat(0.0f);
  JointSpeed<F> held = moves;
  if constexpr (joint.kind == JointKind::Slider || joint.kind == JointKind::Distance) {
    const Vectors<F> axis = Vectors<F>::load(bundle.axis.row.direction);
    const Vectors<F> along = axis * dot(axis, moves.anchors);
    held.anchors =
        joint.kind == JointKind::Slider ? moves.anchors - along : along * F::load(bundle.is_rod);
  }
  Vectors<F> gap = Vectors<F>::load(bundle.linear_error);
  if constexpr (joint.kind == JointKind::Distance) gap = gap * F::load(bundle.is_rod);
  JointSpeed<F> excess{
      excess_of(gap + held.anchors, tolerated_by<F>(bundle.keep, gap_tolerated), max_mending_gap),
      {zero, zero, zero}};
  if constexpr (holds_rotation(joint)) {
    if constexpr (joint.kind == JointKind::Hinge) {
      // The twist direction is nearly a unit vector if the error of the hinge is small.
      const Vectors<F> axis = Vectors<F>::load(bundle.axis.row.direction);
      held.turns = moves.turns - axis * dot(axis, moves.turns);
    }
    if constexpr (joint.kind == universal_joint) {
      const Vectors<F> locked = Vectors<F>::load(bundle.locked_axis);
      held.turns = locked * dot(locked, moves.turns);
    }
    excess.turns = excess_of(Vectors<F>::load(bundle.angular_error) + held.turns,
                             tolerated_by<F>(bundle.keep, turn_tolerated), max_mending_turn);
  }
  return excess;
}

/// Solves the limits and the cone after the block's impulse `block`. Returns the rows' impulse, and
/// adds the block's response to `block`.
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointImpulse<F> mend_rows(const JointBundle& bundle, const JointSpeed<F>& moves,
                                             JointImpulse<F>& block) {
  const F zero = F::splat(0.0f);
  JointImpulse<F> sum{{zero, zero, zero}, {zero, zero, zero}};
  const JointImpulse<F> before = block;
  const JointAxis& axis = bundle.axis;
  const Vectors<F> direction = Vectors<F>::load(axis.row.direction);
  const F moved = dot(direction, has_turning_axis(joint) ? moves.turns : moves.anchors) +
                  felt_by<F, joint>(axis.row, before);
  const F excess = excess_at_limits(F::load(axis.value) + moved, axis.lower, axis.upper,
                                    has_turning_axis(joint));
  const F along = -(F::load(axis.row.mass) * excess);
  answer_row<F, joint>(axis.row, along, block);
  (has_turning_axis(joint) ? sum.angular : sum.linear) = direction * along;
  if constexpr (has_cone(joint)) {
    const JointConeRow& cone = bundle.cone;
    const Vectors<F> about = Vectors<F>::load(cone.row.direction);
    const F swing = dot(about, moves.turns) + felt_by<F, joint>(cone.row, before) +
                    F::load(cone.coupling) * along;
    const F behind = -(F::load(cone.error) + swing);
    const F back =
        F::load(cone.row.mass) * excess_above(behind, F::splat(mended_turn), max_mending_turn);
    answer_row<F, joint>(cone.row, back, block);
    sum.angular = sum.angular + about * back;
  }
  return sum;
}

/// Returns the lanes to check now, one bit each: those in which a body was moved after the time
/// `looked`. Sets `looked` to the current time.
inline std::uint32_t lanes_due(const JointView& view, const std::uint32_t (&a)[8],
                               const std::uint32_t (&b)[8], std::uint32_t& looked) {
  const std::uint32_t lanes = moved_since(view, a, b, looked);
  looked = view.mending.now;
  return lanes;
}

/// Writes the displacements of the movable bodies in the lanes of the mask `lanes`, and records the
/// current time as that of their last move.
template <typename F>
JOSTLE_SIMD_INLINE void move_bodies(const JointView& view, const std::uint32_t (&index)[8],
                                    std::uint32_t lanes, const BodyRows<F>& body) {
  const std::uint32_t moving = movable(body) & lanes;
  scatter(view.velocities, index, moving, body);
  for (int i = 0; i < 8; ++i)
    if ((moving >> i & 1U) != 0) view.mending.moved[index[i]] = view.mending.now;
}

template <typename F>
JOSTLE_SIMD_INLINE std::uint32_t lanes_that_act(const JointImpulse<F>& impulse) {
  const F size = dot(impulse.linear, impulse.linear) + dot(impulse.angular, impulse.angular);
  return bits_of(F::splat(0.0f) < size);
}

/// Runs one pass of position correction: the block, then the limits and the cone.
template <typename F, JointClass joint>
void mend_joints(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    const JointBundle& bundle = view.bundles[i];
    std::uint32_t& looked = view.mending.looked[i];
    // Joints in trees are skipped: mend_joint_trees corrects their blocks. Their limits are left to
    // the velocity solver, because a correction here would turn only the light bodies next to the
    // limit.
    const std::uint32_t due = lanes_due(view, bundle.a, bundle.b, looked) & ~bundle.tree_lanes;
    if (due == 0) continue;
    const JointSide<F> side_a = kernels::side_a<F>(bundle), side_b = kernels::side_b<F>(bundle);
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const JointSpeed<F> moves = speed_of(side_a, side_b, a, b);
    const JointSpeed<F> excess = excess_of_block<F, joint>(bundle, moves, mended_gap, mended_turn);
    JointImpulse<F> sum =
        block_answer<F, joint>(load_masses<F, joint>(bundle), excess.anchors, excess.turns);
    if constexpr (joint.has_rows) {
      JointImpulse<F> block = sum;
      const JointImpulse<F> rows = mend_rows<F, joint>(bundle, moves, block);
      sum = {block.linear + rows.linear, block.angular + rows.angular};
    }
    sum = {sum.linear * F::splat(mending_relaxation), sum.angular * F::splat(mending_relaxation)};
    const std::uint32_t lanes = lanes_that_act(sum) & due;
    if (lanes == 0) continue;
    apply(sum, side_a, side_b, a, b);
    keep_locked(locks_among<F>(view.locks, &bundle - view.bundles), a, b);
    move_bodies(view, bundle.a, lanes, a);
    move_bodies(view, bundle.b, lanes, b);
    // the correction may have overshot (mending_relaxation), so these bodies are checked again
    --looked;
  }
}

/// Stores the position errors of joints in trees, without a tolerance, in
/// JointBundle::asked_anchors and asked_turns.
template <typename F, JointClass joint>
void note_failure(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    JointBundle& bundle = view.bundles[i];
    if (bundle.tree_lanes == 0) continue;
    const BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    const BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const JointSpeed<F> moves = speed_of(side_a<F>(bundle), side_b<F>(bundle), a, b);
    const JointSpeed<F> failure = excess_of_block<F, joint>(bundle, moves, 0, 0);
    failure.anchors.store(bundle.asked_anchors);
    failure.turns.store(bundle.asked_turns);
  }
}

/// Returns true if a coordinate is an angle, and not a length.
constexpr bool turns_about(CoordinateClass joint, std::size_t coordinate) {
  return joint == CoordinateClass::Gear || coordinate >= 3;
}

/// Solves the limits of coordinates that are not locked, after the impulses `changes` of the locks.
/// `moves` are the displacements of the coordinates. Stores the impulses of the limits in `rows`,
/// and adds the locks' reactions to `changes`.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE void mend_limits(const CoordinateBundle& bundle,
                                    F (&moves)[coordinates_of(joint)],
                                    F (&changes)[coordinates_of(joint)],
                                    F (&rows)[coordinates_of(joint)]) {
  constexpr std::size_t count = coordinates_of(joint);
  const F zero = F::splat(0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const Coordinate& row = bundle.coordinates[i];
    const F mass = F::load(row.mass);
    rows[i] = zero;
    if (bits_of(zero < mass) == 0) continue;
    const F excess = excess_at_limits(F::load(row.value) + moves[i], row.lower, row.upper,
                                      turns_about(joint, i));
    rows[i] = -(mass * excess);
    for (std::size_t k = 0; k < count; ++k) {
      const F by = F::load(bundle.swept[triangle_place(i, k)]) * rows[i];
      const auto is_lock = zero < F::load(bundle.coordinates[k].is_held);
      changes[k] = changes[k] - select(is_lock, by, zero);
      moves[k] = moves[k] + select(is_lock, zero, by);
    }
  }
}

/// Runs one pass of position correction: the locks, then the limits. Servos have neither and are
/// skipped.
template <typename F, CoordinateClass joint>
void mend_coordinates(const JointView& view, std::uint32_t first, std::uint32_t last) {
  constexpr std::size_t count = coordinates_of(joint);
  const F zero = F::splat(0.0f);
  for (std::uint32_t n = first; n < last; ++n) {
    const CoordinateBundle& bundle = view.coordinates[n];
    if constexpr (joint == CoordinateClass::Servo) continue;
    std::uint32_t& looked = view.mending.looked_at_coordinates[n];
    const std::uint32_t due = lanes_due(view, bundle.a, bundle.b, looked);
    if (due == 0) continue;
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const CoordinateMotion<F> motion = motion_of(a, b);
    F excess[count], changes[count], rows[count], moves[count];
    for (std::size_t i = 0; i < count; ++i) {
      const Coordinate& row = bundle.coordinates[i];
      const F failure = F::load(row.value) - F::load(row.rest) + speed_of(row, motion);
      const bool turns = turns_about(joint, i);
      excess[i] =
          select(zero < F::load(row.is_held),
                 excess_of(failure, tolerated_by<F>(bundle.keep, turns ? mended_turn : mended_gap),
                           turns ? max_mending_turn : max_mending_gap),
                 zero);
    }
    F size = zero;
    for (std::size_t i = 0; i < count; ++i) {
      F change = zero;
      for (std::size_t k = 0; k < count; ++k) {
        const auto is_lock = zero < F::load(bundle.coordinates[k].is_held);
        change =
            change + select(is_lock, F::load(bundle.swept[triangle_place(i, k)]) * excess[k], zero);
      }
      changes[i] = select(zero < F::load(bundle.coordinates[i].is_held), change, zero);
    }
    BodyRows<F> then_a = a, then_b = b;
    push<F, joint>(bundle, changes, then_a, then_b);
    for (std::size_t i = 0; i < count; ++i)
      moves[i] = speed_of(bundle.coordinates[i], motion_of(then_a, then_b));
    mend_limits<F, joint>(bundle, moves, changes, rows);
    for (std::size_t i = 0; i < count; ++i) {
      changes[i] = (changes[i] + rows[i]) * F::splat(mending_relaxation);
      size = size + changes[i] * changes[i];
    }
    const std::uint32_t lanes = bits_of(zero < size) & due;
    if (lanes == 0) continue;
    push<F, joint>(bundle, changes, a, b);
    move_bodies(view, bundle.a, lanes, a);
    move_bodies(view, bundle.b, lanes, b);
    --looked;  // the correction may have overshot: check these bodies again
  }
}

/// Applies the displacements to the poses. The poses of other bodies stay bit-identical.
template <typename F>
void move_mended_bodies(const JointView& view, std::uint32_t first, std::uint32_t last) {
  const F zero = F::splat(0.0f), half = F::splat(0.5f);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint32_t index = view.jointed_blocks[i].block;
    if (!is_block_stale(view, index)) continue;
    const BodyRows<F> move = load_block<F>(view.velocities, index);
    const auto has_moved = zero < dot(move.first, move.first) + dot(move.second, move.second);
    if (bits_of(has_moved) == 0) continue;
    BodyRows<F> motion = load_block<F>(view.motions, index);
    motion.first = select(has_moved, motion.first + move.first, motion.first);
    motion.second = select(has_moved, motion.second + move.second, motion.second);
    store_block(view.motions, index, motion);
    BodyBlock& block = view.body_blocks[index];
    const Rotations<F> before = rotations_of<F>(block);
    const Rotations<F> after = changed(before, cayley_change(move.second * half) * before);
    select(has_moved, after.v, before.v).store(block.rotation);
    select(has_moved, after.w, before.w).store(block.rotation[3]);
  }
}

}  // namespace jostle::physics::kernels
