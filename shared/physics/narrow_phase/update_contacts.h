#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// Brings the manifolds of all listed contacts up to date with the poses, takes the impulses of
/// points that are still there over to the new points, and ends contacts whose boxes have parted.
/// A sleeping body that an active one touches, or will within this step, wakes with all that
/// it touches.
void update_contacts(WorldState& world);

}  // namespace jostle::physics
