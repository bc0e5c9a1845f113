#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// Lists the contacts of this step, updates their manifolds for the current poses, and copies the
/// impulses of persistent points to the new points (warm starting). A sleeping body wakes with its
/// island if an awake dynamic body or a moving kinematic body touches it, or will within this step.
void update_contacts(WorldState& world);

}  // namespace jostle::physics
