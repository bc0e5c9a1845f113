#pragma once

namespace jostle::physics {

struct Cluster;

/// Assigns a graph colour to every contact that can act, so that no two contacts of a colour share
/// a body that the solver moves. Then lays out the bundles: by colour, then by point count, then by
/// the contacts' key.
///
/// The colouring is greedy in the order of the contact list: each contact takes the lowest colour
/// that neither body has yet (Welsh and Powell, 1967). Colours are not kept between steps, so
/// results do not depend on the order in which contacts were created. A contact that finds all 64
/// colours taken goes into the overflow colour. Its contacts stand in bundles of one each and are
/// solved one after the other.
void colour_contacts(Cluster& cluster);

}  // namespace jostle::physics
