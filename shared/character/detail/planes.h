#pragma once

#include "shared/math/vec3.h"

#include <span>

namespace jostle::character {

/// A limit of a motion: normal·motion ≥ −gap.
struct Plane {
  math::Vec3 normal;  // unit, towards the moving shape
  /// Distance that the shape may move against the normal, m (m/s for velocities). If negative, the
  /// shape must move by −gap along the normal.
  float gap = 0;
};

inline constexpr std::size_t max_planes = 24;

/// Returns true if the motion satisfies all planes, within rounding.
bool satisfies(math::Vec3 motion, std::span<const Plane> planes);

/// Returns the motion nearest to `wanted` that satisfies all planes: min |x − w|², nᵢ·x ≥ −gᵢ.
///
/// At the minimum, x − w is a combination of the normals of active planes with no negative weights
/// (Karush, Kuhn and Tucker), and in three dimensions three of them suffice. The candidates are
/// therefore w itself and its projections onto each plane, onto the line of each two and onto the
/// point of each three. All are tried, and the zero motion too. There is no iteration that might
/// not converge, so the character does not oscillate in creases and corners, however acute. If no
/// candidate satisfies all planes, returns the one with the smallest violation.
math::Vec3 nearest_motion(math::Vec3 wanted, std::span<const Plane> planes);

}  // namespace jostle::character
