#pragma once

#include "shared/physics/solver/kernels/body_kernels.h"
#include "shared/physics/solver/kernels/joint_view.h"

#include <algorithm>

namespace jostle::physics::kernels {

template <typename F>
JOSTLE_SIMD_INLINE Rotations<F> rotations_of(const BodyBlock& block) {
  return {Vectors<F>::load(block.rotation), F::load(block.rotation[3])};
}

/// Writes `now` to the lanes of `rows` in which `mask` is set.
template <typename F, typename Mask>
JOSTLE_SIMD_INLINE void store_where(const Mask& mask, const Vectors<F>& now, Lanes (&rows)[3]) {
  select(mask, now, Vectors<F>::load(rows)).store(rows);
}

/// Returns true if the poses of a block must be updated. During position correction, this is only
/// necessary if one of its bodies was moved since the last measurement.
inline bool is_block_stale(const JointView& view, std::uint32_t block) {
  if (!view.mending.is_on) return true;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < lane_count; ++i)
    last = std::max(last, view.mending.moved[block * lane_count + i]);
  return view.mending.since < last;
}

/// Updates JointArrays::poses to the bodies' current state, and JointArrays::inertias of bodies
/// with unequal moments.
template <typename F>
void place_jointed_bodies(const JointView& view, std::uint32_t first, std::uint32_t last) {
  const F zero = F::splat(0.0f);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint32_t index = view.jointed_blocks[i].block;
    if (!is_block_stale(view, index)) continue;
    const BodyBlock& block = view.body_blocks[index];
    const Rotations<F> rotation = rotations_of<F>(block);
    const Vectors<F> offset = load_block<F>(view.motions, index).first;
    const F inverse_mass = load_block<F>(view.velocities, index).after_first;
    store_block(view.poses, index, BodyRows<F>{rotation.v, rotation.w, offset, inverse_mass});

    const auto is_isotropic = is_set<F>(block.is_isotropic);
    if (bits_of(is_isotropic) == 0xFFU) continue;
    const BodyRows<F> before = load_block<F>(view.inertias, index);
    const auto m = turned(SymmetricMatrices<F>::load(block.inverse_inertia_local), rotation);
    const Vectors<F> head{m.xx, m.xy, m.xz}, tail{m.yz, m.zz, zero};
    store_block(view.inertias, index,
                BodyRows<F>{select(is_isotropic, before.first, head),
                            select(is_isotropic, before.after_first, m.yy),
                            select(is_isotropic, before.second, tail), zero});
  }
}

/// Begins a phase and records the velocities. Adds the changes by contacts and torques since the
/// last update to the angular momentum, which turn_freely integrates, and forgets the energy of
/// free rotation. In the biased solve, also resets the tautness of the bodies to zero, because warm
/// starting accumulates it again.
template <typename F, JointPhase phase>
void begin_joint_phase(const JointView& view, std::uint32_t first, std::uint32_t last) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  for (std::uint32_t i = first; i < last; ++i) {
    JointedBlock& jointed = view.jointed_blocks[i];
    BodyBlock& block = view.body_blocks[jointed.block];
    BodyRows<F> velocity = load_block<F>(view.velocities, jointed.block);
    velocity.first.store(jointed.linear_before);
    velocity.second.store(jointed.angular_before);
    if constexpr (phase == HoldPhase) {
      velocity.after_second = zero;
      store_block(view.velocities, jointed.block, velocity);
    }
    if (bits_of(is_set<F>(block.is_isotropic)) == 0xFFU) continue;
    const Vectors<F> turned = velocity.second - Vectors<F>::load(block.reference_angular);
    const Vectors<F> momentum = Vectors<F>::load(block.angular_momentum) +
                                SymmetricMatrices<F>::load(block.inertia) * turned;
    const auto is_jointed = is_set<F>(jointed.is_jointed);
    store_where(is_jointed, momentum, block.angular_momentum);
    store_where(is_jointed, velocity.second, block.reference_angular);
    select(is_jointed, zero, F::load(block.turn_ratio)).store(block.turn_ratio);
    store_block(view.momenta, jointed.block,
                BodyRows<F>{momentum, one - F::load(block.is_isotropic), {zero, zero, zero}, zero});
  }
}

/// Predicts the rotations of the bodies in the substep, as integrate_positions would compute them
/// from the current velocities. Stores them as JointedTurn, in which half of the vector is the
/// rotation axis times tan(angle/2).
template <typename F>
void predict_turns(const JointView& view, std::uint32_t first, std::uint32_t last) {
  const F zero = F::splat(0.0f), step = F::splat(view.substep_seconds);
  const F half_step = F::splat(0.5f * view.substep_seconds);
  for (std::uint32_t i = first; i < last; ++i) {
    const JointedBlock& jointed = view.jointed_blocks[i];
    const BodyBlock& block = view.body_blocks[jointed.block];
    const Vectors<F> angular = load_block<F>(view.velocities, jointed.block).second;
    const Vectors<F> half_turn = angular * half_step;
    Vectors<F> turn = angular * (step * tangent_stretch(dot(half_turn, half_turn)));
    const auto is_isotropic = is_set<F>(block.is_isotropic);
    if (bits_of(is_isotropic) != 0xFFU) {
      const Rotations<F> rotation = rotations_of<F>(block);
      const auto inertia = SymmetricMatrices<F>::load(jointed.inertia_local);
      const Vectors<F> change = angular - Vectors<F>::load(block.reference_angular);
      const Vectors<F> gained = rotate(rotation, inertia * rotate(conjugate(rotation), change));
      const Vectors<F> momentum = Vectors<F>::load(block.angular_momentum) + gained;
      turn = select(is_isotropic, turn,
                    turn_freely(block, rotation, momentum, angular, view.substep_seconds).turn);
    }
    // Limits the rotation to a right angle, because a larger one is not a useful prediction.
    turn = turn * shortening(turn, 2.0f);
    store_block(view.turns, jointed.block, BodyRows<F>{turn, zero, {zero, zero, zero}, zero});
  }
}

/// Ends a phase. Adds the velocity changes by joints to the base velocities, so that
/// integrate_velocities does not carry them into the next substep as changes by contacts. (Joints
/// are warm started by their stored impulses instead.) Changes the angular momentum accordingly, by
/// the current inertia.
template <typename F>
void end_joint_phase(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    JointedBlock& jointed = view.jointed_blocks[i];
    BodyBlock& block = view.body_blocks[jointed.block];
    const BodyRows<F> velocity = load_block<F>(view.velocities, jointed.block);
    const auto is_jointed = is_set<F>(jointed.is_jointed);
    const Vectors<F> linear = velocity.first - Vectors<F>::load(jointed.linear_before);
    const Vectors<F> angular = velocity.second - Vectors<F>::load(jointed.angular_before);
    store_where(is_jointed, Vectors<F>::load(block.base_linear) + linear, block.base_linear);
    store_where(is_jointed, Vectors<F>::load(block.base_angular) + angular, block.base_angular);
    if (bits_of(is_set<F>(block.is_isotropic)) == 0xFFU) continue;
    const Rotations<F> rotation = rotations_of<F>(block);
    const auto inertia = SymmetricMatrices<F>::load(jointed.inertia_local);
    const Vectors<F> gained = rotate(rotation, inertia * rotate(conjugate(rotation), angular));
    store_where(is_jointed, Vectors<F>::load(block.angular_momentum) + gained,
                block.angular_momentum);
    store_where(is_jointed, velocity.second, block.reference_angular);
  }
}

}  // namespace jostle::physics::kernels
