#pragma once

namespace jostle::physics {

struct WorldState;

/// Gives memory back that lists of a step hold and have not needed for most of it: those of a world
/// most of which has come to rest, or whose first step made many contacts at once.
void release_spare_memory(WorldState& world);

}  // namespace jostle::physics
