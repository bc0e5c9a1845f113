#pragma once

#include "shared/physics/solver/kernels/joint_block.h"
#include "shared/physics/solver/kernels/joint_view.h"

namespace jostle::physics::kernels {

// Friction of ball joints (JointMotor). A torque impulse T on b, and −T on a, opposes the relative
// rotation ω:
//
//   T₊ = T − M·ω, shortened so that |T of both phases| ≤ h·max_force
//
// where M is the inverse of the response of ω to a torque impulse, with the block's response to it.

/// Returns the lanes whose joints have friction.
template <typename F>
JOSTLE_SIMD_INLINE auto has_friction(const JointBundle& bundle) {
  return F::splat(0.0f) < F::load(bundle.friction.most);
}

/// Returns the change of the bodies' relative angular velocity by the torque impulse `torque`.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turns_by(const JointSide<F>& a, const JointSide<F>& b,
                                       const Vectors<F>& torque) {
  return a.inverse_inertia * torque + b.inverse_inertia * torque;
}

/// Returns the block's response to the torque impulse `torque`.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> answer_to_torque(const JointBundle& bundle, const JointSide<F>& a,
                                               const JointSide<F>& b, const Vectors<F>& torque) {
  const Vectors<F> anchors =
      cross(a.inverse_inertia * torque, a.arm) + cross(b.inverse_inertia * torque, b.arm);
  return -(SymmetricMatrices<F>::load(bundle.linear_mass) * anchors);
}

/// Returns the change of the bodies' relative angular velocity by the force impulse `force` of the
/// block.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turns_by_force(const JointSide<F>& a, const JointSide<F>& b,
                                             const Vectors<F>& force) {
  return a.inverse_inertia * cross(a.arm, force) + b.inverse_inertia * cross(b.arm, force);
}

/// Returns M⁻¹.
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> response_to_torque(const JointBundle& bundle,
                                                           const JointSide<F>& a,
                                                           const JointSide<F>& b) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const auto column = [&](const Vectors<F>& torque) {
    return turns_by(a, b, torque) + turns_by_force(a, b, answer_to_torque(bundle, a, b, torque));
  };
  const Vectors<F> x = column({one, zero, zero}), y = column({zero, one, zero}),
                   z = column({zero, zero, one});
  return {x.x, y.x, z.x, y.y, z.y, z.z};
}

/// Reduces the friction with which a phase starts (warm starting). If many joints depend on each
/// other, the passes of a substep do not take back all friction that is too large since the last
/// substep, and it would drive the bodies.
template <typename F>
JOSTLE_SIMD_INLINE void begin_friction(JointBundle& bundle, std::size_t phase) {
  constexpr float kept_share = 0.8f;
  if (bundle.friction_lanes == 0) return;
  (Vectors<F>::load(bundle.angular[phase]) * F::splat(kept_share)).store(bundle.angular[phase]);
}

/// Adds the friction `impulse` to the torque impulse `sum`, in the lanes that have friction.
template <typename F>
JOSTLE_SIMD_INLINE void add_friction(const JointBundle& bundle, const Vectors<F>& impulse,
                                     Vectors<F>& sum) {
  if (bundle.friction_lanes == 0) return;
  sum = select(has_friction<F>(bundle), sum + impulse, sum);
}

/// Adds the block's response to the friction of a phase to `block`.
template <typename F>
JOSTLE_SIMD_INLINE void add_answer_to_friction(const JointBundle& bundle, std::size_t phase,
                                               JointImpulse<F>& block) {
  if (bundle.friction_lanes == 0) return;
  const Vectors<F> answer = answer_to_torque(bundle, side_a<F>(bundle), side_b<F>(bundle),
                                             Vectors<F>::load(bundle.angular[phase]));
  block.linear = select(has_friction<F>(bundle), block.linear + answer, block.linear);
}

/// Solves the friction for the velocities after the block's impulse `block`, and returns the change
/// of its impulse. Adds the block's response to `block`, and the change of the relative angular
/// velocity by the friction alone to `turns`.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE Vectors<F> solve_friction(JointBundle& bundle, Vectors<F>& turns,
                                             JointImpulse<F>& block) {
  const F zero = F::splat(0.0f);
  if (bundle.friction_lanes == 0) return {zero, zero, zero};
  const JointSide<F> a = side_a<F>(bundle), b = side_b<F>(bundle);
  const Vectors<F> turned = turns + turns_by_force(a, b, block.linear);
  const Vectors<F> before = Vectors<F>::load(bundle.angular[phase]);
  Vectors<F> other{zero, zero, zero};
  if constexpr (phase == RelaxPhase) other = Vectors<F>::load(bundle.angular[HoldPhase]);
  const F most = F::load(phase == HoldPhase ? bundle.friction.most_held : bundle.friction.most);
  const auto mass = SymmetricMatrices<F>::load(bundle.friction.mass);
  const Vectors<F> total = shortened(before + other - mass * turned, most) - other;
  const auto acts = has_friction<F>(bundle);
  const Vectors<F> change = total - before;
  select(acts, total, before).store(bundle.angular[phase]);
  turns = select(acts, turns + turns_by(a, b, change), turns);
  block.linear = select(acts, block.linear + answer_to_torque(bundle, a, b, change), block.linear);
  return change;
}

}  // namespace jostle::physics::kernels
