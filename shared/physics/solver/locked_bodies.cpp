#include "shared/physics/solver/locked_bodies.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/world/body_state.h"

#include <bit>

namespace jostle::physics {

using math::Mat3;
using math::Vec3;

void prepare_locked_body(Cluster& cluster, std::uint32_t index, const Body& body,
                         Vec3 torque_gain) {
  if (angular_part(body.locks) == 0) return;
  SolverArrays& solver = cluster.solver;
  const Mat3 free = free_inertia(body) * body.taut_factor;
  const Mat3 inverse = inverse_free_inertia(free);
  solver.inertias[index] = {inverse.cx.x, inverse.cx.y, inverse.cx.z,
                            inverse.cy.y, inverse.cy.z, inverse.cz.z};
  BodyBlock& block = solver.body_blocks[index / lane_count];
  const std::size_t lane = index % lane_count;
  set(block.inertia, lane, free);
  const Vec3 gain = inverse * torque_gain;
  set(block.angular_gain, lane, gain);
  solver.gains[index].angular = gain;
}

void finish_locked_rotation(math::Quat before, math::Quat after, Vec3 angular, Body& body) {
  const MotionLocks turns = angular_part(body.locks);
  body.rotation = before;
  body.angular_velocity = free_angular(body.locks, angular);
  body.angular_momentum = {};
  if (turns == angular_part(state::lock_all)) return;
  const bool turns_about_two = std::popcount(turns) == 1;
  if (turns_about_two) update_angular_momentum(body);
  body.rotation = after;
  if (turns_about_two) {
    update_angular_velocity(body);
  } else {
    update_angular_momentum(body);
  }
}

math::Position locked_position(MotionLocks locks, const math::Position& before,
                               const math::Position& after) {
  return {(locks & state::lock_linear_x) != 0 ? before.x : after.x,
          (locks & state::lock_linear_y) != 0 ? before.y : after.y,
          (locks & state::lock_linear_z) != 0 ? before.z : after.z};
}

}  // namespace jostle::physics
