#pragma once

#include <cstdint>

namespace jostle::physics {

struct Contact;
struct WorldState;

// Floors are laid of many shapes, and where two of them meet flush there is an edge that nothing
// can hit: what lies on one is above the plane of both. But a pair knows nothing of its neighbours.
// What slides towards the seam is in front of the next box, not above it, so that the nearest way
// apart is back, or along a slant; a ball hops, and a box runs into a wall of no height. (Meshes
// have the same on every triangle: narrow_phase/surface_pairs.cpp. Ghost collisions: Catto, "Ghost
// collisions", 2020.) Manifolds of a dynamic body d from such edges are left out.
//
// One with a convex shape s, if d lies on a face of another shape, with the outward normal n at the
// height h = n·x, and
//
//   max over s of n·x = h within flush_tolerance      s ends where the face does
//   n·p ≥ h − flush_tolerance                         and is touched there, not below,
//   its own normal is not n                           but not from above
//
// The face bears d until it is over s, and then s has n for its normal.
//
// One with a mesh or height field s, along m, if at each of its points p, which lies on a triangle
// of s with the normal t ≠ m, a shape that d touches, s or another, has a face just beyond the
// edge, at p + ε·(m − t·(t·m)), that is nearer to t than m is: an edge pushes between the normals
// of its two faces, and nowhere else.
//
// Both shapes must stand still, or be of one body: a platform, a cart.

/// The contact's manifolds that are left out, one bit each. Reads manifolds as the narrow phase
/// left them.
std::uint32_t flush_manifolds(const WorldState& world, const Contact& contact);

}  // namespace jostle::physics
