#pragma once

#include "shared/physics/detail/records.h"

#include <cstdint>

namespace jostle::physics {

struct Cluster;

// Bodies with locks (state/motion_locks.h). The kernels that integrate bodies do not know about
// locks. A body with locked rotation counts as one with equal principal moments, whose ω does not
// change by itself. Its inverse inertia is that of its free axes, and zero along the others
// (body_state.h), so nothing that acts by that matrix turns it about a locked axis. If it turns
// about one axis only, this is exact: its moment about that axis is constant. If it turns about
// two, ω is updated once per step from the angular momentum. Contacts and joints also act by the
// inverse mass; they treat the mass along locked axes as infinite (lock_bundle.h).

/// Sets the inertia and gains of a body with locked rotation. Call it after the kernel has prepared
/// the body as one without moments of inertia. `torque_gain` is the impulse of the torque in a
/// substep, N·m·s.
void prepare_locked_body(Cluster& cluster, std::uint32_t index, const Body& body,
                         math::Vec3 torque_gain);

/// Sets rotation, angular velocity and angular momentum after the step. `angular` is the solver's
/// velocity, which belongs to the inertia of the rotation `before`.
void finish_locked_rotation(math::Quat before, math::Quat after, math::Vec3 angular, Body& body);
/// Returns the position after the step. The coordinates along locked axes keep their exact values.
math::Position locked_position(MotionLocks locks, const math::Position& before,
                               const math::Position& after);

}  // namespace jostle::physics
