#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// Lists the contacts of this step, brings their manifolds up to date with the poses, and takes the
/// impulses of points that are still there over to the new points.
/// A sleeping body that an active one touches, or will within this step, wakes with all that
/// it touches.
void update_contacts(WorldState& world);

}  // namespace jostle::physics
