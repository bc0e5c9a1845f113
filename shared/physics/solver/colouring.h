#pragma once

namespace jostle::physics {

struct Cluster;

/// Assigns a graph colour to every manifold of the contacts that act, so that no two manifolds of a
/// colour share a dynamic body. Then lays out the bundles: those of each point count are sorted by
/// colour and, within a colour, follow the order of the contact list.
///
/// The colouring is greedy in the order of the contact list: each manifold takes the lowest colour
/// that neither of its dynamic bodies has yet (Welsh and Powell, 1967). Colours are computed anew
/// in each step, so results do not depend on the order in which contacts were created. A manifold
/// that finds all 64 colours taken goes into the overflow colour. Each bundle of that colour has
/// one manifold, and these bundles are solved one after the other.
void colour_contacts(Cluster& cluster);

}  // namespace jostle::physics
