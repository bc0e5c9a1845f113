#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/kernels/joint_view.h"

namespace jostle::physics {

struct Cluster;

// Wheels, six-DOF joints, servos, gears, racks, pulleys and bungees (tension-only distance joints)
// are solved by coordinates. A coordinate x(q) is a length or an angle that follows from the poses
// of the two bodies; a joint has up to six. Each coordinate has a row of the Jacobian, ẋ = J·v,
// with a force and a torque for each body. A coordinate is either locked, or scalar rows act on it:
// spring, motor, friction, limits. Coordinates are solved in the same two phases as other joints
// (solver/joint_solver.h). In the biased solve they come after the other joints, in the relax phase
// before them. Softness, warm starting and angular momenta are handled as for other joints.
//
// Let K = J·M⁻¹·Jᵀ for all coordinates of a joint. B is the set of locked coordinates, F that of
// the others. The symmetric sweep of K over B (Beaton 1964; Goodnight, "A tutorial on the SWEEP
// operator", 1979) replaces K with
//
//   −K_BB⁻¹          from locked speeds to locked impulses: λ_B = −K_BB⁻¹·u_B
//   K_BB⁻¹·K_BF      response of the locks to a row's unit impulse: λ_B −= K_BB⁻¹·K_BF·λ_F
//   K_FF − K_FB·K_BB⁻¹·K_BF    response of the rows' speeds while the locks hold
//
// All locks of a joint, up to six, are thus solved at once, and each row is solved as if the locks
// were rigid. If the pivot of a coordinate vanishes, either the other locks hold the coordinate
// already, or nothing can move it. The lock of this coordinate is then left out. Vanishing pivots
// are common if the bodies have motion locks; for such joints K is swept in doubles
// (solver/locked_coordinates.h).
//
// The biased solve must make x correct for the positions at the end of the substep. It predicts
// this value x₊ from the rotation h·ω of each body (kernels/coordinate_values.h), and solves for
// the speed u = (x₊ − x)/h. The difference is computed from small quantities, so that it does not
// cancel. Existing errors of x are corrected like those of other joints.
//
// Gears and racks accumulate the rotations of their bodies about their axes from one measurement to
// the next. The accumulated angle therefore does not wrap.

/// Lays out and fills the bundles of the awake joints that have coordinates, and marks their bodies
/// in JointArrays::is_jointed.
void prepare_coordinates(Cluster& cluster);
/// Recomputes values, Jacobians and effective masses of all bundles. During position correction,
/// only bundles with a body that was moved are recomputed.
void measure_coordinates(Cluster& cluster, const JointView& view);
/// Applies the impulses that `phase` had in the previous substep (warm starting), one colour after
/// the other. Colours are in ascending order in the biased solve, in descending order in the relax
/// phase.
void warm_start_coordinates(Cluster& cluster, const JointView& view, JointPhase phase);
/// Runs one pass of `phase` over all bundles, in the same order of colours as
/// warm_start_coordinates.
void solve_coordinates(Cluster& cluster, const JointView& view, JointPhase phase);
/// Clears impulses that are tiny, too large or not finite. Stores the impulses in the records of
/// the joints, for the next step and for callers that read them.
void store_coordinates(Cluster& cluster, const JointView& view);

}  // namespace jostle::physics
