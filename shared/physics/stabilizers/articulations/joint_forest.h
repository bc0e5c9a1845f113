#pragma once

namespace jostle::physics {

struct WorldState;

/// Finds the trees of joints that can be solved directly (JointRecord::tree), and decides which of
/// them must be (is_tree_needed). Does nothing if WorldState::is_forest_stale is false. The flag
/// becomes true if a joint is added or removed, gains or loses coordinates, or if a jointed body
/// changes its mass or type.
///
/// A tree must be solved directly if any of these is true:
///
/// - Its joints carry so much mass that passes over joints would not converge.
/// - Several joints connect the same two bodies, or one body and the world. Passes solve one joint
/// at a time, so these joints would work against each other.
/// - A body has three or more joints whose other bodies are heavy compared to it, for example the
///   hub of a fan.
///
/// The result depends only on the joints, and on the masses, moments of inertia and types of the
/// bodies. Passes solve a set of connected bodies if its joints close a loop through more than two
/// bodies. They also solve it if more than TreeEdge::max_parts joints connect two of its bodies.
/// Finally, they solve a set that is joined to the world at several bodies, unless one of the cases
/// above is true.
void find_joint_forest(WorldState& world);

}  // namespace jostle::physics
