#pragma once

namespace jostle::physics {

struct WorldState;

// Islands are sets of bodies that are connected by contacts or joints. They do not affect each
// other within a step. Solving a large world of small islands pass by pass would fetch everything
// from memory again in each pass. Instead, whole islands are grouped into clusters that fit in a
// core's cache. One thread takes a cluster through all passes of all substeps before it starts the
// next one, so threads do not wait for each other. An island above the size limit is solved pass by
// pass, by all threads.
//
// Results do not depend on which islands share a cluster: each body and contact sees the same
// operations in the same order.

/// Collects the listed contacts that act, and divides all awake bodies into clusters. Call it after
/// the narrow phase.
void form_clusters(WorldState& world);
/// Advances all awake bodies from their velocities and contacts at the start of the step to those
/// at its end.
void solve_clusters(WorldState& world);

}  // namespace jostle::physics
