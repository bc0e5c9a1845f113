#pragma once

#include "shared/physics/collision/kernels/surface_kernels.h"
#include "shared/physics/solver/kernels/body_kernels.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/solver/kernels/prepare_contacts_kernel.h"
#include "shared/physics/solver/kernels/solve_contacts_kernel.h"
#include "shared/physics/solver/kernels/store_contacts_kernel.h"

namespace jostle::physics {

/// Returns all kernels for the lane type `F`. `joints` is the table of joint kernels for the same
/// type.
template <typename F>
consteval KernelTable make_kernel_table(const JointKernelTable& joints) {
  using namespace kernels;
  return {
      .prepare_bodies = prepare_bodies<F>,
      .integrate_velocities = integrate_velocities<F>,
      .note_warm_start = note_warm_start<F>,
      .integrate_positions = integrate_positions<F>,
      .prepare_contacts = {prepare_contacts<F, 1>, prepare_contacts<F, 2>, prepare_contacts<F, 3>,
                           prepare_contacts<F, 4>},
      .measure_contacts = {measure_turned<F, 1>, measure_turned<F, 2>, measure_turned<F, 3>,
                           measure_turned<F, 4>},
      .warm_start = {warm_start<F, 1>, warm_start<F, 2>, warm_start<F, 3>, warm_start<F, 4>},
      .note_carried = {note_carried<F, 1>, note_carried<F, 2>, note_carried<F, 3>,
                       note_carried<F, 4>},
      .solve = {solve<F, 1, true>, solve<F, 2, true>, solve<F, 3, true>, solve<F, 4, true>},
      .relax = {solve<F, 1, false>, solve<F, 2, false>, solve<F, 3, false>, solve<F, 4, false>},
      .restitute = {restitute<F, 1>, restitute<F, 2>, restitute<F, 3>, restitute<F, 4>},
      .store_contacts = {store_contacts<F, 1>, store_contacts<F, 2>, store_contacts<F, 3>,
                         store_contacts<F, 4>},
      .joints = joints,
      .surfaces = make_surface_kernels<F>(),
  };
}

}  // namespace jostle::physics
