#pragma once

namespace jostle::physics {

struct Cluster;

// Tautness of bodies in joint trees. stabilizers/geometric_stiffness/taut_bodies.h computes the
// tautness of a body from its own inverse inertia I⁻¹, as if it could turn without moving anything
// else. That is the limit for links that turn about their own centres. But the inner rod of a
// double pendulum can only turn if it moves the heavy outer rod as well. Its oscillation is then
// far slower, and an increased inertia would only take energy from the swing.
//
// A tree knows how a body responds to a torque while all its joints hold: F, with
//
//   F_root = Λ_root
//   F_c = Λ_c − X·(S⁻¹ − S⁻¹·J_p·F_p·J_pᵀ·S⁻¹)·Xᵀ,   X = Λ_c·J_cᵀ
//
// with the symbols of stabilizers/articulations/joint_trees.h. The first difference is the response
// with a fixed parent, and the rest is the response of the parent. The angular part R of F, times a
// factor for neighbours that turn as well, takes the place of I⁻¹ in the tautness, if this lowers
// it. Trees on which passes act, because of limits, motors, springs or other joints, keep the
// tautness by I⁻¹: the increased inertia also helps the passes to converge. Long trees keep it as
// well, because there few links gain from the response.

/// Recomputes the tautness of bodies in trees. Trees without a body whose tautness exceeds
/// max_tautness are skipped. Call it in the last substep, after the kernel `warm_start` of the
/// biased solve.
void limit_tautness_by_trees(Cluster& cluster);

}  // namespace jostle::physics
