#pragma once

#include "shared/physics/detail/joint_record.h"

namespace jostle::physics {

struct Cluster;
struct JointView;

// Joints are solved by sequential impulses over substeps h in the form of RATTLE (Andersen 1983).
// At the end of each substep, both positions and velocities satisfy the joint. The method is of
// second order and without drift of energy, while bodies turn little in a substep and their inertia
// is not increased (stabilizers/geometric_stiffness/taut_bodies.h). A substep integrates forces and
// then has two phases, the biased solve (HoldPhase) and the relax phase (RelaxPhase).
//
//   v += h·M⁻¹f        gravity and forces (integrate_velocities)
//   biased:  v += M⁻¹J(q)ᵀλ so that the joint holds after  q += h·v  (integrate_positions)
//   relax:   v += M⁻¹J(q)ᵀμ so that  J(q)·v = 0  at the new q
//
// λ and μ differ: each provides one half of the centripetal force. They are therefore stored
// separately, and each phase is warm started with the impulse that the same phase had in the
// previous substep. Trees are not warm started.
//
// The block of a joint consists of P, the force impulse on b at the anchor, and T, the torque
// impulse on b, which are solved together. Let r_a, r_b be the anchors relative to the centres of
// mass.
//
//   e_p = v_b + ω_b × r_b − v_a − ω_a × r_a     relative velocity of the anchors
//   e_t = ω_b − ω_a                             relative angular velocity
//   K = (m_a⁻¹ + m_b⁻¹)·1 − [r_a]I_a⁻¹[r_a] − [r_b]I_b⁻¹[r_b]      change of e_p per P
//   C = −[r_a]I_a⁻¹ − [r_b]I_b⁻¹                                   change of e_p per T
//   N = I_a⁻¹ + I_b⁻¹                                              change of e_t per T
//
// If the joint constrains only some directions of T (columns of U) and of P (columns of V),
//
//   A = U(UᵀNU)⁻¹Uᵀ,  S = K − C·A·Cᵀ,  B = V(VᵀSV)⁻¹Vᵀ
//   P = −B(e_p − C·A·e_t),  T = −A(e_t + Cᵀ·P)
//
// A is zero for ball and distance joints; it has rank 1 for universal joints, rank 2 for hinges,
// and rank 3 for fixed joints and sliders. B has rank 2 for sliders, rank 1 for distance joints of
// fixed length, rank 0 for other distance joints, and rank 3 for all other joints.
//
// The biased solve adds these terms to e_p and e_t:
//
// - The position error times bias_rate (solver/contact_solver.h).
// - The rotation of the arms within the substep, which the velocities contain only to first order.
// - The half kick of bodies in free flight, which move on parabolas.
// - The difference of the gyroscopic rotations, if the joint alone holds its bodies.
//
// Errors are corrected no faster than max_anchor_push_speed and max_turn_push_speed.
//
// A joint that is solved by passes, not in a tree, is soft if other constraints act on its bodies
// as well. In each pass of the biased solve, its block gives up the share `keep` of its impulse.
// The part that responds to the rows' impulses is excepted. Otherwise rows would act without the
// block, and turn a light body by far more than the joint allows. With softness, joints that
// contradict each other or a contact reach a compromise. In return, a joint with a lasting impulse
// λ sags by keep·λ / ((1 − keep)·mass·bias_rate).
//
// An implicitly integrated spring of joint_hertz and joint_damping_ratio would give up the share
// 1/(1 + c), c = h·ω·(2ζ + h·ω). Blocks give up half of this share. Limits, whose effective masses
// are often small, give up a tenth (joint_give_share, limit_give_share).
//
// Limits, motors and springs are scalar rows (kernels/solve_joint_rows.h). The effective mass of a
// row includes the block's response, and each impulse of a row is applied together with this
// response. Solving the block and then a row is therefore an exact solution of the two.
//
// Eight joints of a class are solved at once (joint_bundle.h), one colour after the other
// (joint_colouring.h). All values that follow from the poses are measured at the start of the step,
// and in each substep after positions have moved. If bodies have several joints, Gauss–Seidel
// passes over all joints approach the common solution. The biased solve determines the positions
// and therefore has more passes than the relax phase. The relax phase runs through the colours in
// reverse order, so that loads propagate in both directions.
//
// Chains and trees of joints that carry heavy loads are solved directly instead:
// stabilizers/articulations/joint_trees.h.

/// Colours the awake joints, finds their trees, fills their bundles and measures them. Call it
/// after contacts have been prepared.
void prepare_joints(Cluster& cluster);
/// Recomputes arms, errors and effective masses of all joints for the current poses. With a `view`
/// of position correction (JointView::mending), recomputes only those of joints with a body that
/// was moved.
void measure_joints(Cluster& cluster);
void measure_joints(Cluster& cluster, const JointView& view);
/// Runs the biased solve of the joints. Call it after velocities were integrated. In the last
/// substep (`is_last`) it also completes the tautness of bodies in trees
/// (stabilizers/geometric_stiffness/taut_trees.h).
void hold_joints(Cluster& cluster, bool is_last);
/// Solves the joints of an island of trees that bounces (refine_islands.h) again after its
/// contacts. An impact stops a body at the surface; without this, the joint of this body would open
/// within the substep, and closing it would cost energy. The contact may overlap instead, which
/// does not matter where shapes bounce. Does nothing if bodies of the island have locks.
void hold_trees_again(Cluster& cluster);
/// Runs the relax phase of the joints: removes the velocities that they do not allow. Call it after
/// positions have moved. Measures the joints first. In the last substep (`is_last`) it then also
/// corrects their positions (stabilizers/joint_positions/mend_joints.h).
void relax_joints(Cluster& cluster, bool is_last);
/// Sets impulses that are tiny, too large or not finite to zero, and stores the impulses of joints
/// with coordinates.
void settle_joints(Cluster& cluster);
/// Calls settle_joints, and stores the impulses in the records of the other joints.
void store_joint_impulses(Cluster& cluster);

}  // namespace jostle::physics
