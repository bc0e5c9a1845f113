#include "client/render/shader_program.h"

#include <array>
#include <utility>

namespace jostle::render {

namespace {

constexpr GLsizei max_log_bytes = 2048;

base::Result<GLuint, std::string> compile(const GlFunctions& gl, GLenum stage,
                                          const std::string& source) {
  const GLuint shader = gl.CreateShader(stage);
  const char* text = source.c_str();
  gl.ShaderSource(shader, 1, &text, nullptr);
  gl.CompileShader(shader);
  GLint is_compiled = GL_FALSE;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
  if (is_compiled == GL_TRUE) return shader;
  std::array<char, max_log_bytes> words{};
  gl.GetShaderInfoLog(shader, max_log_bytes, nullptr, words.data());
  gl.DeleteShader(shader);
  return std::string(stage == GL_VERTEX_SHADER ? "vertex shader: " : "fragment shader: ") +
         words.data();
}

}  // namespace

base::Result<ShaderProgram, std::string> ShaderProgram::create(const GlFunctions& gl,
                                                               const std::string& common,
                                                               const std::string& vertex,
                                                               const std::string& fragment) {
  const auto vertex_shader = compile(gl, GL_VERTEX_SHADER, common + vertex);
  if (!vertex_shader) return vertex_shader.error();
  const auto fragment_shader = compile(gl, GL_FRAGMENT_SHADER, common + fragment);
  if (!fragment_shader) {
    gl.DeleteShader(*vertex_shader);
    return fragment_shader.error();
  }

  ShaderProgram program(gl, gl.CreateProgram());
  gl.AttachShader(program.id_, *vertex_shader);
  gl.AttachShader(program.id_, *fragment_shader);
  gl.LinkProgram(program.id_);
  gl.DeleteShader(*vertex_shader);
  gl.DeleteShader(*fragment_shader);
  GLint is_linked = GL_FALSE;
  gl.GetProgramiv(program.id_, GL_LINK_STATUS, &is_linked);
  if (is_linked == GL_TRUE) return program;
  std::array<char, max_log_bytes> words{};
  gl.GetProgramInfoLog(program.id_, max_log_bytes, nullptr, words.data());
  return std::string("shader program: ") + words.data();
}

ShaderProgram::~ShaderProgram() {
  if (id_ != 0) gl_->DeleteProgram(id_);
}

ShaderProgram::ShaderProgram(ShaderProgram&& other) noexcept
    : gl_(other.gl_), id_(std::exchange(other.id_, 0)) {}

ShaderProgram& ShaderProgram::operator=(ShaderProgram&& other) noexcept {
  std::swap(gl_, other.gl_);
  std::swap(id_, other.id_);
  return *this;
}

void ShaderProgram::use() const {
  gl_->UseProgram(id_);
}

void ShaderProgram::set(const char* name, float value) const {
  gl_->Uniform1f(gl_->GetUniformLocation(id_, name), value);
}

void ShaderProgram::set(const char* name, int value) const {
  gl_->Uniform1i(gl_->GetUniformLocation(id_, name), value);
}

void ShaderProgram::set(const char* name, math::Vec3 value) const {
  gl_->Uniform3f(gl_->GetUniformLocation(id_, name), value.x, value.y, value.z);
}

void ShaderProgram::set(const char* name, float x, float y) const {
  gl_->Uniform2f(gl_->GetUniformLocation(id_, name), x, y);
}

void ShaderProgram::set(const char* name, const Mat4& value) const {
  gl_->UniformMatrix4fv(gl_->GetUniformLocation(id_, name), 1, GL_FALSE, value.m.data());
}

}  // namespace jostle::render
