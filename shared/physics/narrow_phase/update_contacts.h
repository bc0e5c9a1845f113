#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// Lists the contacts of this step, updates their manifolds for the current poses, and copies the
/// impulses of persistent points to the new points (warm starting). If an active body touches a
/// sleeping one, or will within this step, the sleeping body wakes with its island.
void update_contacts(WorldState& world);

}  // namespace jostle::physics
