#pragma once

#include "protocol/context/references.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <vector>

namespace jostle::protocol::context {

/// Maximum number of player bodies that are coded before all other bodies, in the order of ids. It
/// bounds the time to find the nearest player body for each other body.
inline constexpr std::size_t max_leading_bodies = 32;

/// Returns the BodyFacts of the moving bodies of a world, in the order of ids. The result depends
/// only on the world definition, so it is the same on every machine.
std::vector<BodyFacts> facts_of(const state::WorldDef& world);

}  // namespace jostle::protocol::context
