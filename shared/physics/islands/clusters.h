#pragma once

namespace jostle::physics {

struct WorldState;

// Islands are sets of bodies that are connected by contacts or joints. Different islands do not
// affect each other within a step. If a large world of small islands were solved pass by pass, each
// pass would fetch everything from memory again. Instead, whole islands are grouped into clusters
// that fit in a core's cache. One thread runs all passes of all substeps for a cluster before it
// starts the next cluster, so threads do not wait for each other. An island above the size limit is
// solved pass by pass, by all threads.
//
// Results do not depend on which islands share a cluster: the operations on each body and contact,
// and their order, are the same.

/// Collects the listed contacts that act on bodies, and divides all awake bodies into clusters.
/// Call it after the narrow phase.
void form_clusters(WorldState& world);
/// Advances all awake bodies by one step, from their current velocities and contacts.
void solve_clusters(WorldState& world);

}  // namespace jostle::physics
