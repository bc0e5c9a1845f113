#pragma once

#include "shared/sim/simulation.h"
#include "shared/state/command.h"
#include "shared/state/ids.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::server {

/// Returns the name of the player's body in the world; null if there is none yet.
std::optional<std::string> player_name(const sim::Simulation& simulation, state::PlayerId player);

/// Returns the names of all players in the world, including those that wait in a reconnect slot,
/// and of those that join by a command in `pending`.
std::vector<std::string> player_names(const sim::Simulation& simulation,
                                      std::span<const state::Command> pending);

/// Returns `wanted`, or if a name in `taken` looks the same, the first of "NAME (2)", "NAME (3)"
/// and so on that is free. A long name is cut, so that the result has at most
/// protocol::max_name_bytes. Contract: all names are valid (protocol::name_fault).
std::string free_player_name(const std::string& wanted, std::span<const std::string> taken);

}  // namespace jostle::server
