#pragma once

#include "shared/physics/collision/collide.h"
#include "shared/physics/detail/records.h"

namespace jostle::physics {

/// The two shapes of a contact, as arguments of the collision functions. Vectors are in world axes.
struct Placing {
  PlacedShape a, b;
  math::Vec3 origin_a;  // vector from the centre of mass of body a to the origin of shape a
  math::Vec3 between;   // vector from the centre of mass of body a to that of body b
  math::Vec3 offset;    // vector from the origin of shape a to that of shape b
  math::Vec3 travel;    // expected displacement of shape b relative to shape a, m
};

/// Computes the manifolds of two shapes of any kinds and stores them in `fresh`. `axis` is as for
/// collide().
void find_manifolds(const Placing& placing, float margin, math::Vec3 axis, SurfaceScratch& scratch,
                    Contact& fresh);

/// Returns true if the separation of a point of the contact is at most `distance`.
bool is_near(const Contact& contact, float distance);

/// Copies the impulses of a contact's old manifolds to its new ones, for warm starting. Each new
/// manifold takes those of the unused old manifold with the nearest normal, point by point, if the
/// normals differ by less than 26°. Each old manifold is used at most once.
void take_over_impulses(const Contact& old, Contact& fresh);

}  // namespace jostle::physics
