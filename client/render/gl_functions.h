#pragma once

#include "shared/base/result.h"

#include <string>

#ifndef GL_GLEXT_PROTOTYPES
// Declares the functions, whose types are used below. They are loaded at run time; OpenGL is not
// linked.
#define GL_GLEXT_PROTOTYPES
#endif
#include <SDL_opengl.h>

namespace jostle::render {

/// The functions of OpenGL 3.3 core that the viewer calls.
// clang-format 14 does not converge on this list.
// clang-format off
#define JOSTLE_GL_FUNCTIONS(X)                                                                     \
  X(ActiveTexture)                                                                                 \
  X(AttachShader) X(BindBuffer) X(BindFramebuffer) X(BindRenderbuffer) X(BindTexture) X(           \
      BindVertexArray) X(BlendFunc) X(BlitFramebuffer) X(BufferData) X(CheckFramebufferStatus)     \
      X(Clear) X(ClearColor) X(ClientWaitSync) X(CompileShader) X(CreateProgram) X(CreateShader)   \
          X(CullFace) X(DeleteBuffers) X(DeleteFramebuffers) X(DeleteProgram)                      \
              X(DeleteRenderbuffers) X(DeleteShader) X(DeleteSync) X(DeleteTextures)               \
                  X(DeleteVertexArrays) X(DepthFunc) X(DepthMask) X(Disable) X(DrawArrays) X(      \
                      DrawBuffer) X(DrawElementsInstanced) X(Enable) X(EnableVertexAttribArray)    \
                      X(DrawArraysInstanced)                                                       \
                      X(FenceSync) X(Flush) X(FramebufferRenderbuffer) X(FramebufferTexture2D)     \
                          X(GenBuffers) X(GenFramebuffers) X(GenRenderbuffers) X(GenTextures)      \
                              X(GenVertexArrays) X(GetError) X(GetIntegerv) X(GetProgramInfoLog)   \
                                  X(GetProgramiv) X(GetShaderInfoLog) X(GetShaderiv) X(GetString)  \
                                      X(GetUniformLocation) X(LinkProgram) X(PixelStorei)          \
                                          X(PolygonMode) X(PolygonOffset) X(ReadBuffer) X(ReadPixels)             \
                                              X(RenderbufferStorageMultisample) X(ShaderSource)    \
                                                  X(TexImage2D) X(TexParameteri) X(Uniform1f)      \
                                                      X(Uniform1i) X(Uniform2f) X(Uniform3f)       \
                                                          X(Uniform4f) X(UniformMatrix4fv)         \
                                                              X(UseProgram) X(VertexAttribDivisor) \
                                                                  X(VertexAttribIPointer)          \
                                                                      X(VertexAttribPointer)       \
                                                                          X(Viewport)
// clang-format on

struct GlFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name takes none
#define JOSTLE_GL_MEMBER(name) decltype(&::gl##name) name = nullptr;
  JOSTLE_GL_FUNCTIONS(JOSTLE_GL_MEMBER)
#undef JOSTLE_GL_MEMBER
};

/// Loads the functions of GlFunctions from the current OpenGL context through SDL. The error is the
/// name of the first missing function.
base::Result<GlFunctions, std::string> load_gl_functions();

}  // namespace jostle::render
