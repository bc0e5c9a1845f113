#pragma once

#include "shared/math/vec3.h"

#include <span>

namespace jostle::character {

/// What limits a motion: n·motion ≥ −gap.
struct Plane {
  math::Vec3 normal;  // unit, towards what moves
  float gap = 0;  // m (m/s for velocities): how far it may go against the normal; below 0 it must
                  // go along it
};

inline constexpr std::size_t max_planes = 24;

/// Whether the motion keeps to all planes, but for rounding.
bool keeps_to(math::Vec3 motion, std::span<const Plane> planes);

/// Of all motions that keep to the planes, the one nearest to `wanted`: min |x − w|², nᵢ·x ≥ −gᵢ.
///
/// At the minimum x − w is a sum of the normals of planes that are touched, with no negative
/// weights (Karush, Kuhn and Tucker), and in three dimensions three of them suffice. So it is one
/// of: w itself, w put onto a plane, onto the line of two, onto the point of three. All are tried,
/// which leaves nothing to converge: no crease and no corner, however acute, makes it tremble.
/// Where nothing keeps to all planes, the candidate that violates them least.
math::Vec3 nearest_motion(math::Vec3 wanted, std::span<const Plane> planes);

}  // namespace jostle::character
