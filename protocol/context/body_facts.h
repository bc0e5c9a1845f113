#pragma once

#include "protocol/context/references.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <vector>

namespace jostle::protocol::context {

/// So many bodies of players are coded before all others, the first by id: what others do is
/// predicted from the nearest of these, which are looked through for each body.
inline constexpr std::size_t max_leading_bodies = 32;

/// Of the moving bodies of a world, by id: the same on every machine, from the definition that the
/// server sends.
std::vector<BodyFacts> facts_of(const state::WorldDef& world);

}  // namespace jostle::protocol::context
