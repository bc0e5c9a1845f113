#pragma once

#include "shared/sim/simulation.h"
#include "shared/state/label.h"

#include <memory>
#include <vector>

namespace jostle::sim {

/// Returns new rules of the kinds of a simulation, for another simulation of the same run.
std::vector<std::unique_ptr<Rule>> new_rules(const Simulation& simulation);

/// Returns the values that the rules show to a player; those for all clients if `player` is null.
/// At most state::max_shown_values.
state::Labels shown_values(const Simulation& simulation, state::PlayerId player);

}  // namespace jostle::sim
