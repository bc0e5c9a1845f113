#pragma once

#include <cstdint>

namespace jostle::physics {

struct Contact;
struct WorldState;

// Removal of contacts at internal edges (ghost collisions: Catto, "Ghost collisions", 2020).
//
// A floor may consist of many shapes. Where two of them meet flush there is an edge that nothing
// can hit: a body that lies on one shape is above the plane of both. But the narrow phase collides
// each pair of shapes without the neighbours. For it, a body that slides towards the seam is in
// front of the next shape, not above it. The shortest way to separate the two is then backwards or
// along a slant: a ball hops, and a box runs into a wall of no height. (Meshes have the same
// problem at every triangle: narrow_phase/surface_pairs.cpp.) Manifolds of a dynamic body d that
// come from such edges are excluded from the solver.
//
// A manifold with a convex shape s is excluded if d lies on a face of another shape and three
// conditions are true. Let n be the outward normal of this face, and h its height along n. The
// conditions concern the points x of s and the points p of the manifold:
//
//   max over s of n·x = h within flush_tolerance      s ends at the height of the face
//   n·p ≥ h − flush_tolerance − g·t²/2                s is touched at that height, not below
//   the normal of the manifold is not n               s is not touched from above
//
// Here g·t²/2 is the fall within a step. The face supports d until d is over s; from then on the
// manifold with s has the normal n.
//
// A manifold along m with a mesh or height field s is excluded if the ground continues at each of
// its points. A point p lies on a triangle of s with the normal t ≠ m. The ground continues if s,
// or another shape that d touches, has a face just beyond the edge, at p + ε·(m − t·(t·m)), whose
// normal is nearer to t than m is. The reason is that an edge can push only between the normals of
// its two faces.
//
// The bodies of the shape s and of the shape with the face must both be at rest, or be the same
// body, such as a platform or a cart.

/// Finds the bodies that press along one normal only, such as a raft on tiles: they touch no
/// internal edge. Without this, each of their contacts would be compared with all others.
void find_bodies_with_one_normal(WorldState& world);

/// Returns the manifolds of the contact that the solver must skip, one bit each. Reads the
/// manifolds as computed by the narrow phase, and the result of find_bodies_with_one_normal. Adds
/// the number of contacts that it compared with this one to `comparisons`.
std::uint32_t flush_manifolds(const WorldState& world, const Contact& contact,
                              std::uint64_t& comparisons);

}  // namespace jostle::physics
