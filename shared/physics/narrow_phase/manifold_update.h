#pragma once

#include "shared/physics/detail/records.h"
#include "shared/physics/narrow_phase/collide.h"

namespace jostle::physics {

/// The two shapes of a contact as the collision functions want them.
struct Placing {
  PlacedShape a, b;
  math::Vec3 origin_a;  // of shape a from its body's centre of mass
  math::Vec3 between;   // the bodies' centres of mass
  math::Vec3 offset;    // the shapes' origins
};

/// Fills the manifolds of `fresh` for two shapes of any kinds. `axis` as for collide().
void find_manifolds(const Placing& placing, float margin, math::Vec3 axis, SurfaceScratch& scratch,
                    Contact& fresh);

/// Takes the impulses of a contact's manifolds over to its new ones: those of the direction nearest
/// to the new one's, point by point.
void take_over_impulses(const Contact& old, Contact& fresh);

}  // namespace jostle::physics
