#pragma once

#include "client/render/gl_objects.h"

namespace jostle::render {

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
