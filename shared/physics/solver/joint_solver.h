#pragma once

#include "shared/physics/detail/joint_record.h"

namespace jostle::physics {

struct Cluster;
struct JointView;

// Joints are solved by sequential impulses over substeps h in the form of RATTLE (Andersen 1983):
// both positions and velocities satisfy the joint at the end of each substep. The method is
// therefore of second order and has no drift of energy. This holds while bodies turn little in a
// substep and are not so taut that they count as more inert (solver/taut_bodies.h). A substep
// integrates forces and then has two phases, the biased solve (HoldPhase) and relax (RelaxPhase).
//
//   v += h·M⁻¹f        gravity and forces (integrate_velocities)
//   biased:  v += M⁻¹J(q)ᵀλ so that the joint holds after  q += h·v  (integrate_positions)
//   relax:   v += M⁻¹J(q)ᵀμ so that  J(q)·v = 0  at the new q
//
// λ and μ differ: each provides one half of the centripetal force. They are therefore stored
// separately, and each phase is warm started with its own impulse of the previous substep. Trees
// are not warm started.
//
// The block of a joint consists of P, the force impulse on b at the anchor, and T, the torque
// impulse on b, which are solved together. Let r_a, r_b be the anchors relative to the centres of
// mass.
//
//   e_p = v_b + ω_b × r_b − v_a − ω_a × r_a     relative velocity of the anchors
//   e_t = ω_b − ω_a
//   K = (m_a⁻¹ + m_b⁻¹)·1 − [r_a]I_a⁻¹[r_a] − [r_b]I_b⁻¹[r_b]      e_p per P
//   C = −[r_a]I_a⁻¹ − [r_b]I_b⁻¹                                   e_p per T
//   N = I_a⁻¹ + I_b⁻¹                                              e_t per T
//
// If the joint holds only some directions of T (columns of U) and of P (columns of V),
//
//   A = U(UᵀNU)⁻¹Uᵀ,  S = K − C·A·Cᵀ,  B = V(VᵀSV)⁻¹Vᵀ
//   P = −B(e_p − C·A·e_t),  T = −A(e_t + Cᵀ·P)
//
// A is zero for ball and distance joints; it has rank 2 for hinges and 3 for fixed joints and
// sliders. B has rank 3, but 2 for sliders and 1 for rigid distances.
//
// The biased solve adds to e_p and e_t what the positions require. The terms are bias_rate ×
// position error (solver/contact_solver.h) and the rotation of the arms within the substep, which
// velocities contain only to first order. Bodies that move on parabolas add their half kick. If the
// joint alone holds its bodies, the difference of their gyroscopic rotations is added.
//
// Errors are corrected no faster than max_anchor_push_speed and max_turn_push_speed. Links of taut
// chains swing faster than substeps resolve, and count as more inert: solver/taut_bodies.h.
//
// A joint that passes solve is soft if other constraints hold its bodies as well. In each pass of
// the biased solve its block gives up the share `keep` of its impulse, except for the part that
// responds to the rows. Without this part the rows would push alone, and turn a light body by far
// more than the joint lets it. Softness calms joints that contradict each other or a contact. Its
// cost is that a joint with a lasting impulse λ sags by keep·λ / ((1 − keep)·mass·bias_rate).
//
// The spring of joint_hertz and joint_damping_ratio, integrated implicitly, would give up 1/(1 +
// c), c = h·ω·(2ζ + h·ω). Blocks give up half of that. Limits, whose effective masses are often
// small, give up a tenth (joint_give_share, limit_give_share).
//
// Limits, motors and springs are scalar rows (kernels/solve_joint_rows.h). Their effective masses
// are those that remain while the block holds, and each impulse of a row includes the block's
// response. Solving the block and then the rows is an exact solution of the joint.
//
// Eight joints of a class are solved at once (joint_bundle.h), one colour after the other
// (joint_colouring.h). Everything that follows from the poses is measured once per substep, after
// they have changed. If bodies have several joints, Gauss–Seidel passes over all joints approach
// the common solution. The biased solve, which decides where bodies go, has more passes than the
// relax phase. The relax phase runs backward, so that loads travel both ways.
//
// Chains and trees of joints that carry much more than their own bodies are solved directly
// instead: solver/joint_trees.h.

/// Fills the bundles of the awake joints. Call it after contacts have been prepared.
void prepare_joints(Cluster& cluster);
/// Recomputes arms, errors and effective masses of all joints for the current poses.
void measure_joints(Cluster& cluster);
void measure_joints(Cluster& cluster, const JointView& view);
/// Runs the biased solve of the joints. Call it after velocities were integrated.
void hold_joints(Cluster& cluster);
/// Runs the relax phase of the joints: removes the velocities that they do not allow. Call it after
/// positions have moved. Measures the joints again first, and corrects positions at the end of the
/// last substep (solver/mend_joints.h).
void relax_joints(Cluster& cluster, bool is_last);
/// Sets negligible and non-finite impulses to zero, and stores the impulses of joints with
/// coordinates.
void settle_joints(Cluster& cluster);
/// Stores the impulses for the next step and for callers that read them.
void store_joint_impulses(Cluster& cluster);

}  // namespace jostle::physics
