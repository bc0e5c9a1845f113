#pragma once

#include "shared/physics/detail/joint_record.h"

namespace jostle::physics {

struct Cluster;
struct JointTree;

// The active set of the ropes in a tree (stabilizers/articulations/joint_trees.h). Both functions
// return true if the set has changed; the tree must then be factored again.

/// Chooses the ropes that may be taut in a phase. Call it before the first solution.
bool choose_taut_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase);
/// Corrects the set after a solution with the share `share` of the prediction: releases taut ropes
/// that push, and adds slack ropes that are too long. `round` counts the calls in a phase from 0.
bool correct_taut_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase, double share,
                        int round);

}  // namespace jostle::physics
