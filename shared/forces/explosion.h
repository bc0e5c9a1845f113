#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::forces {

/// An explosion. It gives a shape the impulse
///
///   impulse · (1 − distance/radius) · A
///
/// where `distance` is measured from the centre to the nearest point of the shape, and A is the
/// area that the shape turns towards the explosion (facing_area.h). The impulse acts at the nearest
/// point, along the line from the centre to it. If the centre lies inside the shape, the distance
/// counts as 0, and the impulse acts at the shape's centre of mass, away from the explosion's
/// centre.
struct Explosion {
  math::Position centre;
  float radius = 0;   // m, the distance at which the impulse reaches zero
  float impulse = 0;  // N·s/m², at the centre

  bool operator==(const Explosion&) const = default;
};
inline constexpr float max_blast_radius = 1e6f;
inline constexpr float max_blast_impulse = 1e12f;

/// Returns true if the centre is finite, and radius and impulse are within the limits and not
/// negative.
bool is_valid(const Explosion& explosion);

struct Blow {
  math::Vec3 impulse;  // N·s
  math::Position point;
};
/// Returns the impulse on a shape at a pose. It is zero beyond the radius, and on planes, meshes
/// and height fields.
Blow blow_of(const Explosion& explosion, const state::Shape& shape, const math::Pose& pose);

}  // namespace jostle::forces
