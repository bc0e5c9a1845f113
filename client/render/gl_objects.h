#pragma once

#include "client/render/gl_functions.h"

#include <cstdint>

namespace jostle::render {

enum class GlKind : std::uint8_t { Buffer, VertexArray, Texture, Framebuffer, Renderbuffer };

/// Owner of one OpenGL object name. The context must be current when the owner is created and
/// destroyed.
class GlObject {
 public:
  GlObject() = default;
  GlObject(const GlFunctions& gl, GlKind kind);
  ~GlObject();
  GlObject(GlObject&& other) noexcept;
  GlObject& operator=(GlObject&& other) noexcept;

  GLuint id() const { return id_; }

 private:
  void release();

  const GlFunctions* gl_ = nullptr;
  GlKind kind_ = GlKind::Buffer;
  GLuint id_ = 0;
};

}  // namespace jostle::render
