#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// A body that is switched off keeps what it is, where it is and how fast, its shapes, its joints
// and the fields that stand on it, and is in none of the lists and trees that a step or a query
// looks at: it is not among the active bodies, its shapes are in no tree, its joints are linked to
// nothing (JointRecord::is_linked), and what it bears of charges and poles is not listed. So it
// costs nothing, and no stage of the step knows of it.
//
// What is lost is what belongs to the way that it was in the world: contacts and the impulses of
// its joints, forces for the next step, a target that it was moved to, and how long it had been
// slow.

/// Takes the body out: what touched it, was joined to it or moved with it by fields wakes.
void switch_off(WorldState& world, std::uint32_t body);
/// Brings it back as if it came new to where it stands, awake.
void switch_on(WorldState& world, std::uint32_t body);

}  // namespace jostle::physics
