#pragma once

#include <cstdint>

namespace jostle::physics {

struct Contact;
struct WorldState;

// Removal of contacts at internal edges (ghost collisions: Catto, "Ghost collisions", 2020).
//
// A floor may consist of many shapes. Where two of them meet flush, there is an internal edge. No
// body can really hit this edge, because a body on one of the shapes is above the plane of both.
// But the narrow phase tests each pair of shapes alone. In such a test, a body that slides towards
// the seam is in front of the next shape, not above it. The smallest separating translation then
// points backwards or along a slant, so that balls hop and boxes stop. (Meshes have the same
// problem at every triangle: collision/surface_pairs.cpp.) The solver skips manifolds of a
// dynamic body d that come from such edges.
//
// A manifold with a convex shape s is skipped if d lies on a face of another shape and three
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
// A manifold with the normal m between d and a mesh or height field s is skipped if the ground
// continues at each of its points. A point p lies on a triangle of s with the normal t ≠ m. The
// ground continues if s, or another shape that d touches, has a face just beyond the edge, at p +
// ε·(m − t·(t·m)). The normal of this face must be nearer to t than m is, because the contact
// normal of a real edge is between the normals of its two faces.
//
// Both s and the shape with the face must belong to bodies at rest or to the same body, such as a
// platform or a cart.

/// Finds the bodies whose contact normals are all about equal, such as a raft on tiles. They touch
/// no internal edge, so flush_manifolds need not compare each of their contacts with all others.
void find_bodies_with_one_normal(WorldState& world);

/// Returns the manifolds of the contact that the solver must skip, one bit each. Reads the
/// manifolds as computed by the narrow phase, and the result of find_bodies_with_one_normal. Adds
/// the number of contacts that it compared with this one to `comparisons`.
std::uint32_t flush_manifolds(const WorldState& world, const Contact& contact,
                              std::uint64_t& comparisons);

}  // namespace jostle::physics
