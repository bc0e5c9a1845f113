#pragma once

#include "shared/physics/detail/world_state.h"
#include "shared/physics/workers/worker_pool.h"

#include <cstdint>
#include <span>

namespace jostle::physics {

/// Whole islands on their way through the solver (solver/clusters.h). Bodies have the same index in
/// all arrays of `solver`: 1 for the first of `bodies`; 0 is the immovable body.
struct Cluster {
  WorldState& world;
  workers::WorkerPool& workers;           // that share its loops
  std::span<const std::uint32_t> bodies;  // slots
  std::span<const ActingContact> contacts;
  std::span<const std::uint32_t> joints;  // slots
  SolverArrays& solver;
  JointArrays& joint_solver;
  std::vector<ContactBegin>& begins;  // events of the step go there
  std::vector<ContactHit>& hits;
  StageLog& log;
  bool is_large = false;  // a single island, and no small one
};

}  // namespace jostle::physics
