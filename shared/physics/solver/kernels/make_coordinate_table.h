#pragma once

#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/measure_coordinates_kernel.h"
#include "shared/physics/solver/kernels/solve_coordinates_kernel.h"
#include "shared/physics/stabilizers/joint_positions/mend_joints_kernel.h"

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

/// Returns the kernels of joints with coordinates for the lane type `F`.
template <typename F>
consteval CoordinateKernelTable make_coordinate_table() {
  return make_coordinate_kernels<F>(std::make_index_sequence<coordinate_class_count>());
}

}  // namespace jostle::physics
