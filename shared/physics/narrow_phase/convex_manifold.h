#pragma once

#include "shared/physics/narrow_phase/collide.h"
#include "shared/physics/narrow_phase/convex_distance.h"

namespace jostle::physics {

/// The points in which two bodies at a known distance touch or are about to, in the frame of a:
/// over a face, if one looks along the normal, along two parallel lines, or the one nearest pair.
Collision convex_manifold(const ConvexPair& pair, const ConvexDistance& distance, float margin);

/// Two bodies, neither of them a plane or a surface; `axis` as for collide().
Collision collide_convex(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                         float margin, math::Vec3 axis);

/// A body of any such kind on a plane.
Collision collide_convex_plane(const PlacedShape& a, const PlacedShape& b, math::Vec3 offset,
                               float margin);

}  // namespace jostle::physics
