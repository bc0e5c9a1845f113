#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/kernels/joint_view.h"

namespace jostle::physics {

struct Cluster;

// Wheels, six-DOF joints, servos, gears, racks, pulleys and bungees are solved by coordinates: up
// to six numbers x(q) per joint that follow from the poses of the two bodies. Each coordinate has a
// row of the Jacobian, ẋ = J·v, with any forces and torques on the two bodies. It is locked, or it
// has scalar rows that act on it: spring, motor, friction, limits. Coordinates are solved in the
// same two phases as other joints (solver/joint_solver.h): after them in the phase that runs
// forward, and before them in the phase that runs backward. The rules for softness, warm starting
// and momenta are also the same.
//
// Let K = J·M⁻¹·Jᵀ of all coordinates, and B the locked ones. The symmetric sweep of K over B
// (Beaton 1964; Goodnight, "A tutorial on the SWEEP operator", 1979) replaces K with
//
//   −K_BB⁻¹          from locked speeds to locked impulses: λ_B = −K_BB⁻¹·u_B
//   K_BB⁻¹·K_BF      response of the locks to a row's unit impulse: λ_B −= K_BB⁻¹·K_BF·λ_F
//   K_FF − K_FB·K_BB⁻¹·K_BF    response of the rows' speeds, with the locks holding
//
// All locks of a joint, up to six, are thus solved at once, and each row as if they were rigid. A
// pivot that vanishes means that the other locks hold the coordinate already, or that nothing can
// move it: it is left out. This is common for joints of bodies with locks; for them K is swept in
// doubles (solver/locked_coordinates.h).
//
// The biased solve requires x to be right after positions have moved. It predicts x₊ at the end of
// the substep from the rotation h·ω by which each body will have turned
// (kernels/coordinate_values.h), and uses u = (x₊ − x)/h. Differences are formed of small
// quantities, so that rounding does not matter. Existing errors of x are corrected like those of
// other joints.
//
// Gears and racks add up the rotations of their bodies about their axes from one measurement to the
// next, so that no angle wraps.

/// Lays out and fills the bundles of the awake joints that have coordinates, and marks their bodies
/// in JointArrays::is_jointed.
void prepare_coordinates(Cluster& cluster);
/// Recomputes values, Jacobians and effective masses of all bundles, in any order.
void measure_coordinates(Cluster& cluster, const JointView& view);
/// Runs a kernel over all bundles, one colour after the other: forward in the biased solve,
/// backward in the relax phase.
void warm_start_coordinates(Cluster& cluster, const JointView& view, JointPhase phase);
void solve_coordinates(Cluster& cluster, const JointView& view, JointPhase phase);
/// Stores the impulses for the next step and for callers that read them.
void store_coordinates(Cluster& cluster, const JointView& view);

}  // namespace jostle::physics
