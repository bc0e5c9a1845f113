#pragma once

namespace jostle::physics {

struct Cluster;

// Velocities answer what a joint fails of its position, but not all of it: soft joints sag under
// lasting loads, passes do not find the common solution of a blow, and contacts are solved after
// joints. What is left at the end of a step is taken from positions alone, by nonlinear
// Gauss-Seidel with over-relaxation: moves M⁻¹Jᵀλ that bring together every joint which fails by
// more than mended_gap or mended_turn, its limits included. Momenta do not change, so that the
// angular velocity of a body that is turned follows its inertia. (Cline and
// Pai, "Post-stabilization for rigid body simulation with contact and constraints", 2003; Müller et
// al., "Position based dynamics", 2007.)
//
// Within a round joints are as linear as they were measured; after each, those of moved bodies are
// measured anew. Trees (joint_trees.h) are mended at once if one of their joints is to be. A joint
// is looked at when one of its bodies was moved by another: what a joint does depends on its island
// alone, not on who else is in its cluster or bundle, and most joints of most steps cost one look.
//
// Islands that make a cluster of their own for their size (clusters.h) are left as they are: passes
// carry a correction by about a joint each, and a sheet of thousands would need hundreds.

/// At the end of the last substep, after measure_joints.
void mend_joints(Cluster& cluster);

}  // namespace jostle::physics
