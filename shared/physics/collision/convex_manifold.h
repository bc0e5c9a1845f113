#pragma once

#include "shared/physics/collision/collide.h"
#include "shared/physics/collision/convex_distance.h"

namespace jostle::physics {

/// Computes the manifold of two bodies at a known distance, in the frame of a. If a face of one
/// body faces along the normal, the points are those of the other body's side, clipped to the face.
/// If two parallel segments face each other, the points are the ends of their overlap. Otherwise
/// there is one point, midway between the closest points.
Collision convex_manifold(const ConvexPair& pair, const ConvexDistance& distance, float margin);

/// Collides two convex bodies, neither of them a plane, mesh or height field. `axis` is as for
/// collide().
Collision collide_convex(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                         float margin, math::Vec3 axis);

/// Collides a convex body, which is neither a plane, mesh nor height field, with a plane.
Collision collide_convex_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                               float margin);

}  // namespace jostle::physics
