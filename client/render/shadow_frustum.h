#pragma once

#include "client/render/instances.h"
#include "client/render/matrix.h"

namespace jostle::render {

/// Returns the unit vector towards the sun.
math::Vec3 sun_direction();

/// The box that the shadow map covers.
struct ShadowFrustum {
  /// Matrix from offsets relative to the eye to the clip space of the shadow map.
  Mat4 clip_from_offset;
  float radius = 10;     // m, half the side of the square that the map covers
  float texel_size = 1;  // m
};

/// Fits the sun's frustum to the bodies near the picture's focus. `map_size` is the number of
/// texels along a side. The frustum moves in whole texels and changes its size in steps, so that
/// shadow edges do not flicker while the camera moves.
ShadowFrustum fit_shadow_frustum(const Picture& picture, int map_size);

}  // namespace jostle::render
