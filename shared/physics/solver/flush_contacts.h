#pragma once

namespace jostle::physics {

struct Body;
struct Contact;
struct WorldState;

// Floors are laid of boxes, and where two of them meet flush there is an edge that nothing can hit:
// what lies on one is above the plane of both. But a pair knows nothing of its neighbours. What
// slides towards the seam is in front of the next box, not above it, so that the nearest way apart
// is back, or along a slant; a ball hops, and a box runs into a wall of no height. (Meshes have the
// same on every triangle: narrow_phase/surface_pairs.cpp. Ghost collisions: Catto, "Ghost
// collisions", 2020.)
//
// A contact of a dynamic body d with a static convex shape s is left out if d lies on a face of
// another static shape, with the outward normal n at the height h = n·x, and
//
//   max over s of n·x = h within flush_tolerance      s ends where the face does
//   n·p ≥ h − flush_tolerance                         and is touched there, not below,
//   its own normal is not n                           but not from above
//
// The face bears d until it is over s, and then s has n for its normal.

/// Whether the contact is such a one. Reads manifolds as the narrow phase left them.
bool is_at_flush_rim(const WorldState& world, const Contact& contact, const Body& a, const Body& b);

}  // namespace jostle::physics
