#pragma once

#include "shared/reference/rows.h"

namespace jostle::reference {

// Constraint rows of joints. Notation, all in world axes:
//
//   c_a, c_b          centres of mass             v_a, v_b, ω_a, ω_b   velocities
//   p_a, p_b          the two anchors             r_a = p_a − c_a, r_b = p_b − c_b, the arms
//   u = p_b − p_a     anchor offset               u̇ = v_b + ω_b × r_b − v_a − ω_a × r_a
//   x_a, y_a, z_a     axes of frame a, ẋ_a = ω_a × x_a, and so on; x is the axis of the joint
//
// 1. Sliding rows measure u along a direction d, which may change over time. Relative to a point
//    that is fixed to body a at the offset s_a from c_a, the velocity of p_b is
//
//      V = v_b + ω_b × r_b − v_a − ω_a × s_a,    Ċ = d·V
//      J = (−d, −s_a × d, d, r_b × d)
//      J̇·v = ḋ·V + d·(ω_b × ṙ_b − ω_a × ṡ_a),   ṙ_b = ω_b × r_b
//
//    ball, hinge, fixed   C = u·e for the three axes e of the world
//                         d = e, ḋ = 0, s_a = r_a, ṡ_a = ω_a × r_a
//    slider               C = u·y_a and u·z_a; u·x_a is its translation. As d turns with a,
//                         Ċ = d·u̇ + (ω_a × d)·u, which is d·V with s_a = r_a + u: the arm
//                         of body a reaches to the anchor of b. ḋ = ω_a × d, ṡ_a = ω_a × r_a + u̇
//    distance             C = |u| − rest, d = u/|u|, Ċ = d·u̇ since u̇ across u leaves |u| unchanged,
//                         ḋ = (u̇ − d·(d·u̇))/|u|, s_a = r_a
//
// 2. Perpendicular rows keep two axes at a right angle, e of b and f of a:
//
//      C = e·f,   Ċ = (ω_b × e)·f + e·(ω_a × f) = (e × f)·(ω_b − ω_a)
//      J = (0, −d, 0, d) with d = e × f,   J̇·v = ḋ·(ω_b − ω_a),   ḋ = (ω_b × e) × f + e × (ω_a × f)
//
//    hinge          x_b ⊥ y_a, x_b ⊥ z_a: only the rotation about x remains free
//    slider, fixed  y_b ⊥ z_a in addition: no rotation remains free
//
// C is the sine of the angular error. It is also zero if the frames are half a turn apart, so these
// rows only hold joints that start near their reference orientation.
//
// 3. Twist is the angle θ of b relative to a about x, for hinges and ball joints. Split the
//    rotation of b relative to a into a rotation about x (twist) and one about an axis
//    perpendicular to x (swing); then
//
//      θ̇ = d·(ω_b − ω_a),   d = (x_a + x_b)/(1 + x_a·x_b)
//
// and d is x if the two axes coincide (Baerlocher and Boulic, "Parametrization and range of motion
// of the ball-and-socket joint", 2001; the form follows from differentiating tan θ/2 = q_x/q_w).
//
// 4. Swing is the angle φ between x_a and x_b:
//
//      cos φ = x_a·x_b,   −sin φ·φ̇ = (x_b × x_a)·(ω_b − ω_a),   |x_a × x_b| = sin φ
//
// so that φ̇ = d·(ω_b − ω_a) with the unit vector d along x_a × x_b. At φ = 0 this direction is
// undefined; d is then y_a.
//
// A limit is C = value − lower ≥ 0 or C = upper − value ≥ 0, one-sided like a contact; a cone limit
// is C = angle − φ ≥ 0. A motor is a row with the target J·v = speed and bounded λ. A spring is a
// force
//
//   λ = −k·(value − rest) − c·J·v,   k = m·ω², c = 2·m·ζ·ω, ω = 2π·hertz
//
// where m is the effective mass of the row while the equality rows B of the joint hold:
//
//   1/m = A_rr − A_rB·A_BB⁻¹·A_Br

/// Returns the rows of one joint: equalities first, then spring, motor, lower and upper limit,
/// cone.
std::vector<Row> rows_of_joint(const System& system, std::size_t joint_index);

/// Returns the rows of all joints, in the order of the joints.
std::vector<Row> joint_rows(const System& system);

/// Return the positions of a joint's anchors in the world.
Vec3d anchor_a_of(const System& system, const Joint& joint);
Vec3d anchor_b_of(const System& system, const Joint& joint);

/// Returns the coordinate that a joint's limits, spring and motor act on. For hinges and ball
/// joints it is the twist (rad, in the turn nearest to the middle of the limits or, without limits,
/// to `rest`); for sliders the translation and for distance joints the distance of the anchors (m).
/// Returns 0 for fixed joints.
double value_of(const System& system, const Joint& joint);

}  // namespace jostle::reference
