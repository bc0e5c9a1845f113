#include "client/render/gl_functions.h"

#include <SDL.h>

namespace jostle::render {

base::Result<GlFunctions, std::string> load_gl_functions() {
  GlFunctions gl;
  std::string missing;
  // The conversion of an object pointer to a function pointer is guaranteed by POSIX; every GL
  // loader relies on it.
#define JOSTLE_GL_LOAD(name)                                                            \
  gl.name = reinterpret_cast<decltype(&::gl##name)>(SDL_GL_GetProcAddress("gl" #name)); \
  if (gl.name == nullptr && missing.empty()) missing = "gl" #name;
  JOSTLE_GL_FUNCTIONS(JOSTLE_GL_LOAD)
#undef JOSTLE_GL_LOAD
  if (!missing.empty()) return missing;
  return gl;
}

}  // namespace jostle::render
