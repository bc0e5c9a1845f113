#pragma once

#include "shared/physics/events.h"

#include <vector>

namespace jostle::physics {

struct WorldState;

/// The order in which ends are reported.
void sort_ends(std::vector<ContactEnd>& ends);
void sort_ends(std::vector<SensorEnd>& ends);
/// Drops the events of the step before.
void begin_events(WorldState& world);
/// Brings the events of this step, and of the calls before it, into their order, and counts.
void finish_events(WorldState& world);

}  // namespace jostle::physics
