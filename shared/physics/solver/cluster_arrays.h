#pragma once

#include "shared/physics/detail/stage_log.h"
#include "shared/physics/events.h"
#include "shared/physics/solver/joint_arrays.h"
#include "shared/physics/solver/solver_arrays.h"

#include <vector>

namespace jostle::physics {

/// Scratch arrays in which clusters are solved one after the other, with the events and timings
/// that they leave for the rest of the step.
struct ClusterArrays {
  SolverArrays solver;
  JointArrays joint_solver;
  std::vector<ContactBegin> begins;
  std::vector<ContactHit> hits;
  StageLog log;
};

}  // namespace jostle::physics
