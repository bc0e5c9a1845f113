#pragma once

#include "client/render/gl_objects.h"
#include "shared/net/io.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace jostle::render {

/// Small pictures out of files, as textures; each is read when it is first asked for.
class Thumbnails {
 public:
  /// Where the picture of that name lies, if there may be one.
  using Finder = std::function<std::optional<std::string>(const std::string& name)>;

  /// `io` and `gl` must outlive it.
  Thumbnails(net::Io& io, const GlFunctions& gl, Finder finder)
      : io_(io), gl_(gl), finder_(std::move(finder)) {}

  /// The texture; 0 where there is no such picture, or none that can be read.
  GLuint find(const std::string& name);

 private:
  GlObject load(const std::string& path);

  net::Io& io_;
  const GlFunctions& gl_;
  Finder finder_;
  std::map<std::string, GlObject> known_;  // an empty one: there is none
};

}  // namespace jostle::render
