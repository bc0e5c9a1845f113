#pragma once

#include "client/render/gl_objects.h"
#include "shared/net/io.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace jostle::render {

/// Cache of small pictures as textures. The file of a picture is read when find() is first called
/// for it.
class Thumbnails {
 public:
  /// Function that returns the path of the picture with this name; null if there is none.
  using Finder = std::function<std::optional<std::string>(const std::string& name)>;

  /// `io` and `gl` must outlive the object.
  Thumbnails(net::Io& io, const GlFunctions& gl, Finder finder)
      : io_(io), gl_(gl), finder_(std::move(finder)) {}

  /// Returns the texture of the picture with this name; 0 if there is no such picture or it cannot
  /// be read.
  GLuint find(const std::string& name);

 private:
  GlObject load(const std::string& path);

  net::Io& io_;
  const GlFunctions& gl_;
  Finder finder_;
  std::map<std::string, GlObject> known_;  // an empty object: there is no picture
};

}  // namespace jostle::render
