#pragma once

#include "shared/physics/detail/joint_record.h"

namespace jostle::physics {

struct Cluster;
struct JointTree;

// The active set of the ropes in a tree (solver/joint_trees.h). Both functions return true if the
// set has changed; the tree must then be factored again.

/// Chooses the ropes that may be taut in a phase. Call it before the first solution.
bool choose_taut_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase);
/// Releases the ropes that push after the solution, with the share `share` of the prediction.
bool release_pushing_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase, double share);

}  // namespace jostle::physics
