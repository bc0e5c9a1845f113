#pragma once

namespace jostle::physics {

struct WorldState;

/// Finds the trees of joints, JointRecord::tree, and whether they are needed (is_tree_needed): if
/// they carry so much that passes over joints would not be through with it, or if two bodies, or
/// one and the world, are held by several joints, which passes would play off against each other,
/// or if three arms and more of a body are heavy beside it together, as the blades of a fan are. It
/// follows from the joints, and from the masses, moments and kinds of bodies. Where joints close a
/// loop by way of more than two bodies, or more than TreeEdge::max_parts hold the same two, nothing
/// is solved at once (solver/joint_trees.h).
void find_joint_forest(WorldState& world);

}  // namespace jostle::physics
