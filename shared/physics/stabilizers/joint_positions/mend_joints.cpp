#include "shared/physics/stabilizers/joint_positions/mend_joints.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_runs.h"

#include <algorithm>

namespace jostle::physics {
namespace {

/// Maximum number of rounds, each of which ends with a new measurement, and of passes in a round.
constexpr int max_rounds = 16, max_passes = 6;

/// Sets all displacements to zero. The solver's velocity array holds them while joint positions are
/// corrected.
void begin_moves(Cluster& cluster) {
  const std::vector<SolverVelocity>& velocities = cluster.joint_solver.moves;
  std::vector<SolverVelocity>& moves = cluster.solver.velocities;
  moves.resize(velocities.size());
  for (std::size_t i = 0; i < moves.size(); ++i)
    moves[i] = {{}, velocities[i].inverse_mass, {}, 0};
}

/// Runs a kernel over one colour and advances the time (MendingView::now). Joints of the serial
/// colour may share bodies, and are processed one after the other.
template <typename ClassKernels>
void mend_colour(Cluster& cluster, JointView& view, const ColourBlocks& cut,
                 const ClassKernels& kernels, const ColourRange& colour) {
  ++view.mending.now;
  const auto block_at = [&](std::uint32_t i) { return cut.blocks[colour.first + i]; };
  const std::uint32_t count = colour.last - colour.first;
  if (!colour.is_serial) {
    cluster.workers.for_each_block(count, [&](std::uint32_t i) {
      kernels[block_at(i).kind](view, block_at(i).first, block_at(i).last);
    });
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t k = block_at(i).first; k < block_at(i).last; ++k, ++view.mending.now)
      kernels[block_at(i).kind](view, k, k + 1);
  }
}

/// Runs one pass over all joints and trees.
void mend_once(Cluster& cluster, JointView& view) {
  const JointArrays& arrays = cluster.joint_solver;
  const JointKernelTable& kernels = cluster.world.runtime.kernels->joints;
  for (const ColourRange& colour : arrays.blocks.colours)
    mend_colour(cluster, view, arrays.blocks, kernels.mend, colour);
  if (!arrays.coordinates.bundles.empty()) {
    const CoordinateArrays& coordinates = arrays.coordinates;
    for (const ColourRange& colour : coordinates.blocks.colours)
      mend_colour(cluster, view, coordinates.blocks, kernels.coordinates.mend, colour);
  }
  if (!arrays.trees.trees.empty()) {
    run_all(cluster, view, kernels.note_failure);
    ++view.mending.now;
    mend_joint_trees(cluster, view.mending);
  }
}

bool has_moved(const JointArrays& arrays, std::uint32_t since) {
  return std::ranges::any_of(arrays.moved, [&](std::uint32_t time) { return since < time; });
}

/// Marks all joints as checked at the time `since`. The joints of bodies that were moved later are
/// then checked again.
void look_again(JointArrays& arrays, std::uint32_t since) {
  arrays.looked.assign(arrays.bundles.size(), since);
  arrays.looked_at_coordinates.assign(arrays.coordinates.bundles.size(), since);
  for (JointTree& tree : arrays.trees.trees)
    tree.looked = since;
}

/// Runs passes until a pass moves no body, at most `max_passes`. Returns true if any body was
/// moved.
bool mend_round(Cluster& cluster, JointView& view) {
  const std::uint32_t start = view.mending.since = view.mending.now;
  for (int pass = 0; pass < max_passes; ++pass) {
    const std::uint32_t before = view.mending.now;
    mend_once(cluster, view);
    if (!has_moved(cluster.joint_solver, before)) break;
  }
  return has_moved(cluster.joint_solver, start);
}

/// Starts a correction in which all joints are checked. Returns its view.
JointView begin(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  arrays.moved.assign(cluster.solver.bodies.size(), 1);
  look_again(arrays, 0);
  std::swap(cluster.solver.velocities, arrays.moves);
  begin_moves(cluster);
  JointView view = make_joint_view(cluster);
  view.mending = {
      true, 1, arrays.moved.data(), arrays.looked.data(), arrays.looked_at_coordinates.data(), 1};
  return view;
}

/// Updates the angular velocities of bodies that were turned, so that they keep their angular
/// momentum.
void follow_momenta(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  for (std::size_t body = 1; body < solver.bodies.size(); ++body) {
    if (cluster.joint_solver.moved[body] <= 1 || !solver.bodies[body].is_dynamic) continue;
    BodyBlock& block = solver.body_blocks[body / lane_count];
    const std::size_t lane = body % lane_count;
    if (block.is_isotropic[lane] > 0.0f || solver.bodies[body].locks != 0) continue;
    const math::Quat rotation = rotation_of(block.rotation, lane);
    const math::Vec3 momentum = vector_of(block.angular_momentum, lane);
    math::Vec3& angular = solver.velocities[body].angular;
    const math::Vec3 now = rotate(rotation, matrix_of(block.inverse_inertia_local, lane) *
                                                inverse_rotate(rotation, momentum));
    set(block.base_angular, lane, vector_of(block.base_angular, lane) + (now - angular));
    set(block.reference_angular, lane, now);
    angular = now;
  }
}

}  // namespace

void mend_joints(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  if (!cluster.world.uses(Stabilizer::JointPositions)) return;
  JointView view = begin(cluster);
  for (int round = 0; round < max_rounds; ++round) {
    if (!mend_round(cluster, view)) break;
    run_bodies(cluster, view, cluster.world.runtime.kernels->joints.move_mended);
    begin_moves(cluster);
    measure_joints(cluster, view);
    look_again(arrays, view.mending.since);
  }
  std::swap(cluster.solver.velocities, arrays.moves);
  follow_momenta(cluster);
}

}  // namespace jostle::physics
