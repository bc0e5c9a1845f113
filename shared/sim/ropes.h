#pragma once

#include "shared/physics/world.h"
#include "shared/state/rope.h"

#include <vector>

namespace jostle::sim {

/// Returns distance joints and pulleys as ropes for drawing, in the order of the joints; at most
/// state::max_shown_ropes. A pulley has three ropes. Joints of disabled bodies are left out.
std::vector<state::Rope> capture_ropes(const physics::World& world);

}  // namespace jostle::sim
