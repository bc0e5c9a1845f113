#pragma once

#include "shared/physics/solver/kernels/joint_body_kernels.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/measure_joints_kernel.h"
#include "shared/physics/solver/kernels/mend_joints_kernel.h"
#include "shared/physics/solver/kernels/solve_joints_kernel.h"

#include <utility>

namespace jostle::physics {

template <typename F, std::size_t... Class>
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
      .coordinates = coordinates,
  };
}

/// Returns all joint kernels for the lane type `F`. `coordinates` is the table of coordinate
/// kernels for the same type.
template <typename F>
consteval JointKernelTable make_joint_table(const CoordinateKernelTable& coordinates) {
  return make_joint_kernels<F>(coordinates, std::make_index_sequence<joint_class_count>());
}

}  // namespace jostle::physics
