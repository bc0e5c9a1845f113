#pragma once

#include "shared/physics/detail/records.h"

#include <cstdint>

namespace jostle::physics {

struct Cluster;

// Bodies with locks (state/locks.h). The lanes that integrate bodies know nothing of them: a body
// whose turning is locked counts as one of equal moments, whose ω stays by itself, with the inverse
// inertia of its free axes, which is zero along the others (body_state.h). So nothing that acts on
// it by that matrix turns it about a locked axis. Where it turns about one axis alone this is
// exact: its moment about that does not change. About two it is brought up to date once a step, by
// its angular momentum. What acts by the inverse mass, contacts and joints, takes the mass along
// locked axes to be without end (lock_bundle.h).

/// After the kernel has prepared the body as one that has no moments at all. `torque_gain` is what
/// the torque brings in a substep, N·m·s.
void prepare_locked_body(Cluster& cluster, std::uint32_t index, const Body& body,
                         math::Vec3 torque_gain);

/// The rotation that the step leaves: `angular` is the solver's velocity, by the inertia of the
/// rotation before.
void finish_locked_rotation(math::Quat before, math::Quat after, math::Vec3 angular, Body& body);
/// Where the body does not move along locked axes, it keeps its place along them bit by bit.
math::Position locked_position(Locks locks, const math::Position& before,
                               const math::Position& after);

}  // namespace jostle::physics
