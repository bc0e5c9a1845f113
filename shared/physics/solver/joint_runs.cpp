#include "shared/physics/solver/joint_runs.h"

#include "shared/physics/solver/cluster.h"

namespace jostle::physics {
namespace {

/// Number of blocks, of eight bodies each, in one unit of parallel work.
constexpr std::uint32_t blocks_per_piece = 32;

// Kernels read these as eight floats.
static_assert(sizeof(JointedPose) == 32 && sizeof(JointedMomentum) == 32 &&
              sizeof(JointedTurn) == 32);

void run_colour(Cluster& cluster, const JointView& view, JointClassKernels kernels,
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
  const auto blocks = static_cast<std::uint32_t>(cluster.joint_solver.body_blocks.size());
  cluster.workers.for_each_block((blocks + blocks_per_piece - 1) / blocks_per_piece,
                                 [&](std::uint32_t i) {
                                   const std::uint32_t first = i * blocks_per_piece;
                                   const std::uint32_t end = first + blocks_per_piece;
                                   kernel(view, first, end < blocks ? end : blocks);
                                 });
}

void run_all(Cluster& cluster, const JointView& view, JointClassKernels kernels) {
  const ColourBlocks& cut = cluster.joint_solver.blocks;
  cluster.workers.for_each_block(static_cast<std::uint32_t>(cut.order.size()),
                                 [&](std::uint32_t i) {
                                   const ColourBlock& block = cut.blocks[cut.order[i]];
                                   kernels[block.kind](view, block.first, block.last);
                                 });
}

void run_forward(Cluster& cluster, const JointView& view, JointClassKernels kernels) {
  for (const ColourRange& colour : cluster.joint_solver.blocks.colours)
    run_colour(cluster, view, kernels, colour);
}
void run_backward(Cluster& cluster, const JointView& view, JointClassKernels kernels) {
  const std::vector<ColourRange>& colours = cluster.joint_solver.blocks.colours;
  for (std::size_t i = colours.size(); i > 0; --i)
    run_colour(cluster, view, kernels, colours[i - 1]);
}

}  // namespace jostle::physics
