#include "client/render/gl_objects.h"

#include <utility>

namespace jostle::render {

GlObject::GlObject(const GlFunctions& gl, GlKind kind) : gl_(&gl), kind_(kind) {
  switch (kind) {
    case GlKind::Buffer:
      gl.GenBuffers(1, &id_);
      break;
    case GlKind::VertexArray:
      gl.GenVertexArrays(1, &id_);
      break;
    case GlKind::Texture:
      gl.GenTextures(1, &id_);
      break;
    case GlKind::Framebuffer:
      gl.GenFramebuffers(1, &id_);
      break;
    case GlKind::Renderbuffer:
      gl.GenRenderbuffers(1, &id_);
      break;
  }
}

GlObject::~GlObject() {
  release();
}

GlObject::GlObject(GlObject&& other) noexcept
    : gl_(other.gl_), kind_(other.kind_), id_(std::exchange(other.id_, 0)) {}

GlObject& GlObject::operator=(GlObject&& other) noexcept {
  if (this != &other) {
    release();
    gl_ = other.gl_;
    kind_ = other.kind_;
    id_ = std::exchange(other.id_, 0);
  }
  return *this;
}

void GlObject::release() {
  if (id_ == 0) return;
  switch (kind_) {
    case GlKind::Buffer:
      gl_->DeleteBuffers(1, &id_);
      break;
    case GlKind::VertexArray:
      gl_->DeleteVertexArrays(1, &id_);
      break;
    case GlKind::Texture:
      gl_->DeleteTextures(1, &id_);
      break;
    case GlKind::Framebuffer:
      gl_->DeleteFramebuffers(1, &id_);
      break;
    case GlKind::Renderbuffer:
      gl_->DeleteRenderbuffers(1, &id_);
      break;
  }
  id_ = 0;
}

}  // namespace jostle::render
