#include "client/render/thumbnails.h"

#include "client/render/screenshot.h"

#include <cstddef>
#include <utility>

namespace jostle::render {
namespace {

constexpr std::size_t max_file_bytes = 1U << 20;
constexpr int max_side = 1'024;  // pixels

}  // namespace

GLuint Thumbnails::find(const std::string& name) {
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second.id();
  const auto path = finder_(name);
  return known_.emplace(name, path ? load(*path) : GlObject()).first->second.id();
}

GlObject Thumbnails::load(const std::string& path) {
  const auto bytes = io_.read_file(path, max_file_bytes);
  if (!bytes) return {};
  const auto image = decode_png(*bytes, max_side);
  if (!image) return {};
  GlObject texture(gl_, GlKind::Texture);
  gl_.BindTexture(GL_TEXTURE_2D, texture.id());
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, image->size.width, image->size.height, 0, GL_RGB,
                 GL_UNSIGNED_BYTE, image->pixels.data());
  gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
  gl_.BindTexture(GL_TEXTURE_2D, 0);
  return texture;
}

}  // namespace jostle::render
