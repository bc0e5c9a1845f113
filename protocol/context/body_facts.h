#pragma once

#include "protocol/context/references.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <vector>

namespace jostle::protocol::context {

/// Maximum number of player bodies that are coded before all other bodies, in the order of ids.
/// Other bodies are predicted from the nearest player body, which is searched for each of them.
inline constexpr std::size_t max_leading_bodies = 32;

/// Returns the facts of the moving bodies of a world, in the order of ids. They depend only on the
/// world definition, so they are the same on every machine.
std::vector<BodyFacts> facts_of(const state::WorldDef& world);

}  // namespace jostle::protocol::context
