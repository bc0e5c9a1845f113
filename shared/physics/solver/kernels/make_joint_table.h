#pragma once

#include "shared/physics/solver/kernels/joint_body_kernels.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/kernels/measure_coordinates_kernel.h"
#include "shared/physics/solver/kernels/measure_joints_kernel.h"
#include "shared/physics/solver/kernels/mend_joints_kernel.h"
#include "shared/physics/solver/kernels/solve_coordinates_kernel.h"
#include "shared/physics/solver/kernels/solve_joints_kernel.h"

#include <utility>

namespace jostle::physics {

template <typename F, std::size_t... Class>
consteval CoordinateKernelTable make_coordinate_kernels(std::index_sequence<Class...>) {
  using namespace kernels;
  return {
      .measure = {measure_coordinates<F, CoordinateClass{Class}>...},
      .warm_start = {{warm_start_coordinates<F, CoordinateClass{Class}, HoldPhase>...},
                     {warm_start_coordinates<F, CoordinateClass{Class}, RelaxPhase>...}},
      .solve = {{solve_coordinates<F, CoordinateClass{Class}, HoldPhase>...},
                {solve_coordinates<F, CoordinateClass{Class}, RelaxPhase>...}},
      .mend = {mend_coordinates<F, CoordinateClass{Class}>...},
      .settle = {settle_coordinates<F, CoordinateClass{Class}>...},
  };
}

template <typename F, std::size_t... Class>
consteval JointKernelTable make_joint_kernels(std::index_sequence<Class...>) {
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
      .coordinates = make_coordinate_kernels<F>(std::make_index_sequence<coordinate_class_count>()),
  };
}

/// Returns all joint kernels for the lanes `F`.
template <typename F>
consteval JointKernelTable make_joint_table() {
  return make_joint_kernels<F>(std::make_index_sequence<joint_class_count>());
}

}  // namespace jostle::physics
