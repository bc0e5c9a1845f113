#pragma once

#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/kernels/kernel_table.h"

namespace jostle::physics {

/// Returns the view of the solver's arrays for the kernels. It is valid until one of the arrays is
/// resized.
inline KernelView make_kernel_view(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  KernelView view;
  view.velocities = &solver.velocities[0].linear.x;
  view.motions = &solver.motions[0].offset.x;
  view.inertias = &solver.inertias[0].xx;
  view.gains = &solver.gains[0].linear.x;
  view.body_blocks = solver.body_blocks.data();
  view.turned_lanes = solver.turned_lanes.data();
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [&](auto& bundles, auto& records) {
      view.bundles[count - 1] = bundles.data();
      view.records[count - 1] = records.data();
    });
    if (solver.has_restitution) view.bounces[count - 1] = solver.bounces[count - 1].data();
    if (solver.has_resistance) view.resistances[count - 1] = solver.resistances[count - 1].data();
    if (solver.has_belts) view.belts[count - 1] = solver.belts[count - 1].data();
    if (solver.has_grips) view.grips[count - 1] = solver.grips[count - 1].data();
    if (solver.has_locks) view.locks[count - 1] = solver.locks[count - 1].data();
  }
  view.softness = solver.softness;
  view.substep_seconds = solver.substep_seconds;
  view.max_linear_speed = cluster.world.options.max_linear_speed;
  view.max_angular_speed = cluster.world.options.max_angular_speed;
  view.max_push_speed = cluster.world.options.max_contact_push_speed;
  view.restitution_threshold = cluster.world.options.restitution_threshold;
  return view;
}

}  // namespace jostle::physics
