#pragma once

#include "shared/physics/events.h"

#include <vector>

namespace jostle::physics {

struct WorldState;

/// Sort end events by their two handles, the order in which they are reported.
void sort_ends(std::vector<ContactEnd>& ends);
void sort_ends(std::vector<SensorEnd>& ends);
/// Discards the events of the previous step.
void begin_events(WorldState& world);
/// Sorts the events of this step, and of the calls before it, and fills StepStats.
void finish_events(WorldState& world);

}  // namespace jostle::physics
