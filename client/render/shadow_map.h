#pragma once

#include "client/render/gl_objects.h"
#include "client/render/instances.h"
#include "client/render/matrix.h"

#include <span>

namespace jostle::render {

/// Returns the unit vector towards the sun.
math::Vec3 sun_direction();

/// The part of the world that receives shadows.
struct ShadowFrustum {
  /// Matrix from offsets relative to the eye to the clip space of the shadow map.
  Mat4 clip_from_offset;
  float radius = 10;     // m, half the side of the square that the map covers
  float texel_size = 1;  // m
};

/// Fits the sun's frustum around the bodies near the picture's focus. It moves in whole texels and
/// resizes in steps, so that shadow edges do not flicker while the camera moves.
ShadowFrustum fit_shadow_frustum(const Picture& picture, int map_size);

/// A square depth texture that is compared in hardware.
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
