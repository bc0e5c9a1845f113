#pragma once

#include "shared/physics/detail/records.h"

#include <cstdint>

namespace jostle::physics {

struct Cluster;

// Bodies with motion locks (state/motion_locks.h). The kernels that integrate bodies do not handle
// locks. If the rotation of a body is locked, they treat the body like one with equal principal
// moments, whose ω does not change by itself. Its inverse inertia has zeros for the locked axes
// (body_state.h), so that no impulse turns the body about them. If the body can turn about one axis
// only, this is exact, because its moment about that axis is constant. If it can turn about two
// axes, ω is updated once per step from the angular momentum. For translation, contacts and joints
// treat the mass along locked axes as infinite (lock_bundle.h).

/// Sets the inertia and gains of a body if its rotation is locked about any axis. Call it after the
/// kernel prepare_bodies, which sets the values without locks. `torque_gain` is the angular impulse
/// of the torque in a substep, N·m·s.
void prepare_locked_body(Cluster& cluster, std::uint32_t index, const Body& body,
                         math::Vec3 torque_gain);

/// Sets rotation, angular velocity and angular momentum after the step. `before` and `after` are
/// the rotations at its start and end. `angular` is the solver's angular velocity, which belongs to
/// the inertia of the rotation `before`.
void finish_locked_rotation(math::Quat before, math::Quat after, math::Vec3 angular, Body& body);
/// Returns the position after the step. Its coordinates along locked axes are exactly those of
/// `before`.
math::Position locked_position(MotionLocks locks, const math::Position& before,
                               const math::Position& after);

}  // namespace jostle::physics
