#pragma once

#include <cstdint>
#include <span>

namespace jostle::physics {

struct Cluster;
struct WorldState;

// Adaptive substeps of fast mechanisms. Light links between heavy bodies whip: for a short time
// they turn fast, while nearly all of the energy passes through them. RATTLE
// (solver/joint_solver.h) has no drift of energy, but only while bodies turn little in a substep.
// Beyond that, the energy that a whip passes on depends on how its motion is divided into substeps,
// and the prediction of the rotations (stabilizers/articulations/joint_trees.h) has to be scaled
// down or does not converge.
//
// The step of an island is therefore repeated from its start with more substeps if, in one of its
// substeps,
//
// - a link, or a rod of a distance joint, has turned too far (`refined_turn`), or
// - the prediction of a tree was scaled down or did not converge, or
// - an impact started with another energy than the bodies had. The impulses of joints act along the
//   directions of the start of the substep, and an impact is solved along those of its end. If the
//   bodies turn in between, the difference does work. If more substeps do not reduce the error, it
//   has another cause, and the island is not refined further.
//
// Only islands are refined all of whose joints are equations of trees, without limits, motors and
// springs, and all of whose contacts have restitution: there, little else takes up energy. Such an
// island has a cluster of its own, so that other islands are not repeated. The cost of an island is
// bounded, so that long chains have few more substeps or none. A body that turns about its own
// anchor, like a wheel, does not count as a link.

/// Sets Island::may_be_refined. Call it after the islands have been found, if any joint is in a
/// tree.
void find_refinable_islands(WorldState& world);
/// Notes the kinetic energies of the bodies (SolverArrays::energies_before). Call it after
/// velocities were integrated.
void note_energies(Cluster& cluster);
/// Raises Cluster::impact_error to the relative difference between the kinetic energy of the bodies
/// of an impact and that at the start of the substep. `energy` is that without the impulses of
/// contacts, doubled, in J.
void compare_energies(Cluster& cluster, std::span<const std::uint32_t> bodies, double energy);
/// Returns true if the last substep was too long for one of the cluster's trees. Then multiplies
/// Cluster::refinement by a power of two. The step must be repeated.
bool refine_cluster(Cluster& cluster);

}  // namespace jostle::physics
