#pragma once

#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::forces {

/// A blast. What it gives a shape is
///
///   impulse · (1 − distance/radius) · A
///
/// with the distance from the centre to the nearest point of the shape, and A the area that the
/// shape faces the blast with (facing_area.h). It acts at the nearest point, along the line from
/// the centre to it. Where the centre lies in the shape, the shape is pushed by its middle, away
/// from the centre.
struct Explosion {
  math::Position centre;
  float radius = 0;   // m, where nothing of it is left
  float impulse = 0;  // N·s/m², in the centre

  bool operator==(const Explosion&) const = default;
};
inline constexpr float max_blast_radius = 1e6f;
inline constexpr float max_blast_impulse = 1e12f;

/// Whether all is finite and within the limits, and neither is negative.
bool is_valid(const Explosion& explosion);

struct Blow {
  math::Vec3 impulse;  // N·s
  math::Position point;
};
/// On a shape at a pose; nothing out of reach, and on planes, meshes and height fields.
Blow blow_of(const Explosion& explosion, const state::Shape& shape, const math::Pose& pose);

}  // namespace jostle::forces
