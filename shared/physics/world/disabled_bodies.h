#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// A disabled body keeps its properties, pose, velocity, shapes, joints and attached fields. The
// body is removed from every list and tree that a step or a query visits. It is not an active body,
// its shapes are in no tree, and its joints are unlinked (JointRecord::is_linked). It is not in
// WorldState::bonded_bodies. A disabled body therefore costs nothing, and no stage of a step has to
// handle it.
//
// Transient state is lost: contacts, overlaps with sensors, the warm-start impulses of its joints,
// forces for the next step, the target of move_kinematic, and the sleep timer.

/// Removes the body from the simulation. Wakes the dynamic bodies that touched it, were joined to
/// it or acted on it by fields.
void disable_body(WorldState& world, std::uint32_t body);
/// Inserts the body again, awake, as if it were newly created at its pose.
void enable_body(WorldState& world, std::uint32_t body);

}  // namespace jostle::physics
