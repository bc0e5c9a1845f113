#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/coordinate_solver.h"
#include "shared/physics/solver/joint_runs.h"
#include "shared/physics/solver/joint_solver.h"
#include "shared/physics/stabilizers/geometric_stiffness/taut_trees.h"
#include "shared/physics/stabilizers/joint_positions/mend_joints.h"

namespace jostle::physics {
namespace {

void solve_trees(Cluster& cluster, const JointView& view, JointPhase phase, int pass) {
  if (cluster.joint_solver.trees.trees.empty()) return;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  if (phase == HoldPhase) run_bodies(cluster, view, kernels.predict_turns);
  run_all(cluster, view, kernels.note_asked[phase]);
  solve_joint_trees(cluster, phase, pass);
}

}  // namespace

void measure_joints(Cluster& cluster) {
  measure_joints(cluster, make_joint_view(cluster));
}

void measure_joints(Cluster& cluster, const JointView& view) {
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  run_bodies(cluster, view, kernels.place_bodies);
  run_all(cluster, view, kernels.measure);
  factor_joint_trees(cluster, view.mending);
  measure_coordinates(cluster, view);
}

void hold_joints(Cluster& cluster, bool is_last) {
  if (cluster.joints.empty()) return;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  const JointView view = make_joint_view(cluster);
  begin_hold(cluster.joint_solver.trees);
  run_bodies(cluster, view, kernels.begin_phase[HoldPhase]);
  run_forward(cluster, view, kernels.warm_start[HoldPhase]);
  warm_start_coordinates(cluster, view, HoldPhase);
  if (is_last) limit_tautness_by_trees(cluster);
  solve_trees(cluster, view, HoldPhase, 0);
  for (int pass = 1; pass <= joint_hold_passes; ++pass) {
    run_forward(cluster, view, kernels.solve[HoldPhase]);
    solve_coordinates(cluster, view, HoldPhase);
    solve_trees(cluster, view, HoldPhase, pass);
  }
  for (int pass = joint_hold_passes + 1; pass <= max_tree_passes; ++pass) {
    if (!has_unsettled(cluster.joint_solver.trees)) break;
    solve_trees(cluster, view, HoldPhase, pass);
  }
  run_bodies(cluster, view, kernels.end_phase);
}

void hold_trees_again(Cluster& cluster) {
  // Impacts of bodies with locks gain energy in short substeps. Holding their joints here would
  // feed this gain.
  if (!cluster.may_be_refined || !cluster.solver.has_restitution || cluster.solver.has_locks)
    return;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  const JointView view = make_joint_view(cluster);
  begin_hold(cluster.joint_solver.trees);
  run_bodies(cluster, view, kernels.begin_phase[RelaxPhase]);
  for (int pass = 1; pass <= max_tree_passes; ++pass) {
    solve_trees(cluster, view, HoldPhase, pass);
    if (!has_unsettled(cluster.joint_solver.trees)) break;
  }
  run_bodies(cluster, view, kernels.end_phase);
}

void relax_joints(Cluster& cluster, bool is_last) {
  if (cluster.joints.empty()) return;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  const JointView view = make_joint_view(cluster);
  measure_joints(cluster);
  if (is_last) mend_joints(cluster);
  run_bodies(cluster, view, kernels.begin_phase[RelaxPhase]);
  warm_start_coordinates(cluster, view, RelaxPhase);
  run_backward(cluster, view, kernels.warm_start[RelaxPhase]);
  solve_trees(cluster, view, RelaxPhase, 0);
  for (int pass = 1; pass <= joint_relax_passes; ++pass) {
    solve_coordinates(cluster, view, RelaxPhase);
    run_backward(cluster, view, kernels.solve[RelaxPhase]);
    solve_trees(cluster, view, RelaxPhase, pass);
  }
  run_bodies(cluster, view, kernels.end_phase);
}

void settle_joints(Cluster& cluster) {
  if (cluster.joints.empty()) return;
  const JointView view = make_joint_view(cluster);
  run_all(cluster, view, cluster.world.runtime.kernels->joints.settle);
  store_coordinates(cluster, view);
}

}  // namespace jostle::physics
