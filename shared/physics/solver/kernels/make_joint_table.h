#pragma once

#include "shared/physics/solver/kernels/joint_body_kernels.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/measure_joints_kernel.h"
#include "shared/physics/solver/kernels/solve_joints_kernel.h"
#include "shared/physics/stabilizers/articulations/factor_tree_kernel.h"
#include "shared/physics/stabilizers/articulations/solve_tree_kernel.h"
#include "shared/physics/stabilizers/joint_positions/mend_joints_kernel.h"

#include <utility>

namespace jostle::physics {

template <typename F, typename D>
consteval TreeKernelTable make_tree_kernels() {
  using namespace kernels;
  return {
      .factor = factor_tree<D>,
      .respond = respond_as_tree<D>,
      .read_errors = {read_tree_errors<F, D, false>, read_tree_errors<F, D, true>},
      .solve = {solve_tree<D, 1>, solve_tree<D, 2>},
      .add_impulses = {add_tree_impulses<D, HoldPhase>, add_tree_impulses<D, RelaxPhase>},
      .add_changes = add_tree_changes<D>,
  };
}

template <typename F, typename D, std::size_t... Class>
consteval JointKernelTable make_joint_kernels(const CoordinateKernelTable& coordinates,
                                              std::index_sequence<Class...>) {
  using namespace kernels;
  return {
      .place_bodies = place_jointed_bodies<F>,
      .begin_phase = {begin_joint_phase<F, HoldPhase>, begin_joint_phase<F, RelaxPhase>},
      .end_phase = end_joint_phase<F>,
      .predict_turns = predict_turns<F>,
      .move_mended = move_mended_bodies<F>,
      .measure = {measure_joints<F, joint_classes[Class]>...},
      .warm_start = {{warm_start_joints<F, joint_classes[Class], HoldPhase>...},
                     {warm_start_joints<F, joint_classes[Class], RelaxPhase>...}},
      .solve = {{solve_joints<F, joint_classes[Class], HoldPhase>...},
                {solve_joints<F, joint_classes[Class], RelaxPhase>...}},
      .note_asked = {{note_asked_speeds<F, joint_classes[Class], HoldPhase>...},
                     {note_asked_speeds<F, joint_classes[Class], RelaxPhase>...}},
      .mend = {mend_joints<F, joint_classes[Class]>...},
      .note_failure = {note_failure<F, joint_classes[Class]>...},
      .settle = {settle_joints<F, joint_classes[Class]>...},
      .trees = make_tree_kernels<F, D>(),
      .coordinates = coordinates,
  };
}

/// Returns all joint kernels for the lane types `F` (Floats) and `D` (Doubles). `coordinates` is
/// the table of coordinate kernels for the same instruction set.
template <typename F, typename D>
consteval JointKernelTable make_joint_table(const CoordinateKernelTable& coordinates) {
  return make_joint_kernels<F, D>(coordinates, std::make_index_sequence<joint_class_count>());
}

}  // namespace jostle::physics
