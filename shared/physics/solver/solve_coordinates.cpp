#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/colour_runs.h"
#include "shared/physics/solver/coordinate_solver.h"

namespace jostle::physics {
namespace {

using ClassKernels = const JointKernel (&)[coordinate_class_count];

void run_coordinate_colour(Cluster& cluster, const JointView& view, ClassKernels kernels,
                           const ColourRange& colour) {
  run_colour(cluster.workers, cluster.joint_solver.coordinates.blocks, colour,
             [&](const ColourBlock& block) { kernels[block.kind](view, block.first, block.last); });
}

/// Runs kernels one colour after the other: in ascending order in the biased solve, in descending
/// order in the relax phase.
void run_in_order(Cluster& cluster, const JointView& view, ClassKernels kernels, JointPhase phase) {
  const std::vector<ColourRange>& colours = cluster.joint_solver.coordinates.blocks.colours;
  for (std::size_t i = 0; i < colours.size(); ++i)
    run_coordinate_colour(cluster, view, kernels,
                          colours[phase == HoldPhase ? i : colours.size() - 1 - i]);
}

const CoordinateKernelTable& kernels_of(const Cluster& cluster) {
  return cluster.world.runtime.kernels->joints.coordinates;
}

}  // namespace

void measure_coordinates(Cluster& cluster, const JointView& view) {
  const ColourBlocks& cut = cluster.joint_solver.coordinates.blocks;
  const CoordinateKernelTable& kernels = kernels_of(cluster);
  cluster.workers.for_each_block(static_cast<std::uint32_t>(cut.order.size()),
                                 [&](std::uint32_t i) {
                                   const ColourBlock& block = cut.blocks[cut.order[i]];
                                   kernels.measure[block.kind](view, block.first, block.last);
                                 });
}

void warm_start_coordinates(Cluster& cluster, const JointView& view, JointPhase phase) {
  run_in_order(cluster, view, kernels_of(cluster).warm_start[phase], phase);
}

void solve_coordinates(Cluster& cluster, const JointView& view, JointPhase phase) {
  run_in_order(cluster, view, kernels_of(cluster).solve[phase], phase);
}

}  // namespace jostle::physics
