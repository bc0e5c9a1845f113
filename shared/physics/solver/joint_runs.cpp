#include "shared/physics/solver/joint_runs.h"

#include "shared/physics/detail/ranges.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/colour_runs.h"

namespace jostle::physics {
namespace {

// Kernels read these as eight floats.
static_assert(sizeof(JointedPose) == 32 && sizeof(JointedMomentum) == 32 &&
              sizeof(JointedTurn) == 32);

void run_joint_colour(Cluster& cluster, const JointView& view, JointClassKernels kernels,
                      const ColourRange& colour) {
  run_colour(cluster.workers, cluster.joint_solver.blocks, colour,
             [&](const ColourBlock& block) { kernels[block.kind](view, block.first, block.last); });
}

}  // namespace

JointView make_joint_view(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  JointArrays& arrays = cluster.joint_solver;
  JointView view;
  view.velocities = &solver.velocities[0].linear.x;
  view.motions = &solver.motions[0].offset.x;
  view.poses = &arrays.poses[0].rotation.x;
  view.inertias = &arrays.inertias[0].xx;
  view.momenta = &arrays.momenta[0].angular.x;
  view.turns = &arrays.turns[0].turn.x;
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

void run_bodies(Cluster& cluster, const JointView& view, JointKernel kernel) {
  for_each_range(cluster.workers, cluster.joint_solver.body_blocks.size(), body_blocks_per_piece,
                 [&](Range range) {
                   kernel(view, static_cast<std::uint32_t>(range.first),
                          static_cast<std::uint32_t>(range.last));
                 });
}

void run_all(Cluster& cluster, const JointView& view, JointClassKernels kernels) {
  run_all_blocks(cluster.workers, cluster.joint_solver.blocks, [&](const ColourBlock& block) {
    kernels[block.kind](view, block.first, block.last);
  });
}

void run_forward(Cluster& cluster, const JointView& view, JointClassKernels kernels) {
  for (const ColourRange& colour : cluster.joint_solver.blocks.colours)
    run_joint_colour(cluster, view, kernels, colour);
}
void run_backward(Cluster& cluster, const JointView& view, JointClassKernels kernels) {
  const std::vector<ColourRange>& colours = cluster.joint_solver.blocks.colours;
  for (std::size_t i = colours.size(); i > 0; --i)
    run_joint_colour(cluster, view, kernels, colours[i - 1]);
}

}  // namespace jostle::physics
