#pragma once

namespace jostle::physics {

struct Cluster;

// Position correction of joints. The velocity solver corrects only a part of a joint's position
// error. Soft joints sag under lasting loads, passes do not converge in an impact, and contacts are
// solved after joints. The error at the end of a step is corrected by non-linear Gauss–Seidel
// projection of the positions, with over-relaxation. Displacements M⁻¹Jᵀλ correct every joint,
// including its limits, whose error exceeds mended_gap or mended_turn. Momenta do not change. If a
// correction rotates a body, its angular velocity is therefore recomputed for the new inertia.
// (Cline and Pai, "Post-stabilization for rigid body simulation with contact and constraints",
// 2003; Müller et al., "Position based dynamics", 2007.)
//
// A round of passes uses the joints as linearised at the last measurement. After the round, the
// joints of moved bodies are measured again. If one joint of a tree (joint_trees.h) exceeds its
// tolerance, the whole tree is corrected. After the first check, a joint is checked again only if a
// body of the joint was moved since. The result of a joint therefore depends on its island alone,
// not on other islands in its cluster or bundle. Most joints need one check per step. Passes
// propagate a correction by about one joint each. An error that many joints of a large sheet share
// is therefore corrected over several steps.

/// Corrects the positions of all joints. Call it in the last substep, after measure_joints and
/// before the relax phase.
void mend_joints(Cluster& cluster);

}  // namespace jostle::physics
