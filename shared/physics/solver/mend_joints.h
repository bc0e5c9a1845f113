#pragma once

namespace jostle::physics {

struct Cluster;

// Position correction of joints. Velocities correct only a part of a joint's position error: soft
// joints sag under lasting loads, passes do not find the common solution of an impact, and contacts
// are solved after joints. The error that is left at the end of a step is removed from positions
// alone, by non-linear Gauss–Seidel projection with over-relaxation. Displacements M⁻¹Jᵀλ bring
// together every joint whose error exceeds mended_gap or mended_turn, its limits included. Momenta
// do not change, so that the angular velocity of a turned body follows its inertia. (Cline and Pai,
// "Post-stabilization for rigid body simulation with contact and constraints", 2003; Müller et al.,
// "Position based dynamics", 2007.)
//
// A round uses the joints linearised at the last measurement; after it, the joints of moved bodies
// are measured again. A tree (joint_trees.h) is corrected as a whole if one of its joints needs it.
// After the first check, a joint is checked only if another joint has moved one of its bodies. Its
// result therefore depends on its island alone, not on what else is in its cluster or bundle. Most
// joints of most steps cost one check.
//
// An island that is a cluster of its own because of its size (clusters.h) is not corrected. Passes
// carry a correction by about one joint each, and a sheet of thousands would need hundreds of
// passes.

/// Corrects the positions of all joints. Call it at the end of the last substep, after
/// measure_joints.
void mend_joints(Cluster& cluster);

}  // namespace jostle::physics
