#pragma once

#include "shared/physics/detail/world_state.h"
#include "shared/physics/workers/worker_pool.h"

#include <cstdint>
#include <span>

namespace jostle::physics {

/// One or more whole islands that are solved together (islands/clusters.h). A body has the same
/// index in all arrays of `solver`: 0 is the immovable body, 1 is the first of `bodies`.
struct Cluster {
  WorldState& world;
  workers::WorkerPool& workers;           // threads that share the loops of this cluster
  std::span<const std::uint32_t> bodies;  // body slots
  std::span<const ActingContact> contacts;
  std::span<const std::uint32_t> joints;  // joint slots
  SolverArrays& solver;
  JointArrays& joint_solver;
  std::vector<ContactBegin>& begins;  // begin events of the step are appended here
  std::vector<ContactHit>& hits;
  std::vector<IslandPath>& paths;  // the path of the cluster's island is appended here
  StageLog& log;
  bool may_be_refined = false;   // true if it is a single island that may have more substeps
  bool may_be_squeezed = false;  // ClusterRange::may_be_squeezed
  std::uint32_t refinement =
      1;  // factor of the number of substeps (stabilizers/adaptive_substeps/refine_islands.h)
  // Largest relative error of the energy with which an impact of the substep started.
  double impact_error = 0;
  bool keeps_path = false;  // true if the last entry of `paths` is the island's (island_paths.h)

  int substeps() const { return world.options.substeps * static_cast<int>(refinement); }
};

/// Returns true if a body of the cluster is dynamic and has joints.
inline bool has_joints(const Cluster& cluster, const SolverBody& body) {
  return body.is_dynamic && cluster.world.bodies[body.body].first_joint_edge != no_index;
}
/// The same for a solver index.
inline bool has_joints(const Cluster& cluster, std::uint32_t body) {
  return has_joints(cluster, cluster.solver.bodies[body]);
}

}  // namespace jostle::physics
