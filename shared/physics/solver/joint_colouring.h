#pragma once

namespace jostle::physics {

struct Cluster;

/// Assigns a graph colour to every awake joint without coordinates, so that no two joints of a
/// colour share a dynamic body. Then lays out the bundles: by colour, then by class, then by slot.
/// The colouring is greedy in the order of slots. Joints whose bodies already use all colours go
/// into an overflow colour, as contacts do (colouring.h).
void colour_joints(Cluster& cluster);

}  // namespace jostle::physics
