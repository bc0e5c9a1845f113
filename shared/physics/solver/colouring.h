#pragma once

namespace jostle::physics {

struct Cluster;

/// Gives every contact that can act a colour, so that no two of a colour share a body that the
/// solver moves, and lays the bundles out: by colour, then by point count, then by the contacts'
/// key.
///
/// Greedy, in the order of the list of contacts, each the lowest colour that neither body has yet
/// (Welsh and Powell, 1967). Nothing is kept from step to step, so that the order in which
/// contacts came to be reaches no result. What finds all 64 colours taken goes into the overflow,
/// whose contacts stand in bundles of one each and are solved one after the other.
void colour_contacts(Cluster& cluster);

}  // namespace jostle::physics
