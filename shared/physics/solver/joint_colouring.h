#pragma once

namespace jostle::physics {

struct Cluster;

/// Gives every awake joint a colour, so that no two of a colour share a body that the solver moves,
/// and lays the bundles out: by colour, then by class, then by slot.
///
/// Greedy by slot, as contacts are coloured (colouring.h); the overflow likewise.
void colour_joints(Cluster& cluster);

}  // namespace jostle::physics
