#pragma once

#include "client/render/gl_objects.h"
#include "client/render/instances.h"
#include "client/render/matrix.h"

#include <span>

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

/// A square depth texture with hardware comparison, and its framebuffer.
class ShadowMap {
 public:
  ShadowMap(const GlFunctions& gl, int size);

  int size() const { return size_; }
  GLuint framebuffer() const { return framebuffer_.id(); }
  GLuint texture() const { return texture_.id(); }
  bool is_complete() const { return is_complete_; }

 private:
  int size_;
  bool is_complete_ = false;
  GlObject texture_, framebuffer_;
};

}  // namespace jostle::render
