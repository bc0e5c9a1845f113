#pragma once

#include "shared/physics/detail/stage_log.h"
#include "shared/physics/events.h"
#include "shared/physics/solver/joint_arrays.h"
#include "shared/physics/solver/solver_arrays.h"
#include "shared/physics/stabilizers/adaptive_substeps/island_paths.h"

#include <vector>

namespace jostle::physics {

/// Scratch arrays for solving clusters one after the other, and the events, paths and timings of
/// these clusters, which the rest of the step reads.
struct ClusterArrays {
  SolverArrays solver;
  JointArrays joint_solver;
  std::vector<ContactBegin> begins;
  std::vector<ContactHit> hits;
  std::vector<IslandPath> paths;
  StageLog log;
};

}  // namespace jostle::physics
