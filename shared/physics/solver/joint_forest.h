#pragma once

namespace jostle::physics {

struct WorldState;

/// Finds the trees of joints that carry so much that passes over joints would not be through with
/// it: JointRecord::tree. It follows from the joints, and from the masses and kinds of bodies.
/// Where joints close a loop by way of more than two bodies nothing is solved at once
/// (solver/joint_trees.h).
void find_joint_forest(WorldState& world);

}  // namespace jostle::physics
