#pragma once

namespace jostle::physics {

struct WorldState;

// Nothing passes between islands, bodies that neither touch nor are joined, within a step. A large
// world of small islands need therefore not be solved pass by pass over all that it has, which
// would fetch everything from memory again in each pass: whole islands are put together to clusters
// that fit into a core's cache, and each is taken through all passes of all substeps before the
// next. That also leaves threads nothing to wait for. An island that is larger than that is solved
// pass by pass, by all threads.
//
// No result depends on who shares a cluster: each body and contact meets the same operations in the
// same order.

/// Looks at the listed contacts and divides what is awake into clusters. After the narrow phase.
void form_clusters(WorldState& world);
/// Moves all awake bodies on: from their velocities and contacts at the beginning of the step to
/// those at its end.
void solve_clusters(WorldState& world);

}  // namespace jostle::physics
