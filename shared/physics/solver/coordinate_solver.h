#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/kernels/joint_view.h"

namespace jostle::physics {

struct Cluster;

// Wheels, six-axis joints, servos, gears, racks, pulleys and bungees, by coordinates: numbers x(q)
// that follow from how the two bodies stand, up to six of a joint. Each has a row of the Jacobian,
// ẋ = J·v, with any forces and torques on the two bodies, and is locked or has scalar rows that act
// on it: spring, motor, friction, limits. They are solved in the two phases of the other joints
// (solver/joint_solver.h), after these where a phase runs forward and before them where it runs
// backward, and with the same rules of softness, warm starting and momenta.
//
// With K = J·M⁻¹·Jᵀ of all coordinates and B those that are locked, the symmetric sweep of K over B
// (Beaton 1964; Goodnight, "A tutorial on the SWEEP operator", 1979) leaves in its place
//
//   −K_BB⁻¹          locked impulses by locked speeds: λ_B = −K_BB⁻¹·u_B
//   K_BB⁻¹·K_BF      what the locks answer to a unit impulse of a row: λ_B −= K_BB⁻¹·K_BF·λ_F
//   K_FF − K_FB·K_BB⁻¹·K_BF    what a row then does to its own speed and to those of other rows
//
// so that all locks of a joint, up to six, are solved at once, and each row as if they were rigid.
// A pivot that vanishes means that the other locks hold the coordinate, or that nothing can move
// it: it is left out. Of joints of bodies with locks, where that is usual, K is swept in doubles
// (solver/locked_coordinates.h).
//
// The hold phase asks that x be right after positions have moved. It foresees that: the end of the
// substep is worked out by the rotation h·ω by which each body will have turned
// (kernels/coordinate_values.h), and u is (x₊ − x)/h. Differences are formed of small quantities,
// so that they do not round. What x fails already is brought back as the other joints do.
//
// Gears and racks follow turns: what their bodies turned about their axes between two measurements
// is added up, and no angle wraps.

/// Lays out and fills the bundles of the awake joints that have coordinates, and marks their bodies
/// in JointArrays::is_jointed.
void prepare_coordinates(Cluster& cluster);
/// One kernel over all bundles, one colour after the other, or in any order.
void measure_coordinates(Cluster& cluster, const JointView& view);
void warm_start_coordinates(Cluster& cluster, const JointView& view, JointPhase phase);
void solve_coordinates(Cluster& cluster, const JointView& view, JointPhase phase);
/// Writes impulses back for the next step and for readers.
void store_coordinates(Cluster& cluster, const JointView& view);

}  // namespace jostle::physics
