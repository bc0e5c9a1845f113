#pragma once

namespace jostle::physics {

struct Cluster;

/// Assigns a graph colour to every manifold of the contacts that act, so that no two manifolds of a
/// colour share a dynamic body. Then lays out the bundles: those of each point count are sorted by
/// colour and, within a colour, follow the order of the contact list.
///
/// The colouring is greedy in the order of the contact list (Welsh and Powell, 1967). Each manifold
/// gets the lowest colour that no other manifold of its dynamic bodies has yet. Colours are
/// computed anew in each step, so results do not depend on the order in which contacts were
/// created. A manifold whose bodies already use all 64 colours goes into the overflow colour. Each
/// bundle of that colour has one manifold, and these bundles are solved one after the other.
void colour_contacts(Cluster& cluster);

}  // namespace jostle::physics
