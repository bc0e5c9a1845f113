#pragma once

#include "shared/physics/detail/joint_record.h"

namespace jostle::physics {

struct Cluster;
struct JointView;

// Joints by sequential impulses over substeps h, in the form of RATTLE (Andersen 1983): positions
// and velocities both satisfy the joint at the end of each substep, which keeps the method of
// second order, and without drift of energy while bodies turn by little in a substep and are not so
// taut that they count as more inert (solver/taut_bodies.h). A substep is
//
//   v += h·M⁻¹f        gravity and forces (integrate_velocities)
//   hold:   v += M⁻¹J(q)ᵀλ so that the joint holds after  q += h·v  (integrate_positions)
//   relax:  v += M⁻¹J(q)ᵀμ so that  J(q)·v = 0  at the new q
//
// λ and μ differ: of the centripetal force each gives one half. They are therefore kept apart, and
// each phase begins with its own impulse of the substep before (warm start), but in trees.
//
// The block of a joint: P, the force impulse on b at the anchor, and T, the torque impulse on b,
// are solved together. With anchors r_a, r_b from the centres of mass,
//
//   e_p = v_b + ω_b × r_b − v_a − ω_a × r_a     velocity of the anchors against each other
//   e_t = ω_b − ω_a
//   K = (m_a⁻¹ + m_b⁻¹)·1 − [r_a]I_a⁻¹[r_a] − [r_b]I_b⁻¹[r_b]      e_p per P
//   C = −[r_a]I_a⁻¹ − [r_b]I_b⁻¹                                   e_p per T
//   N = I_a⁻¹ + I_b⁻¹                                              e_t per T
//
// and, where the joint holds only some directions of T (columns of U) and of P (columns of V),
//
//   A = U(UᵀNU)⁻¹Uᵀ,  S = K − C·A·Cᵀ,  B = V(VᵀSV)⁻¹Vᵀ
//   P = −B(e_p − C·A·e_t),  T = −A(e_t + Cᵀ·P)
//
// A is zero for ball and distance joints, has rank 2 for hinges and 3 for fixed joints and
// sliders; B has rank 3, 2 for sliders, 1 for rigid distances.
//
// The hold phase adds to e_p and e_t what position asks: bias_rate × error
// (solver/contact_solver.h), the turning of the arms within the substep, which velocities see only
// to first order, the half kick of bodies that move on parabolas, and, where the joint alone holds
// its bodies, what each would gyrate otherwise than the other.
// Errors are not answered faster than max_anchor_push_speed and max_turn_push_speed. Links of taut
// chains swing faster than substeps resolve, and count as more inert: solver/taut_bodies.h.
//
// A joint that passes solve and whose bodies are held by others, too, is soft: in each pass of the
// hold phase its block gives up the share `keep` of its impulse, but nothing of what answers the
// rows. Without these answers the rows would push alone, and turn a light body by far more than the
// joint lets it. That calms joints which contradict each other or a contact, but what bears a
// lasting impulse λ sags by keep·λ / ((1 − keep)·mass·bias_rate). The spring of joint_hertz and
// joint_damping_ratio, integrated implicitly, would give up 1/(1 + c), c = h·ω·(2ζ + h·ω); blocks
// give up half of that and limits, whose masses are often small, a tenth (joint_give_share,
// limit_give_share).
//
// Limits, motors and springs are scalar rows (kernels/solve_joint_rows.h). Their masses are those
// that remain when the block holds, and each brings the block's answer with it: block, then rows,
// is an exact solution of the joint.
//
// Eight joints of a class are solved at once (joint_bundle.h), one colour after the other
// (joint_colouring.h); everything that follows from the poses is measured once a substep, after
// they have changed. Where bodies have several joints, Gauss-Seidel passes over all joints approach
// the common solution. The hold phase, which decides where bodies go, has more of them than the
// relax phase; that one runs backward, so that loads travel both ways. Chains and trees of joints
// that carry much more than their own bodies are solved at once instead: solver/joint_trees.h.

/// Builds the bundles of the awake joints, after contacts have been prepared.
void prepare_joints(Cluster& cluster);
/// Arms, errors and masses of all joints as the bodies stand now.
void measure_joints(Cluster& cluster);
void measure_joints(Cluster& cluster, const JointView& view);
/// After velocities were integrated.
void hold_joints(Cluster& cluster);
/// After positions have moved: measures anew, at the end of the last substep mends positions
/// (solver/mend_joints.h), and takes from velocities what the joints do not let them have.
void relax_joints(Cluster& cluster, bool is_last);
/// Forgets impulses that mean nothing.
void settle_joints(Cluster& cluster);
/// Writes impulses back for the next step and for readers.
void store_joint_impulses(Cluster& cluster);

}  // namespace jostle::physics
