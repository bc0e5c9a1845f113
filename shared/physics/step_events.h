#pragma once

namespace jostle::physics {

struct WorldState;

/// Drops the events of the step before.
void begin_events(WorldState& world);
/// Brings the events of this step, and of the calls before it, into their order, and counts.
void finish_events(WorldState& world);

}  // namespace jostle::physics
