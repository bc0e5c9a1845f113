#pragma once

#include "client/render/gl_functions.h"
#include "client/render/matrix.h"
#include "shared/base/result.h"
#include "shared/math/vec3.h"

#include <string>

namespace jostle::render {

/// A linked pair of shaders.
class ShaderProgram {
 public:
  /// Compiles and links the program. `common` is put before both sources. The error is the
  /// compiler's or linker's message.
  static base::Result<ShaderProgram, std::string> create(const GlFunctions& gl,
                                                         const std::string& common,
                                                         const std::string& vertex,
                                                         const std::string& fragment);
  ShaderProgram() = default;
  ~ShaderProgram();
  ShaderProgram(ShaderProgram&& other) noexcept;
  ShaderProgram& operator=(ShaderProgram&& other) noexcept;

  void use() const;
  /// Sets a uniform of the program in use. Unknown names are ignored, because compilers remove
  /// unused uniforms.
  void set(const char* name, float value) const;
  void set(const char* name, int value) const;
  void set(const char* name, math::Vec3 value) const;
  void set(const char* name, float x, float y) const;
  void set(const char* name, const Mat4& value) const;

 private:
  ShaderProgram(const GlFunctions& gl, GLuint id) : gl_(&gl), id_(id) {}

  const GlFunctions* gl_ = nullptr;
  GLuint id_ = 0;
};

}  // namespace jostle::render
