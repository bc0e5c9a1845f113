#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/coordinate_solver.h"
#include "shared/physics/solver/joint_solver.h"

namespace jostle::physics {
namespace {

/// Blocks of eight bodies that make one piece of parallel work.
constexpr std::uint32_t blocks_per_piece = 32;

JointView make_view(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  JointArrays& arrays = cluster.joint_solver;
  JointView view;
  view.velocities = &solver.velocities[0].linear.x;
  view.motions = &solver.motions[0].offset.x;
  view.poses = &arrays.poses[0].rotation.x;
  view.inertias = &arrays.inertias[0].xx;
  view.momenta = &arrays.momenta[0].angular.x;
  view.body_blocks = solver.body_blocks.data();
  view.jointed_blocks = arrays.body_blocks.data();
  view.bundles = arrays.bundles.data();
  view.coordinates = arrays.coordinates.bundles.data();
  if (!arrays.locks.empty()) view.locks = arrays.locks.data();
  view.softness = arrays.softness;
  view.limit_softness = arrays.limit_softness;
  view.max_linear_speed = cluster.world.options.max_linear_speed;
  view.max_angular_speed = cluster.world.options.max_angular_speed;
  view.substep_seconds = solver.substep_seconds;
  return view;
}

// Kernels read these by eight floats.
static_assert(sizeof(JointedPose) == 32 && sizeof(JointedMomentum) == 32);

void run_bodies(Cluster& cluster, const JointView& view, JointKernel kernel) {
  const auto blocks = static_cast<std::uint32_t>(cluster.joint_solver.body_blocks.size());
  cluster.workers.for_each_block((blocks + blocks_per_piece - 1) / blocks_per_piece,
                                 [&](std::uint32_t i) {
                                   const std::uint32_t first = i * blocks_per_piece;
                                   const std::uint32_t end = first + blocks_per_piece;
                                   kernel(view, first, end < blocks ? end : blocks);
                                 });
}

using ClassKernels = const JointKernel (&)[joint_class_count];

/// Runs a kernel over all joints, in any order.
void run_all(Cluster& cluster, const JointView& view, ClassKernels kernels) {
  const ColourBlocks& cut = cluster.joint_solver.blocks;
  cluster.workers.for_each_block(static_cast<std::uint32_t>(cut.order.size()),
                                 [&](std::uint32_t i) {
                                   const ColourBlock& block = cut.blocks[cut.order[i]];
                                   kernels[block.kind](view, block.first, block.last);
                                 });
}

void run_colour(Cluster& cluster, const JointView& view, ClassKernels kernels,
                const ColourRange& colour) {
  const std::vector<ColourBlock>& blocks = cluster.joint_solver.blocks.blocks;
  const auto run = [&](std::uint32_t i) {
    const ColourBlock& block = blocks[colour.first + i];
    kernels[block.kind](view, block.first, block.last);
  };
  const std::uint32_t count = colour.last - colour.first;
  if (colour.is_serial) {
    for (std::uint32_t i = 0; i < count; ++i)
      run(i);
  } else {
    cluster.workers.for_each_block(count, run);
  }
}

/// Runs a kernel over all joints, one colour after the other.
void run_forward(Cluster& cluster, const JointView& view, ClassKernels kernels) {
  for (const ColourRange& colour : cluster.joint_solver.blocks.colours)
    run_colour(cluster, view, kernels, colour);
}
void run_backward(Cluster& cluster, const JointView& view, ClassKernels kernels) {
  const std::vector<ColourRange>& colours = cluster.joint_solver.blocks.colours;
  for (std::size_t i = colours.size(); i > 0; --i)
    run_colour(cluster, view, kernels, colours[i - 1]);
}

void solve_trees(Cluster& cluster, const JointView& view, JointPhase phase, int pass) {
  if (cluster.joint_solver.trees.trees.empty()) return;
  run_all(cluster, view, cluster.world.runtime.kernels->joints.note_asked[phase]);
  solve_joint_trees(cluster, phase, pass);
}

/// Joints by coordinates reckon with locks, but push along all axes: what they gave along locked
/// ones is gone.
void keep_locked_axes(Cluster& cluster) {
  if (!cluster.world.has_locks || cluster.joint_solver.coordinates.bundles.empty()) return;
  SolverArrays& solver = cluster.solver;
  for (std::size_t i = 1; i < solver.bodies.size(); ++i) {
    const state::Locks locks = solver.bodies[i].locks;
    if (state::linear_part(locks) == 0) continue;
    solver.velocities[i].linear = state::free_linear(locks, solver.velocities[i].linear);
  }
}

}  // namespace

void measure_joints(Cluster& cluster) {
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  const JointView view = make_view(cluster);
  run_bodies(cluster, view, kernels.place_bodies);
  run_all(cluster, view, kernels.measure);
  factor_joint_trees(cluster);
  measure_coordinates(cluster, view);
}

void hold_joints(Cluster& cluster) {
  if (cluster.joints.empty()) return;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  const JointView view = make_view(cluster);
  begin_hold(cluster.joint_solver.trees);
  run_bodies(cluster, view, kernels.begin_phase[HoldPhase]);
  run_forward(cluster, view, kernels.warm_start[HoldPhase]);
  warm_start_coordinates(cluster, view, HoldPhase);
  keep_locked_axes(cluster);
  solve_trees(cluster, view, HoldPhase, 0);
  for (int pass = 1; pass <= joint_hold_passes; ++pass) {
    run_forward(cluster, view, kernels.solve[HoldPhase]);
    solve_coordinates(cluster, view, HoldPhase);
    keep_locked_axes(cluster);
    solve_trees(cluster, view, HoldPhase, pass);
  }
  run_bodies(cluster, view, kernels.end_phase);
}

void relax_joints(Cluster& cluster) {
  if (cluster.joints.empty()) return;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  const JointView view = make_view(cluster);
  measure_joints(cluster);
  run_bodies(cluster, view, kernels.begin_phase[RelaxPhase]);
  warm_start_coordinates(cluster, view, RelaxPhase);
  keep_locked_axes(cluster);
  run_backward(cluster, view, kernels.warm_start[RelaxPhase]);
  solve_trees(cluster, view, RelaxPhase, 0);
  for (int pass = 1; pass <= joint_relax_passes; ++pass) {
    solve_coordinates(cluster, view, RelaxPhase);
    keep_locked_axes(cluster);
    run_backward(cluster, view, kernels.solve[RelaxPhase]);
    solve_trees(cluster, view, RelaxPhase, pass);
  }
  run_bodies(cluster, view, kernels.end_phase);
}

void settle_joints(Cluster& cluster) {
  if (cluster.joints.empty()) return;
  const JointView view = make_view(cluster);
  run_all(cluster, view, cluster.world.runtime.kernels->joints.settle);
  store_coordinates(cluster, view);
}

}  // namespace jostle::physics
