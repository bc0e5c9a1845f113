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

/// Returns the name that other players see: `name` in Normalization Form C. A name is returned
/// unchanged if it would then have more than protocol::max_name_bytes.
std::string displayed_player_name(const std::string& name);

/// Returns the part of a name that distinguishes it from others. Names with equal keys look much
/// the same: they differ only in case, in composed and compatible characters, in default-ignorable
/// code points or in the number of spaces between words. Letters of different scripts, such as
/// Latin a and Cyrillic а, are different.
std::string player_name_key(const std::string& name);

/// Returns `wanted`, or if a name in `taken` has the same key, the first of "NAME (2)", "NAME (3)"
/// and so on that is free. A long name is cut, so that the result has at most
/// protocol::max_name_bytes. Contract: all names are valid (protocol::name_fault).
std::string free_player_name(const std::string& wanted, std::span<const std::string> taken);

}  // namespace jostle::server
