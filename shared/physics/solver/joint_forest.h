#pragma once

namespace jostle::physics {

struct WorldState;

/// Finds the trees of joints that can be solved directly (JointRecord::tree), and whether they need
/// to be (is_tree_needed). A tree is needed in each of these cases:
///
/// - Its joints carry so much that passes over joints would not converge.
/// - Several joints hold the same two bodies, or one body and the world. In passes they would work
///   against each other.
/// - Three or more arms of a body are together heavy relative to it, as the blades of a fan are.
///
/// The result follows from the joints, and from the masses, moments and types of the bodies. Joints
/// are left to passes if they close a loop through more than two bodies, or if more than
/// TreeEdge::max_parts of them hold the same two (solver/joint_trees.h).
void find_joint_forest(WorldState& world);

}  // namespace jostle::physics
