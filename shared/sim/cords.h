#pragma once

#include "shared/physics/world.h"
#include "shared/state/cord.h"

#include <vector>

namespace jostle::sim {

/// Returns distance joints and pulleys as cords for drawing, in the order of the joints; at most
/// state::max_shown_cords.
std::vector<state::Cord> capture_cords(const physics::World& world);

}  // namespace jostle::sim
